"use strict";
const page = {}; /* what one part of the script does for another */
(function () {
  const holder = document.getElementById("icicle");
  const source = document.getElementById("icicle-data");
  const tip = document.getElementById("tip");

  function readBoxes(data) {
    const boxes = data.boxes.map(([name, label, parent, left, width, heat, blamed, weight, ...facts]) => ({
      name: data.texts[name], label: data.texts[label], parent, left, width, heat, blamed, weight: data.texts[weight],
      facts: facts.map((fact, i) => [data.labels[i], data.texts[fact]]).filter((fact) => fact[1]),
      kind: data.texts[facts[0]], level: 0, part: 0, below: [], look: null,
    }));
    (data.looks || []).forEach((look, n) => { boxes[n].look = look; }); /* a class, and the part in per cent that is not hatched */
    boxes.forEach(function (box, n) {
      if (box.parent === null) return;
      box.level = boxes[box.parent].level + 1;
      boxes[box.parent].below.push(n);
    });
    return boxes;
  }

  /* Places boxes of other weights as report/variance/html_icicle.c does: what cancels has no width. */
  function layOut(boxes, weights) {
    boxes[0].left = 0;
    boxes[0].width = 1e9;
    boxes.forEach(function (box, n) {
      box.below.sort((a, b) => weights[b] - weights[a]);
      let sum = 0, at = box.left, heat = weights[n];
      for (const child of box.below) {
        sum += Math.max(weights[child], 0);
        if (box.blamed || !boxes[child].blamed) heat -= Math.max(weights[child], 0);
      }
      const whole = Math.max(sum, weights[n]);
      for (const child of box.below) {
        boxes[child].left = at;
        boxes[child].width = whole > 0 ? (Math.max(weights[child], 0) * box.width) / whole : 0;
        at += boxes[child].width;
      }
      box.heat = Math.floor(10.5 + 90 * Math.sqrt(Math.min(Math.max(heat, 0), 1)));
    });
  }

  function showTip(title, facts, x, y) {
    const name = document.createElement("strong"), table = document.createElement("table");
    name.textContent = title;
    table.style.width = "auto";
    for (const cells of facts) {
      const row = table.insertRow();
      for (const text of cells) row.insertCell().textContent = text;
    }
    tip.replaceChildren(name, table);
    tip.hidden = false;
    const left = Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8);
    const below = y + 18 + tip.offsetHeight < window.innerHeight;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = Math.max(4, below ? y + 18 : y - tip.offsetHeight - 12) + "px";
  }

  function icicle() {
    const data = JSON.parse(source.textContent);
    const boxes = readBoxes(data);
    const first = boxes.map((box) => ({ left: box.left, width: box.width, heat: box.heat, weight: box.weight,
      facts: box.facts, below: box.below.slice() }));
    let elements = []; /* by box; made when it is first wide enough */
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
      element.setAttribute("aria-label", [box.label, box.kind, box.weight].join(", "));
      element.style.setProperty("--heat", box.heat + "%");
      if (box.look) {
        element.classList.add(box.look[0]);
        element.style.setProperty("--solid", box.look[1] + "%");
      }
      const label = document.createElement("span"), name = document.createElement("bdi");
      const weight = document.createElement("b");
      name.textContent = box.label;
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
        if (box.part >= data.least) levels = Math.max(levels, box.level + 1);
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
      showTip(boxes[n].name, boxes[n].facts, x, y);
      elements[n].setAttribute("aria-describedby", "tip");
    }

    /* Other weights, and what is said of them; null: those that the page came with. */
    function change(view) {
      if (view) layOut(boxes, view.weights);
      boxes.forEach(function (box, n) {
        Object.assign(box, view ? { weight: view.texts[n], facts: view.facts[n] } : { ...first[n], below: first[n].below.slice() });
      });
      elements = [];
      holder.replaceChildren();
      active = 0;
      zoom(0);
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
    return change;
  }

  /* A part of the root strip tells more where it is pointed at, and picks its dots out of the run. */
  function strip(parts) {
    const run = document.getElementById("run");
    for (const part of parts.querySelectorAll(".part")) {
      part.dataset.tip = part.title;
      part.setAttribute("aria-description", part.title);
      part.removeAttribute("title");
    }
    function tell(event) {
      const part = event.target.closest(".part");
      tip.hidden = !part;
      if (!part) return;
      const [name, ...lines] = part.dataset.tip.split("\n"), at = part.getBoundingClientRect();
      showTip(name, lines.map((line) => [line]), event.clientX === undefined ? at.left : event.clientX, at.bottom - 10);
    }
    parts.addEventListener("mousemove", tell);
    parts.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) tell(event); });
    for (const name of ["mouseleave", "focusout"]) parts.addEventListener(name, () => { tip.hidden = true; });
    parts.addEventListener("click", function (event) {
      const part = event.target.closest(".part");
      if (!part || !run) return;
      const shade = part.classList[1], again = run.dataset.only === shade;
      run.dataset.only = again ? "" : shade;
      for (const other of parts.querySelectorAll(".part")) other.setAttribute("aria-pressed", other === part && !again);
    });
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

  page.strip = strip;
  page.sortable = sortable;
  if (holder && source) page.changeIcicle = icicle();
  if (document.getElementById("strip")) strip(document.getElementById("strip"));
  document.querySelectorAll("table.sortable").forEach(sortable);
})();
