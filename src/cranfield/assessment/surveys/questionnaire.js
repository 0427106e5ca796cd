// Builds the questionnaire out of the data in the page, in an order of its own for everybody. Texts
// are only ever set as text. At Mechanical Turk the answers are submitted, elsewhere they are handed
// out as a file. No template strings: what they hold would be replaced at Mechanical Turk.
"use strict";
const survey = JSON.parse(document.getElementById("survey").textContent);
const parameters = new URLSearchParams(location.search);
const assignment = parameters.get("assignmentId");
const preview = assignment === "ASSIGNMENT_ID_NOT_AVAILABLE";

function made(tag, attributes, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

function shuffled(list) {
  const order = [...list];
  for (let last = order.length - 1; last > 0; last--) {
    const place = Math.floor(Math.random() * (last + 1));
    [order[last], order[place]] = [order[place], order[last]];
  }
  return order;
}

function labelSet(heading, labels, truth) {
  const list = made("ul", { class: "labels" });
  for (const label of labels) {
    const wrong = truth && !truth.includes(label);
    list.append(made("li", wrong ? { class: "wrong" } : {}, label));
  }
  const box = made("div", { class: "set" }, made("h3", {}, heading), list);
  if (!labels.length) list.replaceWith(made("p", {}, "no labels"));
  const missed = truth ? truth.filter((label) => !labels.includes(label)) : [];
  if (missed.length) box.append(made("p", { class: "missed" }, "missing: " + missed.join(", ")));
  return box;
}

function question(asked, place) {
  const field = made("fieldset", { id: "ask-" + asked.id }, made("legend", {}, place + 1 + ". " + asked.text));
  if (asked.image) {
    field.append(made("img", { src: asked.image, alt: "", referrerpolicy: "no-referrer" }));
  }
  if (asked.truth) {
    field.append(made("p", { class: "truth" }, "Right labels: " + asked.truth.join(", ")));
  }
  if (asked.left) {
    field.append(made("div", { class: "sets" },
      labelSet("Left", asked.left, asked.truth), labelSet("Right", asked.right, asked.truth)));
  }
  const answers = made("div", { class: "answers" });
  for (const [value, text] of survey.answers) {
    const button = made("input", { type: "radio", name: asked.id, value: value });
    answers.append(made("label", {}, button, made("span", {}, text)));
  }
  field.append(answers);
  return field;
}

const form = made("form", { method: "post", novalidate: "" });
const who = made("input", { type: "text", id: "who", autocomplete: "name", maxlength: "100" });
const comment = made("textarea", { name: "comment", rows: "3", id: "comment" });
const message = made("p", { class: "message", role: "alert" });
const count = made("p", { class: "count" });
const button = made("button", { type: "submit" }, assignment ? "Submit" : "Finish");

function open() {
  return survey.questions.filter((one) => !form.querySelector(
    "input[name=" + CSS.escape(one.id) + "]:checked"));
}

function tellCount() {
  const left = open().length;
  count.textContent = survey.questions.length - left + " of " + survey.questions.length + " answered";
}

function quoted(text) {
  return /[",\n]|^\s|\s$/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

function table(name) {
  const said = comment.value.replaceAll("\r", "").trim();
  const lines = ["# question: " + [survey.question, survey.kind, ...survey.values].join(",")];
  lines.push("item,annotator,concept,value,comment");
  for (const [place, one] of survey.questions.entries()) {
    const value = form.querySelector("input[name=" + CSS.escape(one.id) + "]:checked").value;
    const row = [one.id, name, survey.question, value, place ? "" : said];
    lines.push(row.map(quoted).join(","));
  }
  return lines.join("\n") + "\n";
}

function handOut(name) {
  const text = table(name);
  const file = "answers-" + name.replace(/[^\p{L}\p{N}]+/gu, "-") + ".csv";
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = made("a", { href: url, download: file }, file);
  const copy = made("textarea", { readonly: "", rows: "6", "aria-label": "Your answers" });
  copy.value = text;
  const done = made("section", { class: "done" }, made("h2", {}, "Thank you"),
    made("p", {}, "Your answers are in ", link, ". Please send this file back, or the text below."),
    copy);
  form.replaceWith(done);
  scrollTo(0, 0);
  link.click();
}

function refuse(text, field) {
  message.textContent = text;
  field.scrollIntoView({ block: "center" });
  field.querySelector("input")?.focus({ preventScroll: true });
}

function submit(event) {
  const missing = open();
  for (const one of survey.questions) {
    document.getElementById("ask-" + one.id).classList.toggle("open", missing.includes(one));
  }
  const name = who.value.trim();
  let fine = false;
  if (preview) message.textContent = "Please accept the HIT first.";
  else if (!assignment && !name) refuse("Please say who you are.", who.parentNode);
  else if (missing.length) {
    const first = form.querySelector("fieldset.open");
    refuse("Please answer all questions; " + missing.length + " left.", first);
  } else fine = true;
  if (fine && assignment) return;
  event.preventDefault();
  if (fine) handOut(name);
}

form.append(made("ol", { class: "questions" },
  ...shuffled(survey.questions).map((one, place) => made("li", {}, question(one, place)))));
form.append(made("p", { class: "wide" },
  made("label", { for: "comment" }, "Anything you would like to say?"), comment));
if (assignment) {
  form.append(made("input", { type: "hidden", name: "assignmentId", value: assignment }));
  form.action = (parameters.get("turkSubmitTo") || "https://www.mturk.com") + "/mturk/externalSubmit";
} else {
  form.prepend(made("p", { class: "wide" }, made("label", { for: "who" }, "Your name"), who));
}
form.append(message, made("div", { class: "end" }, button, count));
form.addEventListener("change", (event) => {
  event.target.closest("fieldset")?.classList.remove("open");
  message.textContent = "";
  tellCount();
});
form.addEventListener("submit", submit);
document.querySelector("main").append(form);
tellCount();
