/* The page of waits: what is chosen is told from the tables' rows, whatever columns these have. */
(function () {
  const chosen = document.getElementById("chosen"), pair = document.getElementById("pair");
  const edgeTable = document.getElementById("edge-table"), groupTable = document.getElementById("group-table");
  const pairs = JSON.parse(document.getElementById("pairs").textContent);
  const stacks = JSON.parse(document.getElementById("stacks").textContent);
  const graphs = Array.from(document.querySelectorAll("svg.graph"));
  const svgSpace = "http://www.w3.org/2000/svg";
  const rowOf = { edge: new Map(), group: new Map() };
  for (const row of edgeTable.tBodies[0].rows) rowOf.edge.set(row.dataset.edge, row);
  for (const row of groupTable.tBodies[0].rows) rowOf.group.set(row.dataset.group, row);

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function draw(parent, tag, attributes) {
    const element = document.createElementNS(svgSpace, tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    parent.append(element);
    return element;
  }

  function titles(table) {
    return Array.from(table.tHead.rows[0].cells, (cell) => [cell.textContent, cell.title]);
  }
  const titlesOf = { edge: titles(edgeTable), group: titles(groupTable) };

  /* ---- what is chosen ---- */

  /* The columns behind the first `named` ones, which are the heading. */
  function facts(kind, row, named) {
    const list = make("dl");
    titlesOf[kind].slice(named).forEach(function ([title, meaning], i) {
      const name = make("dt", "", title);
      name.title = meaning;
      list.append(name, make("dd", "", row.cells[named + i].textContent));
    });
    return list;
  }

  function stack(one) {
    const box = make("div", one.waker ? "stack waker" : "stack"), frames = make("ol"), more = make("details");
    box.append(make("div", "", one.told + ", " + one.ns + (one.sampled ? ", seen " + one.sampled + (one.sampled === 1 ? " time" : " times") : "")));
    const frame = (number) => make("li", stacks.kernel[number] ? "faint" : "", stacks.frames[number]);
    const items = one.frames, own = items.filter((number) => !stacks.kernel[number]);
    const shown = items.length > 5 ? [...items.slice(0, stacks.kernel[items[0]] ? 1 : 0), ...own.slice(0, 4)] : items;
    frames.append(...shown.map(frame));
    box.append(frames);
    if (items.length > shown.length) {
      const all = make("ol");
      all.append(...one.frames.map(frame));
      more.append(make("summary", "faint", "all " + items.length + " frames"), all);
      box.append(more);
    }
    return box;
  }

  function allStacks(edge) {
    const of = stacks.edges[edge] || [];
    const parts = (stacks.locks[edge] || []).map((lock) => make("p", "lock", lock));
    for (const waker of [false, true]) {
      const some = of.filter((one) => one.waker === waker);
      if (some.length) parts.push(make("h4", "", waker ? "Where it is woken" : "Where it waits"), ...some.map(stack));
    }
    if (!parts.length && stacks.sampled) parts.push(make("p", "note", "No stack of it was sampled."));
    return parts;
  }

  function ran(group) {
    const some = stacks.groups[group] || [];
    return some.length ? [make("h4", "", "What it runs"), ...some.map(stack)] : [];
  }

  function links(title, rows, column) {
    if (!rows.length) return [];
    const list = make("ul"), most = 12, share = titlesOf.edge.findIndex(([name]) => name === "share");
    for (const row of rows.slice(0, most)) {
      const item = make("li"), link = make("button", "link", row.cells[column].textContent);
      link.type = "button";
      link.dataset.edge = row.dataset.edge;
      item.append(link, make("span", "", row.cells[share].textContent));
      list.append(item);
    }
    if (rows.length > most) list.append(make("li", "faint", rows.length - most + " more in the table"));
    return [make("h4", "", title), list];
  }

  function byNumber(rows) {
    return rows.sort((a, b) => a.dataset.edge - b.dataset.edge);
  }

  function tellEdge(row) {
    chosen.replaceChildren(make("h3", "", row.cells[0].textContent + " \u2192 " + row.cells[1].textContent), facts("edge", row, 2),
      ...allStacks(row.dataset.edge));
    showPair(row.dataset.edge);
  }

  function tellGroup(row) {
    const edges = Array.from(rowOf.edge.values()), group = row.dataset.group;
    chosen.replaceChildren(make("h3", "", row.cells[0].textContent), facts("group", row, 1),
      ...ran(group),
      ...links("It waits for", byNumber(edges.filter((one) => one.dataset.from === group)), 1),
      ...links("For it wait", byNumber(edges.filter((one) => one.dataset.to === group)), 0));
    pair.hidden = true;
  }

  function isNear(element, kind, number, ends) {
    if (element.classList.contains("group")) return ends.has(element.dataset.group);
    return kind === "group" && (element.dataset.from === number || element.dataset.to === number);
  }

  /* The groups at the other ends of what is chosen. */
  function endsOf(kind, number) {
    const ends = new Set();
    if (kind === "edge") {
      const row = rowOf.edge.get(number);
      return ends.add(row.dataset.from).add(row.dataset.to);
    }
    for (const row of rowOf.edge.values()) {
      if (row.dataset.from === number) ends.add(row.dataset.to);
      if (row.dataset.to === number) ends.add(row.dataset.from);
    }
    return ends;
  }

  function mark(kind, number, picked) {
    const ends = endsOf(kind, number);
    for (const graph of graphs) {
      graph.classList.toggle("picked", picked);
      for (const element of graph.children) {
        const own = element.dataset[kind] === number && element.classList.contains(kind);
        element.classList.toggle("chosen", own);
        element.classList.toggle("near", !own && isNear(element, kind, number, ends));
      }
    }
    document.querySelectorAll("tbody tr.chosen").forEach((row) => row.classList.remove("chosen"));
    rowOf[kind].get(number).classList.add("chosen");
  }

  function choose(kind, number, picked) {
    const row = rowOf[kind].get(number);
    if (!row) return;
    chosen.hidden = false;
    (kind === "edge" ? tellEdge : tellGroup)(row);
    mark(kind, number, picked);
  }

  function takeFrom(target) {
    const element = target.closest("[data-edge], [data-group]");
    if (!element) return false;
    const kind = element.dataset.edge === undefined ? "group" : "edge";
    choose(kind, element.dataset[kind], true);
    return true;
  }

  /* ---- a pair's threads in a window of time ---- */

  function time(ns) {
    const units = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];
    const [size, unit] = units.find(([least]) => Math.abs(ns) >= least) || units[3];
    const value = ns / size;
    return (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)).replace(/\.0+$/, "") + " " + unit;
  }

  /* The least step of 1, 2 or 5 of which no more than `most` are in the window. */
  function stepOf(ns, most) {
    const power = 10 ** Math.floor(Math.log10(ns / most));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => ns / step <= most);
  }

  let left = 17, width = 82.5; /* percent; less for a lane where there is less room for its name */
  const rise = 26, lane = 24, gap = 26; /* pixels */

  function stretchesOf(numbers, whom) {
    const list = [];
    let at = 0;
    for (let i = 0; i < numbers.length; i += 3) {
      const from = at + numbers[i], until = from + numbers[i + 1], what = numbers[i + 2] - 2;
      list.push({ from, until, what, kind: what === -2 ? "runs" : what === -1 ? "wants" : what === whom ? "other" : "else" });
      at = until;
    }
    return list;
  }

  function said(one) {
    if (one.kind === "runs") return "runs";
    return one.kind === "wants" ? "wants a processor" : "waits for " + pairs.names[one.what];
  }

  function drawLane(svg, name, stretches, top, ns) {
    const x = (t) => left + (width * t) / ns;
    const label = draw(svg, "svg", { x: 0, y: top, width: left - 1 + "%", height: lane });
    draw(label, "text", { x: 0, y: 16 }).textContent = name;
    draw(label, "title", {}).textContent = name;
    draw(svg, "rect", { class: "lane", x: left + "%", y: top, width: width + "%", height: lane });
    for (const one of stretches) {
      const part = (width * (one.until - one.from)) / ns;
      const box = draw(svg, "svg", { x: x(one.from) + "%", y: top, width: Math.max(part, 0.06) + "%", height: lane, class: one.kind });
      draw(box, "rect", { width: "100%", height: "100%" });
      draw(box, "title", {}).textContent = said(one) + ", " + time(one.until - one.from);
      if (part > 9) draw(box, "text", { x: 5, y: 16 }).textContent = said(one);
    }
  }

  /* Who was waited for lets the other one go on. */
  function drawWakes(svg, stretches, from, to, ns) {
    for (const one of stretches) {
      if (one.kind !== "other" || one.until >= ns) continue;
      const x = left + (width * one.until) / ns, up = to < from, tip = up ? to + lane : to;
      draw(svg, "line", { class: "wake", x1: x + "%", x2: x + "%", y1: up ? from : from + lane, y2: tip });
      const head = draw(svg, "svg", { x: x + "%", y: tip - (up ? 0 : 6), overflow: "visible", width: 1, height: 6 });
      draw(head, "path", { class: "wake-head", d: up ? "M0 0L3.5 6L-3.5 6Z" : "M0 6L3.5 0L-3.5 0Z" });
    }
  }

  function drawWindow(of, shown) {
    const svg = document.createElementNS(svgSpace, "svg"), ns = shown.ns, second = shown.lanes[1].length > 0;
    const tops = [rise, rise + lane + gap], height = (second ? tops[1] : tops[0]) + lane + 4;
    const room = pair.clientWidth, step = stepOf(ns, Math.max(2, (room * 0.7) / 76));
    left = room < 700 ? 28 : 17;
    width = 99.5 - left;
    svg.setAttribute("height", height);
    for (let t = 0; t < 0.97 * ns; t += step) {
      const x = left + (width * t) / ns;
      draw(svg, "line", { class: "tick", x1: x + "%", x2: x + "%", y1: 16, y2: height });
      draw(svg, "text", { class: "unit", x: x + "%", y: 11 }).textContent = t ? "+" + time(t) : time(shown.at);
    }
    const lanes = [stretchesOf(shown.lanes[0], of.whom), stretchesOf(shown.lanes[1], of.who)];
    drawLane(svg, pairs.names[of.who], lanes[0], tops[0], ns);
    if (second) {
      drawLane(svg, pairs.names[of.whom], lanes[1], tops[1], ns);
      drawWakes(svg, lanes[0], tops[1], tops[0], ns);
      drawWakes(svg, lanes[1], tops[0], tops[1], ns);
    }
    return svg;
  }

  function legend(of, second) {
    const list = make("p", "note");
    const parts = [["runs", "runs"], ["wants", "wants a processor"], ["other", second ? "waits for the other" : "waits for " + pairs.names[of.whom]],
      ["else", "waits for something else"]];
    for (const [kind, words] of parts) list.append(make("i", "swatch " + kind), " " + words + " \u2002 ");
    if (second) list.append("Arrows: who wakes whom.");
    return list;
  }

  function showPair(edge) {
    const of = pairs.edges[edge];
    pair.hidden = !of;
    if (!of) return;
    const tools = make("div", "tools"), title = make("h3"), place = make("div"), told = make("output");
    title.className = "sub";
    title.textContent = "How " + pairs.names[of.who] + " waits for " + pairs.names[of.whom] + ": the two with the most of it.";
    of.windows.forEach(function (shown, n) {
      const button = make("button", "", shown.name);
      button.type = "button";
      button.addEventListener("click", () => show(n));
      tools.append(button);
    });
    tools.append(told);
    function show(n) {
      const shown = of.windows[n];
      Array.from(tools.querySelectorAll("button")).forEach((button, i) => button.setAttribute("aria-pressed", i === n));
      told.textContent = time(shown.ns) + ", " + ((100 * shown.waited) / shown.ns).toFixed(0) + " % of it in this wait";
      place.replaceChildren(drawWindow(of, shown));
    }
    pair.replaceChildren(title, tools, place, legend(of, of.windows[0].lanes[1].length > 0));
    show(0);
  }

  /* ---- the picture, larger and smaller ---- */

  function view(svg) {
    const whole = svg.viewBox.baseVal, full = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
    let box = { ...full };
    const most = 620;

    function apply() {
      svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((n) => n.toFixed(2)).join(" "));
    }

    /* As large as it is, or as fits. */
    function fit() {
      const room = svg.parentElement.clientWidth, scale = Math.min(1, room / full.width, most / full.height);
      svg.style.height = Math.max(full.height * scale, 60) + "px";
      box = { ...full };
      apply();
    }

    /* As large as can be read, with the first knot, or what is chosen, in the middle. */
    function read() {
      fit();
      const least = 0.8, room = svg.parentElement.clientWidth, high = Math.min(most, full.height);
      if (Math.min(room / full.width, high / full.height) >= least) return;
      svg.style.height = high * Math.min(1, Math.max(least, room / full.width)) + "px";
      const width = room / least, height = svg.clientHeight / least, middle = svg.querySelector(".group.knot, .chosen");
      const at = middle ? middle.getBBox() : full, x = at.x + at.width / 2, y = at.y + at.height / 2;
      const within = (from, size, whole, all) => (size >= all ? whole + (all - size) / 2 : Math.min(Math.max(from, whole), whole + all - size));
      box = { x: within(x - width / 2, width, full.x, full.width), y: within(y - height / 2, height, full.y, full.height), width, height };
      apply();
    }

    function zoom(by, x, y) {
      const room = svg.getBoundingClientRect(), part = room.width / room.height;
      const width = Math.min(Math.max(box.width / by, 120), full.width * 2);
      const at = pointAt(x === undefined ? room.left + room.width / 2 : x, y === undefined ? room.top + room.height / 2 : y);
      const shrink = width / box.width;
      box = { x: at.x - (at.x - box.x) * shrink, y: at.y - (at.y - box.y) * shrink, width, height: box.height * shrink };
      if (svg.clientHeight < 300 && by > 1 && part > 2) svg.style.height = Math.min(svg.clientHeight * by, most) + "px";
      apply();
    }

    function pointAt(x, y) {
      return new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
    }

    let held = null;
    svg.addEventListener("pointerdown", function (event) {
      if (event.button === 0) held = { x: event.clientX, y: event.clientY, box: { ...box }, scale: svg.getScreenCTM().a, moved: false };
    });
    svg.addEventListener("pointermove", function (event) {
      if (!held || !(event.buttons & 1)) return;
      const x = event.clientX - held.x, y = event.clientY - held.y;
      if (!held.moved && Math.hypot(x, y) < 4) return;
      if (!held.moved) svg.setPointerCapture(event.pointerId);
      held.moved = true;
      svg.classList.add("dragged");
      box = { ...box, x: held.box.x - x / held.scale, y: held.box.y - y / held.scale };
      apply();
    });
    svg.addEventListener("pointerup", () => svg.classList.remove("dragged"));
    svg.addEventListener("click", function (event) {
      const moved = held && held.moved;
      held = null;
      if (moved) return;
      const found = takeFrom(event.target);
      if (!found) for (const graph of graphs) graph.classList.remove("picked");
    });
    svg.addEventListener("keydown", function (event) {
      if ((event.key === "Enter" || event.key === " ") && takeFrom(event.target)) event.preventDefault();
    });
    svg.addEventListener("wheel", function (event) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.25 : 0.8, event.clientX, event.clientY);
    }, { passive: false });
    return { svg, fit, read, zoom };
  }

  function picture() {
    const views = graphs.map(view), everything = document.getElementById("everything");
    const shown = () => views.find((one) => !one.svg.hasAttribute("hidden"));
    const wired = (id, act) => document.getElementById(id).addEventListener("click", act);
    document.querySelector("#graph .tools").hidden = false;
    wired("larger", () => shown().zoom(1.4));
    wired("smaller", () => shown().zoom(1 / 1.4));
    wired("whole", () => shown().fit());
    if (everything) everything.addEventListener("change", function () {
      views.forEach((one, n) => one.svg.toggleAttribute("hidden", (n === 1) !== everything.checked));
      everything.checked ? shown().fit() : shown().read();
    });
    window.addEventListener("resize", () => shown().read());
    return () => shown().read();
  }

  /* ---- the table of edges ---- */

  function filter() {
    const field = document.getElementById("filter"), grey = document.getElementById("grey");
    const found = document.getElementById("filtered"), rows = Array.from(rowOf.edge.values());
    const names = rows.map((row) => (row.cells[0].textContent + " " + row.cells[1].textContent).toLowerCase());
    const counted = rows.some((row) => !row.classList.contains("doubtful"));
    function apply() {
      const text = field.value.trim().toLowerCase();
      const matches = new Set();
      let count = 0;
      rows.forEach(function (row, n) {
        const fits = !text || names[n].includes(text);
        row.hidden = !fits || (row.classList.contains("doubtful") && !grey.checked);
        count += !row.hidden;
        if (text && row.cells[0].textContent.toLowerCase().includes(text)) matches.add(row.dataset.from);
        if (text && row.cells[1].textContent.toLowerCase().includes(text)) matches.add(row.dataset.to);
      });
      found.textContent = count + " of " + rows.length;
      document.querySelectorAll(".graph .group").forEach((group) => group.classList.toggle("match", matches.has(group.dataset.group)));
    }
    grey.checked = !counted;
    document.querySelector("#edges .tools").hidden = false;
    field.addEventListener("input", apply);
    grey.addEventListener("change", apply);
    apply();
  }

  filter();
  const read = graphs.length ? picture() : () => {};
  for (const table of [edgeTable, groupTable]) table.tBodies[0].addEventListener("click", (event) => takeFrom(event.target));
  for (const part of [chosen, document.getElementById("knots")])
    if (part) part.addEventListener("click", (event) => takeFrom(event.target));
  /* The knot's heaviest edge, else the one into the sink that comes first. */
  const sink = groupTable.querySelector("tbody tr.selected");
  const first = edgeTable.querySelector("tbody tr.selected") ||
    (sink && edgeTable.querySelector(`tbody tr:not(.doubtful)[data-to="${sink.dataset.group}"]`)) ||
    edgeTable.querySelector("tbody tr:not(.doubtful)");
  if (first) choose("edge", first.dataset.edge, false);
  read();
})();
