"use strict";
(function () {
  const tip = document.getElementById("tip");
  const narrow = 34; /* pixels: a letter or two say nothing */

  function icicle(holder) {
    const elements = Array.from(holder.querySelectorAll(".box"));
    const row = Number(holder.dataset.row);
    const boxes = elements.map((element) => ({
      element, up: Number(element.dataset.up), level: Number(element.getAttribute("aria-level")) - 1,
      left: parseFloat(element.style.left), width: parseFloat(element.style.width), shown: true,
    }));
    let zoomed = 0, active = 0;

    function isBelow(n, ancestor) {
      for (let at = n; at >= 0; at = boxes[at].up) if (at === ancestor) return true;
      return false;
    }

    function place(box, n) {
      const focus = boxes[zoomed], above = n !== zoomed && isBelow(zoomed, n);
      const part = above ? 100 : (100 * box.width) / focus.width;
      box.shown = above || isBelow(n, zoomed);
      box.element.hidden = !box.shown;
      box.element.classList.toggle("above", above);
      box.element.classList.toggle("narrow", (part * holder.clientWidth) / 100 < narrow);
      box.element.style.left = above ? "0%" : (100 * (box.left - focus.left)) / focus.width + "%";
      box.element.style.width = part + "%";
    }

    function zoom(to) {
      const held = holder.contains(document.activeElement);
      zoomed = to;
      hide();
      boxes.forEach(place);
      holder.style.height = (Math.max(...boxes.map((box) => (box.shown ? box.level : 0))) + 1) * row + "px";
      activate(boxes[active].shown ? active : to);
      if (held) boxes[active].element.focus({ preventScroll: true });
    }

    /* One stop of the Tab key; arrows move it. */
    function activate(n) {
      boxes[active].element.tabIndex = -1;
      boxes[n].element.tabIndex = 0;
      active = n;
    }

    function neighbour(n, key) {
      if (key === "ArrowUp") return boxes[n].up;
      const parent = key === "ArrowDown" ? n : boxes[n].up;
      const level = boxes.map((_, m) => m).filter((m) => boxes[m].up === parent && boxes[m].shown);
      if (key === "ArrowDown") return level.length ? level[0] : -1;
      const next = level[level.indexOf(n) + (key === "ArrowRight" ? 1 : -1)];
      return next === undefined ? -1 : next;
    }

    function numberOf(event) {
      return elements.indexOf(event.target.closest(".box"));
    }

    holder.addEventListener("click", function (event) {
      const n = numberOf(event);
      if (n >= 0) zoom(n === zoomed && n > 0 ? boxes[n].up : n);
    });
    holder.addEventListener("mousemove", function (event) {
      const n = numberOf(event);
      hide();
      if (n >= 0) show(elements[n], event.clientX, event.clientY);
    });
    holder.addEventListener("mouseleave", hide);
    holder.addEventListener("focusin", function (event) {
      const n = numberOf(event);
      if (n < 0) return;
      activate(n);
      const at = elements[n].getBoundingClientRect();
      if (event.target.matches(":focus-visible")) show(elements[n], at.left, at.bottom);
    });
    holder.addEventListener("focusout", hide);
    holder.addEventListener("keydown", function (event) {
      const n = numberOf(event);
      if (n < 0 || !/^Arrow(Up|Down|Left|Right)$/.test(event.key)) return;
      const next = neighbour(n, event.key);
      event.preventDefault();
      if (next >= 0) elements[next].focus();
    });
    document.addEventListener("keydown", function (event) {
      if (event.key === "Escape") zoom(0);
    });
    window.addEventListener("resize", () => zoom(zoomed));
    zoom(0);
  }

  /* The tooltip says what the label says to those who can't see. */
  function show(element, x, y) {
    const [name, ...facts] = element.getAttribute("aria-label").split("\n");
    const title = document.createElement("strong"), list = document.createElement("ul");
    title.textContent = name;
    for (const fact of facts) list.appendChild(document.createElement("li")).textContent = fact;
    tip.replaceChildren(title, list);
    tip.hidden = false;
    const left = Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8);
    const below = y + 18 + tip.offsetHeight < window.innerHeight;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = Math.max(4, below ? y + 18 : y - tip.offsetHeight - 12) + "px";
  }

  function hide() {
    tip.hidden = true;
  }

  document.querySelectorAll(".icicle").forEach(icicle);
})();
