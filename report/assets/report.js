"use strict";
(function () {
  const holder = document.getElementById("icicle");
  const source = document.getElementById("icicle-data");
  const tip = document.getElementById("tip");

  function readBoxes(data) {
    const boxes = data.boxes.map(([name, parent, left, width, heat, blamed, weight, ...facts]) => ({
      name: data.texts[name], parent, left, width, heat, blamed, weight: data.texts[weight],
      facts: facts.map((fact) => data.texts[fact]), level: 0, part: 0,
    }));
    for (const box of boxes) if (box.parent !== null) box.level = boxes[box.parent].level + 1;
    return boxes;
  }

  function icicle() {
    const data = JSON.parse(source.textContent);
    const boxes = readBoxes(data);
    const elements = []; /* by box; made when it is first wide enough */
    for (const element of holder.querySelectorAll(".box")) elements[Number(element.dataset.n)] = element;
    const whole = document.getElementById("icicle-whole");
    const narrow = 34; /* pixels: a letter or two say nothing */
    let zoomed = 0, active = 0;
    let matches = new Set();

    function make(n) {
      const box = boxes[n], element = document.createElement("button");
      element.type = "button";
      element.className = box.blamed ? "box blamed" : "box";
      element.dataset.n = n;
      element.tabIndex = -1;
      element.setAttribute("role", "treeitem");
      element.setAttribute("aria-level", box.level + 1);
      element.setAttribute("aria-label", [box.name, box.facts[0], box.weight].join(", "));
      element.style.setProperty("--heat", box.heat + "%");
      const label = document.createElement("span"), name = document.createElement("bdi");
      const weight = document.createElement("b");
      name.textContent = box.name;
      weight.textContent = box.weight;
      label.append(name, " ", weight);
      element.append(label);
      element.classList.toggle("match", matches.has(n));
      holder.append(element);
      return element;
    }

    function isAbove(ancestor, node) {
      for (let at = node; at !== null; at = boxes[at].parent) if (at === ancestor) return true;
      return false;
    }

    /* The part of the view that a box takes: all of it for what is above the focus. */
    function measure(to) {
      const focus = boxes[to];
      boxes.forEach(function (box, n) {
        box.above = n !== to && isAbove(n, to);
        const inside = n === to || (box.parent !== null && !box.above && boxes[box.parent].part > 0 &&
          !boxes[box.parent].above);
        box.part = box.above ? 1 : inside ? box.width / focus.width : 0;
      });
    }

    function place(n, pixels) {
      const box = boxes[n], focus = boxes[zoomed];
      if (box.part < data.least) {
        if (elements[n]) elements[n].hidden = true;
        return;
      }
      const element = elements[n] || (elements[n] = make(n));
      element.hidden = false;
      element.classList.toggle("above", box.above);
      element.classList.toggle("narrow", box.part * pixels < narrow);
      element.style.left = box.above ? "0%" : ((box.left - focus.left) / focus.width) * 100 + "%";
      element.style.width = box.part * 100 + "%";
      element.style.top = box.level * data.row + "px";
    }

    function zoom(to) {
      const held = holder.contains(document.activeElement), pixels = holder.clientWidth;
      while (boxes[to].width === 0) to = boxes[to].parent;
      zoomed = to;
      hide();
      measure(to);
      let levels = 1;
      boxes.forEach(function (box, n) {
        place(n, pixels);
        if (box.part >= data.tall) levels = Math.max(levels, box.level + 1);
      });
      holder.style.height = levels * data.row + "px";
      whole.disabled = to === 0;
      activate(isShown(active) ? active : to);
      if (held) elements[active].focus({ preventScroll: true });
    }

    function isShown(n) {
      return elements[n] !== undefined && !elements[n].hidden;
    }

    /* One stop of the Tab key; arrows move it. */
    function activate(n) {
      elements[active].tabIndex = -1;
      elements[n].tabIndex = 0;
      active = n;
    }

    function show(n, x, y) {
      const box = boxes[n];
      tip.replaceChildren();
      const name = document.createElement("strong");
      name.textContent = box.name;
      const table = document.createElement("table");
      table.style.width = "auto";
      data.labels.forEach(function (label, i) {
        if (!box.facts[i]) return;
        const row = table.insertRow();
        row.insertCell().textContent = label;
        row.insertCell().textContent = box.facts[i];
      });
      tip.append(name, table);
      tip.hidden = false;
      elements[n].setAttribute("aria-describedby", "tip");
      const left = Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8);
      const below = y + 18 + tip.offsetHeight < window.innerHeight;
      tip.style.left = Math.max(4, left) + "px";
      tip.style.top = Math.max(4, below ? y + 18 : y - tip.offsetHeight - 12) + "px";
    }

    function hide() {
      tip.hidden = true;
      const told = holder.querySelector("[aria-describedby]");
      if (told) told.removeAttribute("aria-describedby");
    }

    function neighbour(n, key) {
      if (key === "ArrowUp") return boxes[n].parent;
      const parent = key === "ArrowDown" ? n : boxes[n].parent;
      const level = [];
      boxes.forEach((box, m) => { if (box.parent === parent && isShown(m)) level.push(m); });
      level.sort((a, b) => boxes[a].left - boxes[b].left);
      if (key === "ArrowDown") return level.length ? level[0] : null;
      const at = level.indexOf(n) + (key === "ArrowRight" ? 1 : -1);
      return level[at] === undefined ? null : level[at];
    }

    function numberOf(event) {
      const element = event.target.closest(".box");
      return element ? Number(element.dataset.n) : null;
    }

    holder.addEventListener("click", function (event) {
      const n = numberOf(event);
      if (n !== null) zoom(n === zoomed && n !== 0 ? boxes[n].parent : n);
    });
    holder.addEventListener("mousemove", function (event) {
      const n = numberOf(event);
      hide();
      if (n !== null) show(n, event.clientX, event.clientY);
    });
    holder.addEventListener("mouseleave", hide);
    holder.addEventListener("focusin", function (event) {
      const n = numberOf(event);
      if (n === null) return;
      activate(n);
      if (!event.target.matches(":focus-visible")) return;
      const place = event.target.getBoundingClientRect();
      show(n, place.left, place.bottom);
    });
    holder.addEventListener("focusout", hide);
    holder.addEventListener("keydown", function (event) {
      const n = numberOf(event);
      if (n === null || !/^Arrow(Up|Down|Left|Right)$/.test(event.key)) return;
      const next = neighbour(n, event.key);
      event.preventDefault();
      if (next !== null) elements[next].focus();
    });
    whole.addEventListener("click", () => zoom(0));
    document.addEventListener("keydown", function (event) {
      if (event.key === "Escape" && event.target.type !== "search") zoom(0);
    });
    window.addEventListener("resize", () => zoom(zoomed));

    search(boxes, function (found, wanted) {
      matches = found;
      elements.forEach((element, n) => element.classList.toggle("match", matches.has(n)));
      if (wanted !== null) zoom(wanted);
    });
    document.getElementById("icicle-tools").hidden = false;
    zoom(0);
  }

  /* Calls `mark` with the boxes whose name holds the text, and with the one to zoom to, or null. */
  function search(boxes, mark) {
    const field = document.getElementById("icicle-search");
    const status = document.getElementById("icicle-found");
    let found = [], next = 0;

    /* What stands below a match is in its width. */
    function widthOf(matches) {
      const covered = [];
      let sum = 0;
      boxes.forEach(function (box, n) {
        covered[n] = box.parent !== null && covered[box.parent];
        if (matches.has(n) && !covered[n]) sum += box.width;
        covered[n] = covered[n] || matches.has(n);
      });
      return ((100 * sum) / boxes[0].width).toFixed(1);
    }

    function say(matches) {
      if (!field.value.trim()) return "";
      const nodes = found.length === 1 ? "1 node matches" : found.length + " nodes match";
      return found.length ? nodes + ", " + widthOf(matches) + " % of the width. Enter zooms to the next." : "No node matches.";
    }

    field.addEventListener("input", function () {
      const text = field.value.trim().toLowerCase();
      found = [];
      next = 0;
      if (text) boxes.forEach((box, n) => { if (box.name.toLowerCase().includes(text)) found.push(n); });
      const matches = new Set(found);
      status.textContent = say(matches);
      mark(matches, null);
    });
    field.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && found.length) mark(new Set(found), found[next++ % found.length]);
    });
  }

  function sortable(table) {
    const heads = Array.from(table.tHead.rows[0].cells);
    const body = table.tBodies[0];
    function value(row, column) {
      const cell = row.cells[column];
      return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    }
    heads.forEach(function (head, column) {
      if (head.hasAttribute("data-fixed")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", function () {
        const falling = head.getAttribute("aria-sort") !== "descending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        const rows = Array.from(body.rows);
        rows.sort(function (first, second) {
          const a = value(first, column), b = value(second, column);
          const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
          return falling ? -order : order;
        });
        body.append(...rows);
      });
    });
  }

  if (holder && source) icicle();
  document.querySelectorAll("table.sortable").forEach(sortable);
})();
