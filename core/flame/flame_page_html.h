// The page that FlamePage fills: styles and script in one, no other file.
#pragma once

namespace reprise {

/// "/*DATA*/" stands where {"names":[…],"frames":[[depth,name,weight]…],"title","subtitle","unit",
/// "about","events"} goes; with "events" the children of the first frame are events, each of which
/// is a graph by itself. A comparison has "before":[weight…] of each frame and "compared":[before's
/// name, after's].
inline constexpr char kFlamePageHtml[] = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Flame graph</title>
<style>
body { font: 13px system-ui, sans-serif; margin: 12px; color: #222; background: #fff; }
h1 { font-size: 16px; margin: 0 0 4px; }
h2 { font-size: 14px; margin: 16px 0 4px; }
#bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 8px 0; }
#search { width: 22em; max-width: 100%; }
#search.bad { outline: 2px solid #c00; }
#graph { position: relative; overflow: hidden; }
#graph div { position: absolute; height: 17px; line-height: 17px; font-size: 12px; overflow: hidden;
  white-space: nowrap; text-overflow: ellipsis; cursor: pointer; border-right: 1px solid #fff;
  box-sizing: border-box; padding: 0 3px; }
#graph div.operator { font-weight: bold; color: #fff; }
#graph div.found { background: #c3f !important; color: #fff; }
#graph div.above { opacity: 0.55; }
#status { min-height: 1.4em; white-space: pre-wrap; overflow-wrap: anywhere; }
#subtitle { color: #666; white-space: pre-wrap; }
#legend span { padding: 0 6px; margin-right: 4px; }
#top { border-collapse: collapse; }
#top td, #top th { padding: 1px 8px 1px 0; text-align: right; vertical-align: top; }
#top td:last-child, #top th:last-child { text-align: left; overflow-wrap: anywhere; }
#top tbody tr { cursor: pointer; }
[hidden] { display: none !important; }
</style>
</head>
<body>
<a id="back" hidden>all stages</a>
<h1 id="title"></h1>
<div id="subtitle"></div>
<div id="bar">
<select id="event" aria-label="event" hidden></select>
<input id="search" type="search" placeholder="search (regular expression)" aria-label="search">
<button id="reset" type="button">whole graph</button>
<label><input id="inverted" type="checkbox"> inverted</label>
<label id="entries" hidden><input type="checkbox"> entry frames</label>
<label id="idle" hidden><input type="checkbox"> idle threads</label>
<span id="matched"></span>
</div>
<div id="legend"></div>
<div id="status">&nbsp;</div>
<div id="graph"></div>
<h2>Top methods</h2>
<table id="top"><thead><tr><th colspan="2">itself</th><th colspan="2">with what it calls</th><th></th></tr></thead>
<tbody></tbody></table>
<script>
"use strict";
const data = /*DATA*/;
const ROW = 18;
// A browser takes so many boxes at once; of more, as deep recursion has, those of the rows in view are there.
const BOXES_MAX = 5000;
const ROWS_AROUND = 10;
// An inverted graph has a frame for each caller of each place: deep ones are cut to about so many.
const CALLERS_MAX = 2000000;
const TOP = 30;
const byId = id => document.getElementById(id);

// --- what was sampled: {name, weight, before, depth, parent, end} in depth-first order ---
const sampled = [];
{
  const path = [];
  for (const [depth, name, weight] of data.frames) {
    for (let i = depth; i < path.length; i++) path[i].end = sampled.length;
    path.length = depth;
    const before = data.before ? data.before[sampled.length] : 0;
    const frame = {name: data.names[name], weight, before, depth, parent: path[depth - 1], end: 0, number: sampled.length};
    path[depth] = frame;
    sampled.push(frame);
  }
  for (const frame of path) frame.end = sampled.length;
}
// The frames of each event, the processor's first, then those with most samples; else all of them as one.
const events = data.events ? sampled.filter(frame => frame.depth === 1) : [];
events.sort((a, b) => (b.name === "CPU") - (a.name === "CPU") || b.weight - a.weight);
if (events.length === 0) events.push(sampled[0]);

// --- what is shown: the same of one event, folded or inverted, and {left, used, number} ---
const ENTRY = new RegExp("^(java\\.lang\\.Thread\\.run|java\\.util\\.concurrent\\.|org\\.apache\\.spark\\.executor\\.Executor\\$TaskRunner|" +
  "org\\.apache\\.spark\\.util\\.(Utils\\$?|SparkErrorUtils)\\.|org\\.apache\\.spark\\.scheduler\\.(Task|ResultTask|ShuffleMapTask)\\.|" +
  "org\\.apache\\.spark\\.TaskContext\\.runTaskWithListeners|org\\.apache\\.spark\\.shuffle\\.ShuffleWriteProcessor\\.write|" +
  "libc\\.so\\S*\\.(start_thread|clone3?|__clone3?)|libjvm\\.so\\.(thread_native_entry|Thread::call_run|JavaThread::))");
const IDLE = frame => frame.depth === 2 && frame.name === "idle";
let frames = [];
let root = null;
let zoomed = null;
let event = events[0];
let pattern = null;
let shown = [];  // {frame, left, width, above}: what is wide enough
let hasEntries = false;
let hasIdle = false;

function close(list) {
  for (const frame of list) frame.end = frame.number + 1;
  for (let i = list.length - 1; i > 0; i--) list[i].parent.end = Math.max(list[i].parent.end, list[i].end);
  return list;
}
function append(list, parent, {name, weight, before}) {
  const frame = {name, weight, before, depth: parent ? parent.depth + 1 : 0, left: parent ? parent.left + parent.used : 0,
    parent, end: 0, number: list.length, used: 0, usedBefore: 0, folded: 0};
  if (parent) { parent.used += weight; parent.usedBefore += before; }
  list.push(frame);
  return frame;
}
// Frames through which Spark comes to a task are one, and threads that wait for work are left out, unless asked for.
function upright(withEntries, withIdle) {
  const list = [];
  const made = new Map();  // what stands for a frame that others are called from
  hasEntries = hasIdle = false;
  for (let i = event.number; i < event.end; i++) {
    const frame = sampled[i];
    if (data.events && IDLE(frame)) {
      hasIdle = true;
      if (!withIdle) {
        list[0].weight -= frame.weight;
        list[0].before -= frame.before;
        i = frame.end - 1;
        continue;
      }
    }
    const parent = frame === event ? undefined : made.get(frame.parent);
    const isEntry = data.events && parent !== undefined && ENTRY.test(frame.name) && (parent.isEntry || parent === list[0]);
    if (isEntry && parent.isEntry) {
      hasEntries = true;
      if (!withEntries) {
        parent.folded += 1;
        made.set(frame, parent);
        continue;
      }
    }
    const one = append(list, parent, frame);
    one.isEntry = isEntry;
    made.set(frame, one);
  }
  for (const frame of list) if (frame.folded > 0) frame.name = "entry frames of Spark (" + (frame.folded + 1) + ")";
  return close(list);
}
// From the place where a sample was to its callers.
function inverted(list) {
  const places = list.filter(frame => frame.number > 0 && frame.weight > frame.used);
  const depth = Math.max(8, Math.floor(CALLERS_MAX / Math.max(1, places.length)));
  const node = name => ({name, weight: 0, before: 0, callers: new Map()});
  const all = node(list[0].name);
  for (const place of places) {
    const weight = place.weight - place.used, before = place.before - place.usedBefore;
    let at = all;
    let left = depth;
    for (let frame = place; frame.parent && left > 0; frame = frame.parent, left--) {
      if (!at.callers.has(frame.name)) at.callers.set(frame.name, node(frame.name));
      at.weight += weight;
      at.before += before;
      at = at.callers.get(frame.name);
    }
    at.weight += weight;
    at.before += before;
  }
  const turned = [];
  const open = [[all, undefined]];
  while (open.length > 0) {
    const [one, parent] = open.pop();
    const frame = append(turned, parent, one);
    const callers = Array.from(one.callers.values()).sort((a, b) => a.weight - b.weight);
    for (const caller of callers) open.push([caller, frame]);
  }
  return close(turned);
}
function rebuild() {
  const list = upright(byId("entries").firstChild.checked, byId("idle").firstChild.checked);
  frames = byId("inverted").checked ? inverted(list) : list;
  zoomed = root = frames[0];
  byId("entries").hidden = !hasEntries;
  byId("idle").hidden = !hasIdle;
  showTop(list);
}

// --- text and colours ---
const share = (weight, of) => of === 0 ? "0 %" : (100 * weight / of).toFixed(2) + " %";
const compared = frame => {
  if (!data.before) return "";
  const first = frame.before, second = frame.weight - first;
  return data.compared[1] + ": " + second.toLocaleString("en") + ", " + data.compared[0] + ": " +
    first.toLocaleString("en") + (first > 0 ? ", " + (second / first).toFixed(2) + " times" : "") + "; ";
};
const label = frame => frame.name + "  " + compared(frame) + frame.weight.toLocaleString("en") + " " + data.unit + ", " +
  share(frame.weight, root.weight) + " of " + root.name +
  (zoomed === root ? "" : ", " + share(frame.weight, zoomed.weight) + " of what is shown");
// Whose code a frame is: a name, the hue and the saturation of its colour.
const KINDS = {
  operator: ["operator", 150, 55], user: ["user's code", 38, 85], spark: ["Spark and its libraries", 210, 60],
  jvm: ["Java and the JVM", 55, 45], native: ["native code and kernel", 8, 60]};
function kindOf(name) {
  if (/\[loreId=\d+\]/.test(name)) return "operator";
  if (/^libjvm\.|^(java|javax|jdk|sun|com\.sun)\.|^libj(ava|image)\.|^lib(zip|nio|net)\.|Runtime1 stub$/.test(name)) return "jvm";
  if (/^(lib|ld-|vdso|\/|\[)|^[^.]*$|::|\.(isra|part|constprop)/.test(name)) return "native";
  return /^(org\.(apache|sparkproject|json4s|xerial|slf4j|codehaus|antlr)|scala|reprise|py4j|jakarta|io\.netty|net\.(jpountz|razorvine)|com\.(fasterxml|codahale|esotericsoftware|google|ibm|thoughtworks|github))\./
    .test(name) ? "spark" : "user";
}
function colour(frame) {
  if (data.before) {
    const more = frame.weight === 0 ? 0 : (frame.weight - 2 * frame.before) / frame.weight;
    return "hsl(" + (more > 0 ? 0 : 215) + ",85%," + (94 - 38 * Math.abs(more)) + "%)";
  }
  if (frame.number === 0) return "#ddd";
  const name = frame.name;
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
  const kind = frame.folded > 0 ? "spark" : kindOf(name);
  const [, hue, saturation] = KINDS[kind];
  return "hsl(" + (hue + hash % 12) + "," + saturation + "%," + ((kind === "operator" ? 34 : 72) + hash % 9) + "%)";
}
function showLegend() {
  const legend = byId("legend");
  const entries = data.before
    ? [["more in " + data.compared[1], "hsl(0,85%,66%)"], ["more in " + data.compared[0], "hsl(215,85%,66%)"]]
    : Object.entries(KINDS).map(([kind, [text, hue, saturation]]) =>
      [text, "hsl(" + (hue + 6) + "," + saturation + "%," + (kind === "operator" ? 38 : 76) + "%)"]);
  for (const [text, background] of entries) {
    const entry = document.createElement("span");
    entry.textContent = text;
    entry.style.background = background;
    if (text === "operator") entry.style.color = "#fff";
    legend.appendChild(entry);
  }
}

// --- the graph ---
const graph = byId("graph");
const status = byId("status");
function add({frame, left, width, above}) {
  const box = document.createElement("div");
  box.style.left = left + "px";
  box.style.top = frame.depth * ROW + "px";
  box.style.width = width + "px";
  box.style.background = colour(frame);
  if (width > 20) box.textContent = frame.name;
  box.dataset.number = frame.number;
  if (above) box.classList.add("above");
  if (!data.before && kindOf(frame.name) === "operator") box.classList.add("operator");
  if (pattern !== null && pattern.test(frame.name)) box.classList.add("found");
  graph.appendChild(box);
}
function draw() {
  const width = graph.clientWidth || document.body.clientWidth || 1000;
  const scale = width / Math.max(zoomed.weight, 1);
  shown = [];
  for (let frame = zoomed.parent; frame; frame = frame.parent) shown.push({frame, left: 0, width, above: true});
  let deepest = zoomed.depth;
  for (let i = zoomed.number; i < zoomed.end; i++) {
    const frame = frames[i];
    const wide = frame.weight * scale;
    // What is narrower than half a pixel is not seen, nor is what is called from it.
    if (wide < 0.5) { i = frame.end - 1; continue; }
    shown.push({frame, left: (frame.left - zoomed.left) * scale, width: wide, above: false});
    deepest = Math.max(deepest, frame.depth);
  }
  graph.style.height = (deepest + 1) * ROW + "px";
  place();
  showMatched();
  keep();
}
function place() {
  graph.textContent = "";
  const top = -graph.getBoundingClientRect().top;
  const isAll = shown.length <= BOXES_MAX;
  const first = isAll ? 0 : top / ROW - ROWS_AROUND;
  const last = isAll ? Infinity : (top + window.innerHeight) / ROW + ROWS_AROUND;
  for (const one of shown) if (one.frame.depth >= first && one.frame.depth <= last) add(one);
}
function showMatched() {
  const matched = byId("matched");
  if (pattern === null) { matched.textContent = ""; return; }
  let covered = 0;
  for (let i = zoomed.number; i < zoomed.end; i++) {
    if (!pattern.test(frames[i].name)) continue;
    covered += frames[i].weight;
    i = frames[i].end - 1;  // a stack counts once
  }
  matched.textContent = "matched: " + share(covered, zoomed.weight);
}
// Methods by what they take themselves; `total` counts a stack once, however often the method is in it.
function showTop(list) {
  const methods = new Map();
  const on = new Map();  // how often a name is in the path
  const path = [];
  for (const frame of list) {
    for (const name of path.splice(frame.depth)) on.set(name, on.get(name) - 1);
    if (!methods.has(frame.name)) methods.set(frame.name, {name: frame.name, self: 0, total: 0});
    const method = methods.get(frame.name);
    method.self += frame.weight - frame.used;
    if (!on.get(frame.name)) method.total += frame.weight;
    on.set(frame.name, (on.get(frame.name) || 0) + 1);
    path.push(frame.name);
  }
  methods.delete(list[0].name);
  const rows = Array.from(methods.values()).sort((a, b) => b.self - a.self || b.total - a.total).slice(0, TOP);
  const body = byId("top").tBodies[0];
  body.textContent = "";
  for (const {name, self, total} of rows) {
    const row = body.insertRow();
    for (const text of [self.toLocaleString("en"), share(self, list[0].weight), total.toLocaleString("en"), share(total, list[0].weight), name]) {
      row.insertCell().textContent = text;
    }
    row.addEventListener("click", () => {
      byId("search").value = "^" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$";
      search(byId("search").value);
    });
  }
}

// --- what the reader does, kept in the page's address ---
function search(text) {
  const field = byId("search");
  field.classList.remove("bad");
  try {
    pattern = text === "" ? null : new RegExp(text, "i");
  } catch (error) {
    pattern = null;
    field.classList.add("bad");
  }
  draw();
}
function choose(one) {
  event = one;
  byId("event").value = String(events.indexOf(one));
  rebuild();
}
function keep() {
  const kept = new URLSearchParams();
  if (event !== events[0]) kept.set("event", event.name);
  if (byId("search").value !== "") kept.set("search", byId("search").value);
  if (byId("inverted").checked) kept.set("inverted", "1");
  for (const id of ["entries", "idle"]) if (byId(id).firstChild.checked) kept.set(id, "1");
  if (zoomed !== root) kept.set("zoom", zoomed.number + " " + zoomed.name);
  const text = kept.toString();
  try { history.replaceState(null, "", text === "" ? location.pathname + location.search : "#" + text); } catch (error) { /* not from here */ }
}
function restore() {
  const kept = new URLSearchParams(location.hash.slice(1));
  byId("search").value = kept.get("search") || "";
  byId("inverted").checked = kept.has("inverted");
  for (const id of ["entries", "idle"]) byId(id).firstChild.checked = kept.has(id);
  choose(events.find(one => one.name === kept.get("event")) || events[0]);
  // A page that was written again may have other frames.
  const [, number, name] = /^(\d+) (.*)$/s.exec(kept.get("zoom") || "") || [];
  if (number !== undefined && frames[number] && frames[number].name === name) zoomed = frames[number];
  search(byId("search").value);
}
graph.addEventListener("click", ({target}) => {
  const number = target.dataset.number;
  if (number === undefined) return;
  zoomed = frames[Number(number)];
  draw();
});
graph.addEventListener("mouseover", ({target}) => {
  const number = target.dataset.number;
  if (number === undefined) return;
  status.textContent = label(frames[Number(number)]);
  target.title = status.textContent;
});
byId("reset").addEventListener("click", () => { zoomed = root; draw(); });
byId("search").addEventListener("input", ({target}) => search(target.value));
byId("event").addEventListener("change", ({target}) => { choose(events[Number(target.value)]); draw(); });
for (const id of ["inverted", "entries", "idle"]) byId(id).addEventListener("change", () => { rebuild(); draw(); });
window.addEventListener("keydown", ({key}) => {
  if (key !== "Escape") return;
  if (byId("search").value === "") zoomed = root;
  byId("search").value = "";
  search("");
});
window.addEventListener("resize", draw);
let isPlacing = false;
window.addEventListener("scroll", () => {
  if (isPlacing || shown.length <= BOXES_MAX) return;
  isPlacing = true;
  requestAnimationFrame(() => { isPlacing = false; place(); });
});

document.title = data.title;
byId("title").textContent = data.title;
byId("subtitle").textContent = data.subtitle;
{
  const file = decodeURIComponent(location.pathname.split("/").pop());
  const [, application] = /^(app-.+)-(?:exec-.+-stage-\d+-attempt-\d+|exec-.+-other|stage-\d+-attempt-\d+-slow)\.html$/.exec(file) || [];
  const back = byId("back");
  back.hidden = application === undefined;
  if (application !== undefined) back.href = application + "-index.html";
}
events.forEach((one, number) => {
  byId("event").add(new Option(one.name + " (" + one.weight.toLocaleString("en") + " " + data.unit + ")", String(number)));
});
byId("event").hidden = events.length < 2;
showLegend();
restore();
</script>
</body>
</html>
)html";

}  // namespace reprise
