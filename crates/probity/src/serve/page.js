"use strict";

// What the server tells is put into the page as text, never as markup.

const SIGNS = { holds: "✓", fails: "✗", vacuous: "∅", measured: "#", possible: "?", "not-known": "?" };
const STRENGTHS = {
  proved: "proved", unchecked: "proved, not re-checked", exhausted: "within bounds",
  bounded: "in short runs", sampled: "in samples",
};
const VERDICTS = { "not-known": "not known" };
const STATES = { waits: "waits", runs: "is checked", stopped: "stopped", failed: "no report" };

let known = null;
let live = null;
let shown = null;

function make(tag, attributes, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "click") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...inside.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return element;
}

const byId = (id) => document.getElementById(id);
const few = () => byId("few").checked;
const whole = (number) => Math.round(number).toLocaleString("en");
const bytes = (number) => number >= 1 << 30 ? `${(number / (1 << 30)).toFixed(1)} GB` : `${Math.round(number / (1 << 20))} MB`;
const time = (seconds) => new Date(seconds * 1000).toLocaleTimeString();
const ask = (what) => fetch(what, { method: "POST" });

function said(property) {
  const word = VERDICTS[property.verdict] || property.verdict;
  return property.strength && property.verdict === "holds" ? `${word}, ${STRENGTHS[property.strength]}` : word;
}

// ---- the list ------------------------------------------------------------------------------

function past(property) {
  const title = property.history.map((one) => `${time(one.at)}: ${said(one)}`).join("\n");
  const label = `${property.history.length} checks, the last of them: ${said(property)}`;
  const marks = property.history.slice(-12).map((one) => make("i", { class: one.verdict }));
  return make("span", { class: "past", title, role: "img", "aria-label": label }, marks);
}

function propertyLine(script, property, number) {
  const chosen = shown && shown.id === script.id && shown.property === number;
  return make("li", {}, make("button", {
    type: "button", "aria-current": chosen ? "true" : null, click: () => show(script.id, number),
  },
  make("span", { class: `sign ${property.verdict}` }, SIGNS[property.verdict]),
  make("span", { class: "name" }, property.name),
  past(property),
  make("small", {}, said(property), property.why ? `: ${property.why}` : "", property.run ? " · see the run" : "")));
}

function liveLine(script) {
  const now = live && live.id === script.id ? live : null;
  const elapsed = now ? now.elapsed : 0;
  const entry = (name, value) => [make("dt", {}, name), make("dd", {}, value)];
  const gauge = (name, used, limit, text) => make("label", {}, name,
    make("progress", { max: limit || 1, value: Math.min(used, limit || 1) }), make("output", {}, text));
  return make("div", { class: "live" },
    make("dl", {},
      entry("states", now ? whole(now.states) : "…"), entry("a second", now ? whole(now.rate) : "…"),
      entry("waiting", now ? whole(now.waiting) : "…"), entry("depth", now ? whole(now.depth) : "…")),
    now && now.engines.length > 1 ? make("ul", {}, ...now.engines.map((text) => make("li", {}, text))) : null,
    known.timeout ? gauge("time", elapsed, known.timeout, `${Math.max(0, known.timeout - elapsed).toFixed(0)} s left`) : null,
    now ? known.memory
      ? gauge("memory", now.memory, known.memory, `${bytes(now.memory)} of ${bytes(known.memory)}`)
      : make("dl", {}, entry("memory", bytes(now.memory))) : null);
}

function troubles(script) {
  const all = (script.troubles || []).map((one) => make("p", {}, `${one.severity || "error"}${one.code ? ` ${one.code}` : ""}: ${one.message}`));
  if (script.unread) all.push(make("p", {}, `not read: ${script.unread}`));
  if (script.state === "failed") all.push(make("p", {}, "Nothing came of the check: the options do not fit this script, or Probity has a defect."));
  if (!all.length && script.state === "current" && !script.properties.length) all.push(make("p", {}, "It states no property."));
  return all;
}

// Whether a property, or a script, is listed where what holds is left out.
const matters = (property) => !few() || property.verdict !== "holds";
const isListed = (script) => !few() || script.state !== "current" || !script.properties.length || script.properties.some(matters);

function card(script) {
  const busy = script.state === "waits" || script.state === "runs";
  const when = script.checked ? `${time(script.checked)}, ${script.took.toFixed(2)} s` : "";
  return make("article", { id: `script-${script.id}` },
    make("div", { class: "head" },
      make("h2", {}, script.name),
      make("span", { class: "state" }, STATES[script.state] || when),
      make("button", {
        type: "button", "aria-label": `${busy ? "stop" : "check"} ${script.name}`,
        click: () => ask(`${busy ? "cancel" : "check"}/${script.id}`),
      }, busy ? "stop" : "check"),
      make("button", {
        type: "button", "aria-label": `try a change of ${script.name}`, title: "try a change of it, without saving",
        click: () => tryCopy(script),
      }, "copy")),
    script.state === "runs" ? liveLine(script) : null,
    troubles(script),
    make("ul", { class: script.state === "current" ? null : "old" },
      script.properties.map((property, number) => matters(property) ? propertyLine(script, property, number) : null)));
}

function summary() {
  const count = {};
  for (const script of known.scripts) for (const property of script.properties) count[property.verdict] = (count[property.verdict] || 0) + 1;
  const parts = Object.keys(SIGNS).filter((verdict) => count[verdict])
    .map((verdict) => `${count[verdict]} ${count[verdict] === 1 ? { holds: "holds", fails: "fails" }[verdict] || VERDICTS[verdict] || verdict : { holds: "hold", fails: "fail" }[verdict] || VERDICTS[verdict] || verdict}`);
  const scripts = `${known.scripts.length} ${known.scripts.length === 1 ? "script" : "scripts"}`;
  return parts.length ? `${scripts}: ${parts.join(", ")}` : scripts;
}

function draw() {
  if (!known) return;
  byId("folder").textContent = known.folder;
  byId("summary").textContent = summary();
  const list = byId("scripts");
  const held = document.activeElement && document.activeElement.closest("article");
  const at = held ? [held.id, [...held.querySelectorAll("button")].indexOf(document.activeElement)] : null;
  const scroll = list.scrollTop;
  const listed = known.scripts.filter(isListed);
  list.replaceChildren(...listed.map(card));
  if (!listed.length) list.append(make("p", {}, known.scripts.length ? "All properties hold." : "There is no script in this folder."));
  list.scrollTop = scroll;
  if (at && byId(at[0])) {
    const button = byId(at[0]).querySelectorAll("button")[at[1]];
    if (button) button.focus();
  }
}

// ---- a script to try ----------------------------------------------------------------------

let trialWaits = false;

function openGround(opens) {
  byId("ground").hidden = !opens;
  byId("try").setAttribute("aria-expanded", String(opens));
  byId("panel").classList.toggle("tries", opens);
  if (opens) document.body.classList.add("showing");
}

function fillLanguages() {
  const select = byId("language");
  if (select.options.length) return;
  select.append(...known.languages.map(([name, title]) => make("option", { value: name }, title)));
}

async function tryCopy(script) {
  const answer = await fetch(`text/${script.id}`);
  if (!answer.ok) return;
  byId("text").value = await answer.text();
  if (script.language) byId("language").value = script.language;
  openGround(true);
  byId("text").focus();
}

async function tryIt() {
  byId("trial").textContent = "is checked …";
  trialWaits = true;
  const answer = await fetch(`try/${byId("language").value}`, { method: "POST", body: byId("text").value });
  if (answer.ok) return;
  trialWaits = false;
  byId("trial").textContent = "The script was not taken: it may be too long.";
}

// Tells what came of the script that was tried, and shows the run that matters.
function tellTrial() {
  const script = known.scripts.find((one) => one.tried);
  if (!script || !trialWaits || script.state === "waits" || script.state === "runs") return;
  trialWaits = false;
  const first = script.properties.findIndex((one) => one.run);
  const parts = script.properties.map((one) => `${one.name}: ${said(one)}`);
  const wrong = (script.troubles || []).map((one) => one.message);
  byId("trial").textContent = [...wrong, ...parts].slice(0, 4).join("; ") || "It states no property.";
  if (script.properties.length) show(script.id, Math.max(first, 0));
}

byId("try").addEventListener("click", () => openGround(byId("ground").hidden));
byId("ground").addEventListener("submit", (event) => { event.preventDefault(); tryIt(); });
byId("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); tryIt(); }
});

// ---- the report ----------------------------------------------------------------------------

function show(id, property) {
  shown = { id, property, checked: null };
  history.replaceState(null, "", `#${id}/${property}`);
  document.body.classList.add("showing");
  load();
  draw();
}

// What the fragment names: a script and a property, by number; or the field for a script to try.
function readFragment() {
  if (location.hash === "#try") openGround(true);
  const named = /^#(\d+)\/(\d+)$/.exec(location.hash);
  if (named) show(Number(named[1]), Number(named[2]));
}

// Shows what was chosen; again when it was checked anew.
function load() {
  const script = known && shown && known.scripts.find((one) => one.id === shown.id);
  if (!script || !script.properties.length || script.checked === null) return;
  const stamp = `${script.checked}/${script.properties[0].history.length}`;
  const frame = byId("report");
  const part = `#file=0&property=${shown.property}`;
  const address = `report/${script.id}`;
  byId("about").textContent = script.name;
  byId("alone").href = address + part;
  byId("panel").classList.add("shows");
  byId("hint").hidden = true;
  frame.hidden = false;
  if (shown.checked === stamp) return;
  shown.checked = stamp;
  // An address of its own for each check, or a new fragment would be all that is gone to.
  frame.src = `${address}?${stamp}${part}`;
}

byId("back").addEventListener("click", () => {
  openGround(false);
  document.body.classList.remove("showing");
  history.replaceState(null, "", location.pathname);
});
addEventListener("hashchange", readFragment);
byId("few").addEventListener("change", draw);
byId("all").addEventListener("click", () => ask("check"));

// ---- what the server tells -----------------------------------------------------------------

function hears(state) {
  known = JSON.parse(state);
  fillLanguages();
  draw();
  load();
  tellTrial();
}

// What was known when the page was asked for; the rest is told.
hears(byId("state").textContent);
readFragment();
const events = new EventSource("events");
events.addEventListener("state", (event) => hears(event.data));
events.addEventListener("progress", (event) => {
  live = JSON.parse(event.data);
  const script = known && live && known.scripts.find((one) => one.id === live.id);
  const place = script && byId(`script-${script.id}`);
  const old = place && place.querySelector(".live");
  if (old) old.replaceWith(liveLine(script));
});
events.onerror = () => { byId("summary").textContent = "The server does not answer."; };
