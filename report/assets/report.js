"use strict";
(function () {
  const holder = document.getElementById("icicle");
  const source = document.getElementById("icicle-data");
  const tip = document.getElementById("tip");

  function icicle() {
    const data = JSON.parse(source.textContent);
    const boxes = data.boxes;
    const elements = [];
    for (const element of holder.querySelectorAll(".box")) elements[Number(element.dataset.n)] = element;
    const rowHeight = 26, leastTall = 0.005; /* of the width: what is narrower does not make the picture taller */
    let zoomed = 0;

    function rowOf(element) {
      return 1 + parseFloat(element.style.top) / rowHeight;
    }

    function isAbove(ancestor, node) {
      for (let at = node; at !== null; at = boxes[at].parent) if (at === ancestor) return true;
      return false;
    }

    function zoom(to) {
      const focus = boxes[to];
      zoomed = to;
      hide();
      let rows = 1;
      boxes.forEach(function (box, n) {
        const above = n !== to && isAbove(n, to);
        const shown = above || isAbove(to, n);
        const element = elements[n];
        element.style.display = shown ? "" : "none";
        element.classList.toggle("above", above);
        element.style.left = above ? "0%" : ((box.left - focus.left) / focus.width) * 100 + "%";
        element.style.width = above ? "100%" : (box.width / focus.width) * 100 + "%";
        if (shown && (above || box.width / focus.width >= leastTall)) rows = Math.max(rows, rowOf(element));
      });
      holder.style.height = rows * rowHeight + "px";
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
      const left = Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8);
      const below = y + 18 + tip.offsetHeight < window.innerHeight;
      tip.style.left = Math.max(4, left) + "px";
      tip.style.top = Math.max(4, below ? y + 18 : y - tip.offsetHeight - 12) + "px";
    }

    function hide() {
      tip.hidden = true;
    }

    function neighbour(n, key) {
      const shown = (m) => elements[m].style.display !== "none";
      if (key === "ArrowUp") return boxes[n].parent;
      const children = boxes.map((_, m) => m).filter((m) => boxes[m].parent === n && shown(m));
      children.sort((a, b) => boxes[a].left - boxes[b].left);
      if (key === "ArrowDown") return children.length ? children[0] : null;
      const siblings = boxes.map((_, m) => m).filter((m) => boxes[m].parent === boxes[n].parent && shown(m));
      siblings.sort((a, b) => boxes[a].left - boxes[b].left);
      const at = siblings.indexOf(n) + (key === "ArrowRight" ? 1 : -1);
      return siblings[at] === undefined ? null : siblings[at];
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
      if (n === null) hide();
      else show(n, event.clientX, event.clientY);
    });
    holder.addEventListener("mouseleave", hide);
    holder.addEventListener("focusin", function (event) {
      const n = numberOf(event);
      if (n === null || !event.target.matches(":focus-visible")) return;
      const place = event.target.getBoundingClientRect();
      show(n, place.left, place.bottom);
    });
    holder.addEventListener("focusout", hide);
    holder.addEventListener("keydown", function (event) {
      const n = numberOf(event);
      if (n === null || !event.key.startsWith("Arrow")) return;
      const next = neighbour(n, event.key);
      event.preventDefault();
      if (next !== null) elements[next].focus();
    });
    document.addEventListener("keydown", function (event) {
      if (event.key === "Escape") zoom(0);
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
