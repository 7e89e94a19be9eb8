// --- the application on a line of time: what ran beside what ---

function timeline(data) {
  const from = data.application.started, to = Math.max(data.application.last, from + 1);
  const width = Math.max(document.body.clientWidth - 60, 300), left = 84, LANE = 16, LANES_MAX = 14;
  const x = at => left + (width - left - 8) * (at - from) / (to - from);
  const end = at => at || data.application.last;
  const kinds = [
    ["executors", data.executors.map(e => ({from: e.added, to: end(e.removed), href: "executors",
      text: `executor ${e.id} on ${e.host}, ${e.cores} cores${e.reason ? ": " + e.reason : ""}`}))],
    ["queries", data.queries.map(q => ({from: q.started, to: end(q.ended), failed: q.error, href: "query=" + q.id, text: `query ${q.id}: ${q.description}`}))],
    ["jobs", data.jobs.map(j => ({from: j.started, to: end(j.ended), failed: j.failed, href: j.query >= 0 ? "query=" + j.query : "stages", text: `job ${j.id} ${j.description}`}))],
    ["stages", data.stages.flatMap(s => s.attempts.map(a => ({from: a.submitted, to: end(a.completed), failed: a.failure, href: "stage=" + s.id,
      text: `stage ${s.id}.${a.attempt}: ${s.name}, ${count(a.taskCount)} tasks`})))],
  ];
  const svg = element("svg", {width, class: "lanes", role: "img", "aria-label": "timeline"});
  let y = 18;
  for (let i = 0; i <= 5; i++) {
    const at = from + (to - from) * i / 5;
    svg.append(element("text", {x: Math.min(x(at), width - 60), y: 11, "text-anchor": i ? "middle" : "start"}, time(at - from)));
  }
  for (const [kind, bars] of kinds) {
    const lanes = [];
    let hidden = 0;
    for (const bar of bars.filter(bar => bar.from > 0).sort((a, b) => a.from - b.from)) {
      let lane = lanes.findIndex(last => last <= x(bar.from));
      if (lane < 0) lane = lanes.length;
      if (lane >= LANES_MAX) { hidden++; continue; }
      const long = Math.max(x(bar.to) - x(bar.from), 1.5);
      lanes[lane] = x(bar.from) + long;
      const fill = {executors: "var(--spark)", queries: "var(--native)", jobs: "var(--guest)", stages: "var(--bar)"}[kind];
      const anchor = document.createElementNS("http://www.w3.org/2000/svg", "a");
      anchor.setAttribute("href", "#" + bar.href);
      anchor.append(element("rect", {x: x(bar.from), y: y + lane * LANE, width: long, height: LANE - 3, class: bar.failed ? "failed" : null, fill}),
        element("title", {}, `${bar.text}\n${time(bar.to - bar.from)}, from ${time(bar.from - from)}`));
      svg.append(anchor);
    }
    if (!lanes.length) continue;
    svg.append(element("text", {x: 0, y: y + 11}, kind + (hidden ? ` (+${hidden})` : "")));
    y += lanes.length * LANE + 10;
  }
  svg.setAttribute("height", y);
  return element("div", {class: "scroll"}, svg);
}
