/* The pages of stacks and of their comparison: the icicle by another weight, and the rows that are looked for. */
(function () {
  const data = JSON.parse(document.getElementById("icicle-data").textContent);

  /* ---- what the width is ---- */

  function percent(part) {
    const value = 100 * part;
    return (value < 9.95 ? value.toFixed(1) : value.toFixed(0)) + " %";
  }

  /* Those that the page came with are not changed. */
  const facts = data.boxes.map((box) => box.slice(8).map((fact, i) => [data.labels[i], data.texts[fact]]).filter((fact) => fact[1]));
  const views = [
    ["all the time", null],
    ["what ran", data.ran],
    ["off a processor", data.off],
  ];

  function widths() {
    const bar = document.getElementById("weights"), buttons = [];
    for (const [name, weights] of views) {
      if (weights && !weights[0]) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", function () {
        for (const other of buttons) other.setAttribute("aria-pressed", other === button);
        page.changeIcicle(weights && { weights, facts, texts: weights.map((ns) => percent(ns / weights[0])) });
      });
      button.setAttribute("aria-pressed", !weights);
      buttons.push(button);
      bar.append(button);
    }
    bar.hidden = false;
  }

  /* ---- functions ---- */

  function filter() {
    const section = document.getElementById("functions") || document.getElementById("contexts"), field = document.getElementById("filter");
    const found = document.getElementById("filtered"), rows = Array.from(section.querySelector("table").tBodies[0].rows);
    const layers = Array.from(section.querySelectorAll("input[data-layer]"));
    const names = rows.map((row) => (row.cells[0].textContent + " " + row.cells[1].textContent).toLowerCase());
    function apply() {
      const text = field.value.trim().toLowerCase();
      const shown = new Set(layers.filter((box) => box.checked).map((box) => box.dataset.layer));
      let count = 0;
      rows.forEach(function (row, n) {
        row.hidden = !shown.has(row.dataset.layer) || (text !== "" && !names[n].includes(text));
        count += !row.hidden;
      });
      found.textContent = count + " of " + rows.length;
    }
    section.querySelector(".tools").hidden = false;
    field.addEventListener("input", apply);
    for (const box of layers) box.addEventListener("change", apply);
    apply();
  }

  if (document.getElementById("weights")) widths(); /* a comparison's boxes have one width */
  filter();
})();
