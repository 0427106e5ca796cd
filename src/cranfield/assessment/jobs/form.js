(() => {
  "use strict";
  const find = (id) => document.getElementById(id);
  // Where a platform puts the page into a form of its own, that one is handed in.
  const form = find("assignmentId").form;
  const groups = [...document.querySelectorAll("fieldset.required")];
  const isOpen = (group) => !group.querySelector("input:checked");
  let insisting = false;

  const show = () => {
    const open = groups.filter(isOpen).length;
    find("bar").max = groups.length;
    find("bar").value = groups.length - open;
    find("count").textContent = groups.length - open + " of " + groups.length + " answered";
    return open;
  };

  const mark = (group) => {
    const open = insisting && isOpen(group);
    const message = find(group.id + "-open");
    message.textContent = open ? "This question is still open: please choose one answer." : "";
    message.hidden = !open;
    group.classList.toggle("is-open", open);
    group.setAttribute("aria-invalid", open);
  };

  const insist = () => {
    insisting = true;
    groups.forEach(mark);
    const open = show();
    find("state").textContent = open === 1 ? "1 question is still open." : open + " questions are still open.";
    const first = groups.find(isOpen);
    first.scrollIntoView({ block: "start" });
    first.querySelector("input").focus({ preventScroll: true });
  };

  form.noValidate = true;
  find("progress").hidden = groups.length === 0;
  show();

  form.addEventListener("change", (event) => {
    const group = event.target.closest("fieldset.required");
    if (!group) return;
    mark(group);
    if (show() === 0 && insisting) find("state").textContent = "";
  });

  form.addEventListener("submit", (event) => {
    if (groups.some(isOpen)) {
      event.preventDefault();
      insist();
    } else if ("preview" in form.dataset) {
      event.preventDefault();
      const fields = [...new FormData(form)].filter(([name]) => name !== "assignmentId");
      find("handed").textContent = fields.map((field) => field.join(" = ")).join("\n");
      find("handed").hidden = false;
      find("handed").focus();
    }
  });

  for (const image of document.querySelectorAll("figure img")) {
    const tell = () => { image.closest("figure").querySelector("figcaption").hidden = false; };
    if (image.complete && !image.naturalWidth) tell();
    image.addEventListener("error", tell);
  }

  // What Mechanical Turk says in the address: whose work this is, and where it is handed in.
  const said = new URLSearchParams(location.search);
  const assignment = said.get("assignmentId") || "";
  if (assignment) find("assignmentId").value = assignment;
  if (/^https:\/\/([\w-]+\.)*mturk\.com\/?$/.test(said.get("turkSubmitTo") || "")) {
    form.action = new URL("/mturk/externalSubmit", said.get("turkSubmitTo")).href;
  }
  if (assignment === "ASSIGNMENT_ID_NOT_AVAILABLE") {
    find("hand-in").disabled = true;
    find("state").textContent = "This is a preview: accept the HIT to hand in answers.";
  }
})();
