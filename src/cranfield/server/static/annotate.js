// Keys for the form of an item: letters choose answers, Enter hands in, the arrow goes back, - undoes.
"use strict";

const form = document.querySelector("form[data-annotation]");
const inputs = [...form.querySelectorAll("input[data-keys]")];
const byKeys = new Map(inputs.filter((input) => input.dataset.keys).map((input) => [input.dataset.keys, input]));
const isPrefix = (typed) => [...byKeys.keys()].some((keys) => keys.startsWith(typed));
const state = () => inputs.map((input) => input.checked);
let typed = "";
const undo = [];
let last = state();

const remember = () => {
  undo.push(last);
  last = state();
};

const choose = (input) => {
  input.checked = input.type === "radio" ? true : !input.checked;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  input.closest("label").scrollIntoView({ block: "nearest" });
};

const takeBack = () => {
  const before = undo.pop();
  if (!before) return;
  inputs.forEach((input, place) => { input.checked = before[place]; });
  last = before;
};

form.addEventListener("change", (event) => {
  if (event.target.dataset.keys !== undefined) remember();
});

form.addEventListener("submit", (event) => {
  // A second click sends nothing; the key would make it harmless anyhow.
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});

document.addEventListener("keydown", (event) => {
  const writing = event.target.matches("textarea, input:not([type=radio], [type=checkbox])");
  if (writing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Enter" && !event.target.matches("a, button, summary")) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("button.main"));
  } else if (event.key === "ArrowLeft" && !event.target.matches("input")) {
    document.querySelector("[data-previous]")?.click();
  } else if (event.key === "-") {
    takeBack();
  } else if (event.key === "Escape") {
    typed = "";
  } else if (event.key.length === 1) {
    typed += event.key.toLowerCase();
    if (!isPrefix(typed)) typed = event.key.toLowerCase();
    const input = byKeys.get(typed);
    if (input) {
      typed = "";
      choose(input);
    }
  }
});

document.getElementById("problem")?.focus();
