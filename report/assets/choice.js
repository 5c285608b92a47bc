/* Chosen intervals: a range of the histogram, a type. The root strip, the ledger, the waterfall and the icicle then say
   what makes these different from the rest, added up from the rows that the page has. */
(function () {
  const source = document.getElementById("rows-data"), bar = document.getElementById("choice");
  if (!source || !bar) return;
  const data = JSON.parse(source.textContent);
  const [from, to, type] = ["from", "to", "type"].map((name) => document.getElementById("choice-" + name));
  const all = document.getElementById("choice-all"), said = document.getElementById("choice-said");
  const histogram = document.getElementById("histogram");
  const bins = data.edges.length - 1, lines = data.lines.length;
  const foldedPart = 0.01, mostParts = 7, shades = 4, normal95 = 1.96;
  const least = 0.01; /* of the rest's mean: a smaller difference is none to take apart */

  function binOf(latency) {
    let bin = 0;
    while (bin < bins - 1 && data.edges[bin + 1] <= latency) bin++;
    return bin;
  }

  const rows = data.rows.map(function (text) {
    const [kind, stratum, ...cells] = text.split(",").map((digits) => parseInt(digits || "0", 36));
    const byLine = new Float64Array(lines);
    let latency = 0;
    cells.forEach(function (ns, i) {
      latency += ns;
      byLine[data.columns[i][1]] += ns;
    });
    const [count, kept] = data.strata[stratum];
    return { type: kind, weight: count / kept, cells, byLine, latency, bin: binOf(latency) };
  });

  /* ---- numbers, as base/number.c writes them ---- */

  function ns(value) {
    const size = Math.abs(value);
    const [unit, name] = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]].find(([u]) => size >= 0.9995 * u) || [1, "ns"];
    const shown = size / unit;
    return (value < 0 ? "-" : "") + shown.toFixed(shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0) + " " + name;
  }
  function signed(value) { return (value > 0 ? "+" : "") + ns(value); }
  function percent(part, short) {
    const value = Math.abs(part) < 0.0005 ? 0 : 100 * part;
    return value.toFixed(short && Math.abs(value) >= 9.95 ? 0 : 1) + " %";
  }
  function count(value) { return Math.round(value).toLocaleString("en-US"); }

  /* ---- sums ---- */

  function addUp(chosen) {
    const sums = { count: 0, kept: chosen.length, latency: 0, square: 0, columns: new Float64Array(data.columns.length),
      lines: new Float64Array(lines), squares: new Float64Array(lines) };
    for (const row of chosen) {
      sums.count += row.weight;
      sums.latency += row.weight * row.latency;
      sums.square += row.weight * row.latency * row.latency;
      row.cells.forEach((value, i) => { sums.columns[i] += row.weight * value; });
      row.byLine.forEach(function (value, i) {
        sums.lines[i] += row.weight * value;
        sums.squares[i] += row.weight * value * value;
      });
    }
    return sums;
  }

  /* How much longer these take than the rest, and how far that may be off by chance (95 %). */
  function difference(these, rest, sumOf, squareOf) {
    const mine = sumOf(these) / these.count, theirs = sumOf(rest) / rest.count;
    const spread = (sums, mean) => Math.max(squareOf(sums) / sums.count - mean * mean, 0) / sums.kept;
    const known = these.kept > 1 && rest.kept > 1;
    const range = known ? normal95 * Math.sqrt(spread(these, mine) + spread(rest, theirs)) : NaN;
    return { mine, theirs, by: mine - theirs, range, doubtful: known && Math.abs(mine - theirs) <= range };
  }

  function compare(these, rest) {
    const { mine, theirs, by: gap, range, doubtful } = difference(these, rest, (sums) => sums.latency, (sums) => sums.square);
    const parts = data.lines.map((_, line) => ({ line,
      ...difference(these, rest, (sums) => sums.lines[line], (sums) => sums.squares[line]) }));
    for (const part of parts) part.share = part.by / gap;
    parts.sort((a, b) => b.share - a.share);
    return { mine, theirs, gap, range, doubtful, parts, tells: Math.abs(gap) >= least * theirs, weights: boxWeights(these, rest, gap) };
  }

  /* A box has what its columns have, and those below it. */
  function boxWeights(these, rest, gap) {
    const boxes = JSON.parse(document.getElementById("icicle-data").textContent).boxes;
    const views = [these, rest].map(function (sums) {
      const means = new Float64Array(boxes.length);
      data.columns.forEach(([box], i) => { means[box] += sums.columns[i] / sums.count; });
      for (let n = boxes.length - 1; n > 0; n--) means[boxes[n][2]] += means[n];
      return means;
    });
    return boxes.map((_, n) => ({ mine: views[0][n], theirs: views[1][n], share: (views[0][n] - views[1][n]) / gap }));
  }

  /* ---- what is shown in the place of what the page came with ---- */

  function element(name, className, ...inside) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...inside);
    return made;
  }

  function replace(section, made) {
    for (const old of section.querySelectorAll(":scope > .chosen")) old.remove();
    for (const child of section.children) child.hidden = made !== null;
    if (made) for (const one of made) { one.classList.add("chosen"); section.append(one); }
  }

  function nameOf(i) {
    const [name, place] = data.lines[i], made = [element("b", "", name)];
    if (place) made.push(" ", element("code", "place", place));
    return made;
  }

  function shadeOf(i) { return "w" + Math.min(data.lines[i][2], shades); }
  function swatch(shade) { return element("i", "swatch " + shade); }
  function table(className, heads) {
    const made = element("table", className), row = made.createTHead().insertRow();
    for (const [text, number] of heads) row.append(element("th", number ? "n" : "", text));
    made.append(document.createElement("tbody"));
    return made;
  }
  function numberCell(row, text, value) {
    const cell = row.insertCell();
    cell.className = "n";
    cell.textContent = text;
    if (value !== undefined) cell.dataset.v = value;
  }

  function longer(view, range = "") {
    return ns(Math.abs(view.gap)) + range + (view.gap < 0 ? " shorter" : " longer");
  }

  function fold(view) {
    const shown = view.parts.filter((part, i) => i < mostParts && part.share >= foldedPart);
    const left = view.parts.slice(shown.length);
    return { shown, left, rest: left.reduce((sum, part) => sum + part.share, 0) };
  }

  function showStrip(view) {
    const { shown, left, rest } = fold(view);
    const whole = shown.reduce((sum, part) => sum + part.share, 0) + Math.max(rest, 0);
    const strip = element("div", "strip"), key = element("ul", "key");
    function add(name, share, shade, tip, doubtful, inKey) {
      const text = percent(share, true) + (doubtful ? "\u00a0?" : "");
      const part = element("button", "part " + shade, element("b", "", name), " ", element("span", "", text));
      part.type = "button";
      part.title = tip;
      part.setAttribute("aria-label", name + ", " + text);
      part.style.width = (100 * Math.max(share, 0)) / whole + "%";
      if (share > 0) strip.append(part);
      key.append(element("li", "", swatch(shade), element("span", "n", text), element("span", "", ...inKey)));
    }
    for (const part of shown) {
      const tip = [data.lines[part.line].slice(0, 2).join(" "), percent(part.share) + " of the difference",
        ns(part.mine) + " in a mean one of these, " + ns(part.theirs) + " of the rest"].join("\n");
      const small = element("small", "", ` ${signed(part.by)}: ${ns(part.mine)} in these, ${ns(part.theirs)} in the rest`);
      add(data.lines[part.line][0], part.share, part.doubtful ? "w0" : shadeOf(part.line), tip, part.doubtful,
        [...nameOf(part.line), small]);
    }
    if (left.length) {
      const name = left.length + " more" + (rest < 0 ? ", which cancel" : "");
      add(name, rest, "w0", "they stand below, in numbers", false, [name]);
    }
    strip.setAttribute("role", "group");
    strip.setAttribute("aria-label", "Who makes these different");
    const of = "100\u00a0% is the " + ns(Math.abs(view.gap)) + " that a mean one of these takes " +
      (view.gap < 0 ? "less" : "more") + " than one of the rest.";
    replace(document.getElementById("roots"), [element("h2", "", "Who makes these different"), element("p", "sub", of), strip, key]);
    page.strip(strip);
  }

  function showLedger(view) {
    const section = document.getElementById("ledger");
    if (!section) return;
    const made = table("sortable ledger", [["function"], ["of the difference", 1], ["longer by", 1], ["\u00b1 95 %", 1],
      ["in these", 1], ["in the rest", 1]]);
    for (const part of view.parts) {
      const row = made.tBodies[0].insertRow(), cell = row.insertCell();
      if (part.doubtful) row.className = "doubtful";
      cell.className = "name";
      cell.append(swatch(part.doubtful ? "w0" : shadeOf(part.line)), " ", ...nameOf(part.line));
      numberCell(row, view.tells ? percent(part.share) : "-", part.share);
      numberCell(row, signed(part.by), part.by);
      numberCell(row, Number.isNaN(part.range) ? "-" : ns(part.range) + (part.doubtful ? " ?" : ""), part.range);
      numberCell(row, ns(part.mine), part.mine);
      numberCell(row, ns(part.theirs), part.theirs);
    }
    page.sortable(made);
    const wide = element("div", "wide", made);
    replace(section, [element("h2", "", "Who makes these different, in numbers"), element("p", "sub",
      `A mean one of these takes ${longer(view)} than one of the rest. Grey, with ?: the difference may be chance. ` +
      "An interval alone (-) has no range."), wide]);
  }

  /* A bar of the waterfall, from one time to another. */
  function flow(scale, kind, start, end) {
    const space = histogram.namespaceURI, drawing = document.createElementNS(space, "svg");
    const rect = document.createElementNS(space, "rect"), at = (value) => (100 * (value - scale[0])) / (scale[1] - scale[0]);
    drawing.setAttribute("class", "drawing");
    drawing.setAttribute("height", "24");
    drawing.setAttribute("aria-hidden", "true");
    rect.setAttribute("class", kind);
    rect.setAttribute("y", "5");
    rect.setAttribute("height", "14");
    rect.setAttribute("x", at(Math.min(start, end)) + "%");
    rect.setAttribute("width", Math.max(Math.abs(at(end) - at(start)), 0.15) + "%");
    drawing.append(rect);
    return element("td", "flow", drawing);
  }

  function showWaterfall(view) {
    const section = document.getElementById("waterfall");
    if (!section) return;
    const sorted = view.parts.slice().sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
    const shown = sorted.filter((part, i) => i < 10 && Math.abs(part.share) >= foldedPart);
    const left = sorted.slice(shown.length);
    const steps = shown.map((part) => [nameOf(part.line), shadeOf(part.line), part.by]);
    if (left.length) steps.push([[left.length + " more"], "w0", left.reduce((sum, part) => sum + part.by, 0)]);
    const points = [view.theirs];
    for (const [, , by] of steps) points.push(points[points.length - 1] + by);
    const low = Math.min(...points), high = Math.max(...points);
    const scale = [high - low < 0.25 * view.theirs ? Math.max(low - (high - low) / 2, 0) : 0, high];
    const made = table("waterfall", [["who"], ["longer by", 1], ["of it all", 1], [""]]);
    function total(name, value) {
      const row = made.tBodies[0].insertRow();
      row.className = "total";
      row.append(element("td", "part", name));
      numberCell(row, ns(value), value);
      row.append(element("td"), flow(scale, "total", scale[0], value));
    }
    total("the rest", view.theirs);
    steps.forEach(function ([name, shade, by], i) {
      const row = made.tBodies[0].insertRow();
      row.append(element("td", "part", swatch(shade), " ", ...name));
      numberCell(row, signed(by), by);
      numberCell(row, percent(by / view.gap, true), by / view.gap);
      row.append(flow(scale, by < 0 ? "less" : "more", points[i], points[i + 1]));
    });
    total("these", view.mine);
    const note = scale[0] > 0 ? ` The scale begins at ${ns(scale[0])}.` : "";
    replace(section, [element("h2", "", "From the rest to these"), element("p", "sub",
      `A mean one of these takes ${longer(view)} than one of the rest: that is 100\u00a0%. Dashed: shorter in these.${note}`),
      element("div", "wide", made)]);
  }

  function showIcicle(view) {
    const section = document.getElementById("icicle-part");
    if (!section || !page.changeIcicle) return;
    const [title, of] = [section.querySelector("h2"), section.querySelector(".sub")];
    for (const text of [title, of]) if (text.dataset.first === undefined) text.dataset.first = text.textContent;
    title.textContent = view ? "Where these differ from the rest" : title.dataset.first;
    of.textContent = view ? `Width = part of the ${ns(Math.abs(view.gap))} by which these are ${view.gap < 0 ? "shorter" :
      "longer"}; the page's width is 100 %. Parts below 0.4 % of all are not told apart.` : of.dataset.first;
    page.changeIcicle(view && {
      weights: view.weights.map((box) => box.share),
      texts: view.weights.map((box) => percent(box.share, true)),
      facts: view.weights.map((box) => [["of the difference", percent(box.share)],
        [view.gap < 0 ? "shorter by" : "longer by", ns(Math.abs(box.mine - box.theirs)) + (box.share < 0 ? ", the other way" : "")],
        ["in these", ns(box.mine)], ["in the rest", ns(box.theirs)]]),
    });
  }

  /* ---- choosing ---- */

  function band() {
    const edges = histogram.dataset.edges.split(" ").map(Number), [low, high] = [Number(from.value), Number(to.value) + 1];
    let rect = histogram.querySelector(".picked");
    if (!rect) {
      rect = document.createElementNS(histogram.namespaceURI, "rect");
      rect.setAttribute("class", "picked");
      rect.setAttribute("y", histogram.dataset.top);
      rect.setAttribute("height", histogram.dataset.plot);
      histogram.append(rect);
    }
    rect.setAttribute("x", edges[low] + "%");
    rect.setAttribute("width", edges[high] - edges[low] + "%");
    rect.style.display = low === 0 && high === bins ? "none" : "";
  }

  function say(these, rest, view) {
    if (!these.kept || !rest.kept) return these.kept ? "" : "No interval is there.";
    const sampled = these.kept + rest.kept < Math.round(these.count + rest.count);
    const sample = sampled ? ` From a sample: ${count(these.kept)} of these and ${count(rest.kept)} of the rest.` : "";
    const none = " That is less than 1 % of it: there is no difference to take apart.";
    const range = Number.isNaN(view.range) ? "" : ` \u00b1 ${ns(view.range)}`;
    const chance = view.tells && view.doubtful ? " That may be chance." : "";
    return `${count(these.count)} of ${count(data.intervals)} intervals, ${longer(view, range)} than the rest ` +
      `(mean ${ns(view.mine)} against ${ns(view.theirs)}).${view.tells ? chance : none}${sample}`;
  }

  function choose() {
    if (Number(to.value) < Number(from.value)) to.value = from.value;
    const isIn = (row) => row.bin >= Number(from.value) && row.bin <= Number(to.value) &&
      (type.value === "" || row.type === Number(type.value));
    const these = addUp(rows.filter(isIn)), rest = addUp(rows.filter((row) => !isIn(row)));
    const view = these.kept && rest.kept ? compare(these, rest) : null, told = view && view.tells ? view : null;
    const run = document.getElementById("run");
    if (run) run.dataset.only = "";
    band();
    said.textContent = say(these, rest, view);
    all.disabled = from.value === "0" && to.value === String(bins - 1) && type.value === "";
    if (told) showStrip(told);
    else replace(document.getElementById("roots"), null);
    if (view) showLedger(view);
    else replace(document.getElementById("ledger"), null);
    const waterfall = document.getElementById("waterfall");
    if (told) showWaterfall(told);
    else if (waterfall) replace(waterfall, null);
    showIcicle(told);
  }

  function option(value, text) {
    const made = element("option", "", text);
    made.value = value;
    return made;
  }

  for (let bin = 0; bin < bins; bin++) {
    from.append(option(bin, ns(data.edges[bin])));
    to.append(option(bin, ns(data.edges[bin + 1])));
  }
  to.value = String(bins - 1);
  type.append(option("", "any"), ...data.types.map((name, i) => option(i, name)));
  type.parentElement.hidden = data.types.length < 2;
  for (const field of [from, to, type]) field.addEventListener("change", choose);
  all.addEventListener("click", function () {
    [from.value, to.value, type.value] = ["0", String(bins - 1), ""];
    choose();
  });

  /* A bar is clicked, or the mouse is drawn over several. */
  const edges = histogram.dataset.edges.split(" ").map(Number);
  let begun = null;
  function binAt(event) {
    const box = histogram.getBoundingClientRect(), at = (100 * (event.clientX - box.left)) / box.width;
    let bin = 0;
    while (bin < bins - 1 && edges[bin + 1] <= at) bin++;
    return bin;
  }
  histogram.classList.add("picks");
  histogram.addEventListener("pointerdown", function (event) {
    if (event.button !== 0) return;
    event.preventDefault();
    begun = binAt(event);
    histogram.setPointerCapture(event.pointerId);
  });
  histogram.addEventListener("pointermove", function (event) {
    if (begun === null) return;
    const bin = binAt(event);
    [from.value, to.value] = [Math.min(begun, bin), Math.max(begun, bin)].map(String);
    band();
  });
  histogram.addEventListener("pointerup", function (event) {
    if (begun === null) return;
    const bin = binAt(event);
    [from.value, to.value] = [Math.min(begun, bin), Math.max(begun, bin)].map(String);
    begun = null;
    choose();
  });
  histogram.addEventListener("pointercancel", () => { begun = null; });
  bar.hidden = false;
})();
