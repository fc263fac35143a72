"use strict";
// The report as a page. All that is shown comes from the data as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const SIGN = { holds: "✓", fails: "✗", vacuous: "!", measured: "#", possible: "~", "not-known": "?" };
const WORD = { holds: "holds", fails: "fails", vacuous: "holds, but says nothing", measured: "measured", possible: "may fail", "not-known": "not known" };
const SVG = "http://www.w3.org/2000/svg";
const MOST_DRAWN = 400;

function make(tag, attributes, ...inside) {
  const element = document.createElement(tag);
  return fill(element, attributes, inside);
}
function draw(tag, attributes, ...inside) {
  return fill(document.createElementNS(SVG, tag), attributes, inside);
}
function fill(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...inside.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return element;
}

// ---- what is shown -------------------------------------------------------------------------

const shown = { file: 0, property: 0, run: 0, frame: 0, signals: false, details: false, chart: false };
let player = null;

function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (name, otherwise) => {
    const value = parseInt(given.get(name), 10);
    return Number.isNaN(value) ? otherwise : value;
  };
  const first = firstToShow();
  const wanted = {
    file: number("file", first[0]), property: number("property", first[1]), run: number("run", 0),
    signals: given.get("signals") === "1", chart: given.get("chart") === "1", details: given.get("details") === "1",
  };
  const file = data.files[wanted.file];
  if (!file || !file.properties[wanted.property]) [wanted.file, wanted.property] = first;
  Object.assign(shown, wanted);
  build();
  if (!player) return;
  if (given.has("step")) player.goToStep(number("step", 0)); else player.open();
}

function writeFragment() {
  const part = { file: shown.file, property: shown.property };
  if (shown.run) part.run = shown.run;
  if (shown.signals) part.signals = 1;
  if (shown.details) part.details = 1;
  if (shown.chart) part.chart = 1;
  if (player) part.step = player.step();
  history.replaceState(null, "", "#" + new URLSearchParams(part));
}

function firstToShow() {
  let best = [0, 0];
  let rank = 9;
  data.files.forEach((file, f) => file.properties.forEach((property, p) => {
    const order = ["fails", "possible", "vacuous", "not-known", "holds"].indexOf(property.verdict);
    if (order < rank) { rank = order; best = [f, p]; }
  }));
  return best;
}

// ---- the frame of the page -----------------------------------------------------------------

function build() {
  const s = data.summary;
  const counts = [[s.fail, "fails", "fail"], [s.vacuous, "is vacuous", "are vacuous"],
    [s.possible, "may fail", "may fail"], [s.not_known, "is not known", "are not known"], [s.hold, "holds", "hold"]]
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  const sum = s.properties === 0 ? "no properties" :
    `${s.properties} ${s.properties === 1 ? "property" : "properties"}: ${counts.join(", ")}`;
  const stopped = data.interrupted ? " (stopped early)" : "";
  document.querySelector("header").replaceChildren(
    make("h1", {}, "Probity"), make("span", { class: "sum" }, sum + stopped));
  const nav = document.querySelector("nav");
  const entries = data.files.flatMap((file, f) => [
    make("h2", {}, file.file),
    ...file.diagnostics.map((found) => make("details", {},
      make("summary", {}, marked(`${found.severity}: ${found.message}`)), make("pre", {}, found.rendered))),
    ...file.properties.map((property, p) => make("button", {
      "aria-current": f === shown.file && p === shown.property ? "true" : "false",
      click: () => choose(f, p),
    }, make("span", { class: "sign " + property.verdict }, SIGN[property.verdict]),
    make("span", {}, property.name, make("small", {}, WORD[property.verdict])))),
    file.proposals.length ? make("details", { class: "proposals" },
      make("summary", {}, "What only you can say: properties to paste into it"),
      make("pre", {}, file.proposals.join("\n"))) : null,
  ].filter((entry) => entry));
  // One property needs no list.
  const single = s.properties === 1 && data.files.length === 1 && data.files[0].diagnostics.length === 0;
  document.body.classList.toggle("single", single);
  const list = make("div", { class: "entries" });
  list.append(...entries);
  nav.replaceChildren(make("details", { open: matchMedia("(min-width: 60.01rem)").matches ? "" : false },
    make("summary", {}, data.files.length === 1 ? data.files[0].file : `${data.files.length} files`), list));
  const main = document.querySelector("main");
  const file = data.files[shown.file];
  const property = file && file.properties[shown.property];
  player = null;
  if (!property) {
    main.replaceChildren(make("div", { class: "about" }, make("h2", {}, "Nothing was checked"),
      file && file.refused ? make("p", {}, "The file could not be read; what is wrong stands beside it.") : null));
    return;
  }
  main.replaceChildren(about(file, property));
  const runs = [property.story, ...property.others].filter((story) => story);
  if (runs.length > 0) {
    player = new Player(file, runs[Math.min(shown.run, runs.length - 1)], runs.length);
    main.append(player.element);
    player.fitWhenReady();
  } else if (file.picture || file.beginning && file.beginning.length || file.texts.length) {
    player = new Player(file, null, 0);
    main.append(player.element);
    player.fitWhenReady();
  }
}

function choose(file, property) {
  Object.assign(shown, { file, property, run: 0, frame: 0 });
  build();
  if (player) player.open();
  writeFragment();
}

function about(file, property) {
  const strength = property.strength && property.verdict === "holds" ? ` (${property.strength})` : "";
  const measured = property.measured ? ` (${typeof property.measured === "string" ? "no end" : `${property.measured.steps} steps`})` : "";
  const rests = file.assumptions.filter((one) => property.assumptions.includes(one.number));
  const runs = [property.story, ...property.others].filter((story) => story);
  const run = runs[Math.min(shown.run, runs.length - 1)];
  const list = (title, texts) => texts.length ? make("details", {}, make("summary", {}, `${title} (${texts.length})`), make("ul", {}, texts.map((text) => make("li", {}, marked(text))))) : null;
  return make("div", { class: "about" },
    make("h2", {}, make("span", { class: "sign " + property.verdict }, SIGN[property.verdict] + " "),
      property.name, make("span", { class: property.verdict }, " " + WORD[property.verdict] + strength + measured),
      property.text && property.text !== property.name ? make("span", { class: "text" }, property.text) : null),
    run ? make("p", { class: "headline", id: "headline" }, marked(sentence(run.headline))) : null,
    [property.why, property.advice, property.elsewhere, property.another].map((text) => text ? make("p", {}, marked(sentence(text))) : null),
    list("Assuming", rests.map((one) => one.text)), list("What is always true and proves it", property.facts));
}

/** A text whose parts between backticks are code, as nodes. */
function marked(text) {
  return text.split("`").map((part, index) => index % 2 ? make("code", {}, part) : part);
}

function sentence(text) {
  const first = text.charAt(0) === "`" ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : first + ".";
}

