// Pages work without this script. With it, a run's page shows the score as soon as it is there, an
// upload says how far it is, links and tokens can be copied, and errors of a form are read first.
"use strict";

async function fetchedMain(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("main");
}

function showMain(main) {
  const content = document.querySelector("main");
  content.replaceChildren(...main.childNodes);
  prepare(content);
  prepareSite(content);
}

// Ask for the page again until its run is scored; nothing but words changes before.
async function waitForScore(waiting) {
  const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
  for (let round = 0; round < 2000; round += 1) {
    await pause(round < 20 ? 0.5 : 3);
    const main = await fetchedMain(location.href).catch(() => null);
    const still = main?.querySelector("[data-waiting] span");
    if (main && !still) {
      showMain(main);
      document.querySelector("h1").tabIndex = -1;
      document.querySelector("h1").focus();
      return;
    }
    const words = waiting.querySelector("span");
    if (still && still.textContent !== words.textContent) words.textContent = still.textContent;
  }
}

function showUpload(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const state = form.querySelector(".upload-state");
    const [bar, words] = [state.querySelector("progress"), state.querySelector("span")];
    const button = form.querySelector("button.main");
    const sent = new XMLHttpRequest();
    state.hidden = false;
    words.textContent = "Uploading the file.";
    button.disabled = true;
    sent.upload.addEventListener("progress", (step) => {
      if (step.lengthComputable) bar.value = (100 * step.loaded) / step.total;
    });
    sent.upload.addEventListener("load", () => {
      bar.removeAttribute("value");
      words.textContent = "The file has arrived.";
    });
    sent.addEventListener("load", () => {
      if (sent.responseURL && new URL(sent.responseURL).pathname !== location.pathname) {
        location.assign(sent.responseURL);
        return;
      }
      const page = new DOMParser().parseFromString(sent.responseText, "text/html");
      const main = page.querySelector("main");
      if (main) showMain(main);
      else fail(sent.responseText || `The server answered ${sent.status}.`);
    });
    sent.addEventListener("error", () => fail("The connection broke. Submit again."));
    const fail = (reason) => {
      bar.value = 0;
      words.textContent = reason;
      button.disabled = false;
    };
    sent.open("POST", location.href);
    sent.send(new FormData(form));
  });
}

function makeCopyable(secret) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(secret.textContent);
    button.textContent = "Copied";
  });
  secret.after(" ", button);
}

function prepareSite(part) {
  part.querySelectorAll("[data-waiting]").forEach(waitForScore);
  part.querySelectorAll("form.upload").forEach(showUpload);
  if (navigator.clipboard) part.querySelectorAll(".message > code").forEach(makeCopyable);
  part.querySelector(".message.error[tabindex]")?.focus();
}

prepareSite(document);
