// Everything can be read without this script; it sorts tables, finds runs, chooses panels, hands out
// files, says where there is more to the side, and remembers whether the page is light or dark.
"use strict";
const root = document.documentElement;
root.classList.add("scripted");
const kept = {
  get() { try { return localStorage.getItem("cranfield-theme"); } catch { return null; } },
  set(theme) { try { localStorage.setItem("cranfield-theme", theme); } catch { /* private */ } },
};
const theme = kept.get();
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

function switchTheme() {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  kept.set(root.dataset.theme);
}

function keyOf(cell) {
  const text = cell.title || cell.textContent.replaceAll(",", "").replace("−", "-");
  const number = text.trim() === "" ? NaN : Number(text);
  return Number.isNaN(number) ? text : number;
}

function compare(a, b) {
  const numbers = typeof a === "number" && typeof b === "number";
  if (numbers) return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a.localeCompare(b, undefined, { numeric: true });
}

function sort(table, head, button) {
  const place = [...head.parentNode.children].indexOf(head);
  const numeric = head.classList.contains("number");
  const before = head.getAttribute("aria-sort");
  const descending = before ? before === "ascending" : numeric;
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [keyOf(row.cells[place]), row]);
  const undefinedLast = (key) => (key === "–" || key === "" ? 1 : 0);
  rows.sort(([a], [b]) =>
    undefinedLast(a) - undefinedLast(b) || (descending ? compare(b, a) : compare(a, b)));
  body.append(...rows.map(([, row]) => row));
  button.focus();
}

function makeSortable(table) {
  for (const head of table.tHead.rows[0].cells) {
    if (!head.textContent.trim() || head.matches(".drawn, .lane")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.addEventListener("click", () => sort(table, head, button));
  }
}

function makeChoice(choice) {
  const panels = [...choice.querySelectorAll(":scope > .panel")];
  const select = choice.querySelector("select");
  const show = () => {
    panels.forEach((panel, index) => { panel.hidden = index !== select.selectedIndex; });
    document.querySelectorAll(".frame").forEach(hintAtMore);
  };
  select.addEventListener("change", show);
  show();
}

function handOut(button) {
  const held = button.closest(".tools").querySelector(
    `template[data-file="${CSS.escape(button.dataset.file)}"]`);
  const url = URL.createObjectURL(new Blob([held.content.textContent], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = button.dataset.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Rows of runs whose names, or those of their groups, hold the words that are typed, in all tables
// that have a row for a run.
function findRuns(words) {
  const typed = words.trim().toLowerCase();
  for (const table of document.querySelectorAll('table[data-names~="run"]')) {
    for (const row of table.tBodies[0].rows) {
      const names = [...row.querySelectorAll("th")].map((cell) => cell.textContent.toLowerCase());
      row.hidden = !names.some((name) => name.includes(typed));
    }
  }
}

// A table that is wider than its frame shows it: shaded edges, and a word.
function hintAtMore(frame) {
  const more = frame.scrollWidth - frame.clientWidth;
  if (!frame.clientWidth) return;
  frame.classList.toggle("fits", more <= 1);
  frame.parentNode.classList.toggle("more-left", frame.scrollLeft > 1);
  frame.parentNode.classList.toggle("more-right", more > 1 && frame.scrollLeft < more - 1);
  const tools = frame.parentNode.parentNode.querySelector(".tools");
  if (!tools) return;
  const hint = tools.querySelector(".hint");
  if (more > 1 && !hint) {
    const word = document.createElement("span");
    word.className = "hint";
    word.textContent = "more to the right →";
    tools.insertBefore(word, tools.querySelector(".files"));
  } else if (more <= 1 && hint) hint.remove();
}

function watchFrames(part) {
  const frames = part.querySelectorAll(".frame");
  const sizes = new ResizeObserver((entries) => entries.forEach((one) => hintAtMore(one.target)));
  for (const frame of frames) {
    sizes.observe(frame);
    frame.addEventListener("scroll", () => hintAtMore(frame), { passive: true });
  }
}

// A line that follows the pointer over coloured cells and says which row and column it is.
function makeReadout() {
  const line = document.createElement("div");
  line.className = "readout";
  line.hidden = true;
  line.setAttribute("aria-hidden", "true");
  document.body.append(line);
  document.addEventListener("pointerover", (event) => {
    const cell = event.target.closest?.("table.heat td");
    line.hidden = !cell;
    if (!cell) return;
    const table = cell.closest("table");
    const row = cell.parentNode.cells[0].textContent;
    const column = table.tHead.rows[0].cells[cell.cellIndex].textContent;
    line.textContent = `${row} · ${column.trim()}: ${cell.title
      ? Number(cell.title).toPrecision(4) : cell.textContent}`;
    const box = cell.getBoundingClientRect();
    line.style.left = `${Math.min(box.left, innerWidth - line.offsetWidth - 12)}px`;
    line.style.top = `${box.bottom + 6}px`;
  });
}

function followSections() {
  const links = new Map([...document.querySelectorAll(".side nav a")].map(
    (link) => [link.getAttribute("href").slice(1), link]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main > section").forEach((one) => watcher.observe(one));
}

// A page that has come, or a part of it that came later.
function prepare(part) {
  part.querySelectorAll("table[data-sortable]").forEach(makeSortable);
  part.querySelectorAll(".choice").forEach(makeChoice);
  part.querySelectorAll("button.file").forEach(
    (button) => button.addEventListener("click", () => handOut(button)));
  const box = part.querySelector(".find");
  box?.addEventListener("input", () => findRuns(box.value));
  watchFrames(part);
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".theme").addEventListener("click", switchTheme);
  prepare(document);
  makeReadout();
  followSections();
});
