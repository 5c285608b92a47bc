/* The page of experiments: the level that the table tells, and the curves in the order of its rows. */
(function () {
  const table = document.getElementById("target-table"), bar = document.getElementById("levels");
  const all = document.getElementById("all"), rows = () => Array.from(table.tBodies[0].rows);
  let level = bar.querySelector("[aria-pressed='true']");

  function order() {
    for (const row of rows()) all.append(document.getElementById("target-" + row.dataset.target));
  }

  /* The row's order is what was asked for, at the new level too. */
  function sortAgain() {
    const head = table.querySelector("th[aria-sort]");
    if (!head) return;
    const falling = head.getAttribute("aria-sort") === "descending";
    head.removeAttribute("aria-sort");
    head.querySelector("button").click();
    if (!falling) head.querySelector("button").click();
  }

  function show(button) {
    level = button;
    for (const other of bar.querySelectorAll("button")) other.setAttribute("aria-pressed", other === button);
    for (const cell of table.querySelectorAll("td.change"))
      for (const span of cell.children) {
        span.hidden = span.dataset.level !== button.dataset.level;
        if (!span.hidden) cell.dataset.v = span.dataset.benefit;
      }
    document.getElementById("level").textContent = button.textContent;
    sortAgain();
  }

  if (!level) return;
  bar.hidden = false;
  bar.addEventListener("click", (event) => { if (event.target.matches("button")) show(event.target); });
  table.tHead.addEventListener("click", order);
})();
