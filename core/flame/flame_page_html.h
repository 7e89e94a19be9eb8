// The page that FlamePage fills: styles and script in one, no other file.
#pragma once

namespace reprise {

/// "/*DATA*/" stands where {"names":[…],"frames":[[depth,name,weight]…],"title","subtitle","unit",
/// "about"}
/// goes; a comparison has "before":[weight…] of each frame and "compared":[before's name, after's].
inline constexpr char kFlamePageHtml[] = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Flame graph</title>
<style>
body { font: 13px system-ui, sans-serif; margin: 12px; color: #222; background: #fff; }
h1 { font-size: 16px; margin: 0 0 4px; }
#bar { display: flex; gap: 8px; align-items: center; margin: 8px 0; }
#search { width: 22em; }
#search.bad { outline: 2px solid #c00; }
#graph { position: relative; overflow: hidden; }
#graph div { position: absolute; height: 17px; line-height: 17px; font-size: 12px; overflow: hidden;
  white-space: nowrap; cursor: pointer; border-right: 1px solid #fff; box-sizing: border-box; padding: 0 3px; }
#graph div.found { background: #c3f !important; color: #fff; }
#graph div.above { opacity: 0.55; }
#status { min-height: 1.4em; white-space: pre-wrap; }
#subtitle { color: #666; white-space: pre-wrap; }
</style>
</head>
<body>
<h1 id="title"></h1>
<div id="subtitle"></div>
<div id="bar">
<input id="search" type="search" placeholder="search (regular expression)" aria-label="search">
<button id="reset" type="button">whole graph</button>
<span id="matched"></span>
</div>
<div id="status">&nbsp;</div>
<div id="graph"></div>
<script>
"use strict";
const data = /*DATA*/;
const ROW = 18;
// A browser takes so many boxes at once; of more, as deep recursion has, those of the rows in view are there.
const BOXES_MAX = 5000;
const ROWS_AROUND = 10;
// frames: {name, weight, depth, left, parent, end}; `end`: the number behind its last descendant.
const frames = [];
{
  const path = [];
  const used = [];
  const endTo = depth => {
    for (let i = depth; i < path.length; i++) path[i].end = frames.length;
    path.length = depth;
  };
  for (const [depth, name, weight] of data.frames) {
    endTo(depth);
    used.length = depth + 1;
    const left = depth === 0 ? 0 : used[depth];
    const frame = {name: data.names[name], weight, depth, left, parent: path[depth - 1], end: 0, number: frames.length};
    used[depth] = left + weight;
    used[depth + 1] = left;
    path[depth] = frame;
    frames.push(frame);
  }
  endTo(0);
}
const root = frames[0];
let zoomed = root;
let pattern = null;
let shown = [];  // {frame, left, width, above}: what is wide enough
const graph = document.getElementById("graph");
const status = document.getElementById("status");
const share = (weight, of) => of === 0 ? "0 %" : (100 * weight / of).toFixed(2) + " %";
const before = frame => data.before ? data.before[frame.number] : 0;
const compared = frame => {
  if (!data.before) return "";
  const first = before(frame), second = frame.weight - first;
  return data.compared[1] + ": " + second.toLocaleString("en") + ", " + data.compared[0] + ": " +
    first.toLocaleString("en") + (first > 0 ? ", " + (second / first).toFixed(2) + " times" : "") + "; ";
};
const label = frame => frame.name + "  " + compared(frame) + frame.weight.toLocaleString("en") + " " + data.unit + ", " +
  share(frame.weight, root.weight) + " of all" +
  (zoomed === root ? "" : ", " + share(frame.weight, zoomed.weight) + " of what is shown");
function colour(frame) {
  if (data.before) {
    const more = frame.weight === 0 ? 0 : (frame.weight - 2 * before(frame)) / frame.weight;
    return "hsl(" + (more > 0 ? 0 : 215) + ",85%," + (94 - 38 * Math.abs(more)) + "%)";
  }
  const name = frame.name;
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
  return "hsl(" + (18 + hash % 38) + "," + (70 + hash % 23) + "%," + (66 + hash % 14) + "%)";
}
function add({frame, left, width, above}) {
  const box = document.createElement("div");
  box.style.left = left + "px";
  box.style.top = frame.depth * ROW + "px";
  box.style.width = width + "px";
  box.style.background = colour(frame);
  if (width > 20) box.textContent = frame.name;
  box.dataset.number = frame.number;
  if (above) box.classList.add("above");
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
  const matched = document.getElementById("matched");
  if (pattern === null) { matched.textContent = ""; return; }
  let covered = 0;
  for (let i = zoomed.number; i < zoomed.end; i++) {
    if (!pattern.test(frames[i].name)) continue;
    covered += frames[i].weight;
    i = frames[i].end - 1;  // a stack counts once
  }
  matched.textContent = "matched: " + share(covered, zoomed.weight);
}
function search(text) {
  const field = document.getElementById("search");
  field.classList.remove("bad");
  try {
    pattern = text === "" ? null : new RegExp(text, "i");
  } catch (error) {
    pattern = null;
    field.classList.add("bad");
  }
  draw();
}
graph.addEventListener("click", event => {
  const number = event.target.dataset.number;
  if (number === undefined) return;
  zoomed = frames[Number(number)];
  draw();
});
graph.addEventListener("mouseover", event => {
  const number = event.target.dataset.number;
  if (number === undefined) return;
  status.textContent = label(frames[Number(number)]);
  event.target.title = status.textContent;
});
document.getElementById("reset").addEventListener("click", () => { zoomed = root; draw(); });
document.getElementById("search").addEventListener("input", event => search(event.target.value));
window.addEventListener("resize", draw);
let isPlacing = false;
window.addEventListener("scroll", () => {
  if (isPlacing || shown.length <= BOXES_MAX) return;
  isPlacing = true;
  requestAnimationFrame(() => { isPlacing = false; place(); });
});
document.title = data.title;
document.getElementById("title").textContent = data.title;
document.getElementById("subtitle").textContent = data.subtitle;
draw();
</script>
</body>
</html>
)html";

}  // namespace reprise
