// --- the parts of the report, and the way from one to another by the page's address ---

function findingCard(finding) {
  const where = [];
  if (finding.query >= 0) where.push(link("query=" + finding.query, "query " + finding.query), " ");
  if (finding.stage >= 0) where.push(link("stage=" + finding.stage, "stage " + finding.stage), " ");
  return element("section", {class: "finding"}, element("h3", {}, (finding.seconds > 0 ? "≈ " + time(1000 * finding.seconds) + ": " : "") + finding.title),
    element("p", {}, finding.evidence + " ", ...where), element("p", {}, "Try: " + finding.remedy), finding.paste.split("\n").map(paste));
}

function findingsOf(data, matches) {
  const found = data.findings.filter(matches);
  return found.length ? [element("h3", {}, "Findings"), ...findingCards(found)] : [];
}

function findingsView(data) {
  if (!data.findings.length) return [element("h2", {}, "Findings"), element("p", {}, "Nothing that costs half a second or more was found.")];
  return [element("h2", {}, "Findings"), element("p", {class: "soft"}, "The one that costs most first. Seconds are estimates of the application's time; several may tell of the same seconds."),
    ...findingCards(data.findings)];
}

// Of a kind that is found everywhere the first ones stand here, the others behind a button.
function findingCards(findings) {
  const SHOWN = 3, kinds = Map.groupBy(findings, finding => finding.kind);
  return findings.flatMap(finding => {
    const ofKind = kinds.get(finding.kind), at = ofKind.indexOf(finding);
    if (at < SHOWN) return [findingCard(finding)];
    if (at > SHOWN) return [];
    const more = element("button", {type: "button"}, `${count(ofKind.length - SHOWN)} more of ${finding.kind}`);
    const place = element("p", {}, more);
    more.addEventListener("click", () => place.replaceWith(...ofKind.slice(SHOWN).map(findingCard)));
    return [place];
  });
}

function nativeShare(query) {
  const all = query.nativeMs + query.sparkMs;
  if (!query.plugin || all <= 0) return query.plugin ? "" : element("span", {class: "soft"}, "no plug-in");
  const percent = Math.round(100 * query.nativeMs / all);
  return element("span", {title: percent + " % of task time in native operators"}, element("span", {class: "share"}, element("i", {style: `width:${percent}%`})), ` ${percent} %`);
}

function queriesView(data) {
  return [element("h2", {}, "Queries"), table([
    {name: "query", figure: true, value: q => q.id, show: q => link("query=" + q.id, String(q.id))},
    {name: "time", figure: true, value: q => q.wallMs, show: q => time(q.wallMs)},
    {name: "native", value: q => q.nativeMs / Math.max(q.nativeMs + q.sparkMs, 1e-9), show: nativeShare},
    {name: "task time", figure: true, value: q => q.nativeMs + q.sparkMs, show: q => time(q.nativeMs + q.sparkMs)},
    {name: "jobs", figure: true, value: q => q.jobs.length, show: q => count(q.jobs.length)},
    {name: "stages", figure: true, value: q => q.stages.length, show: q => count(q.stages.length)},
    {name: "", show: q => q.error ? element("span", {class: "bad"}, "failed") : q.ended ? "" : "running"},
    {name: "description", value: q => q.description, show: q => q.description},
  ], data.queries, q => q.id + " " + q.description + " " + q.error)];
}

// Operators of a query in both runs, those that changed most first.
function againstFirst(data, id) {
  const pair = data.comparison && data.comparison.queries.find(q => q.right === id);
  if (!pair) return [];
  const side = (name, of) => ({name, figure: true, value: o => o[of] ? o[of].ms : 0, show: o => o[of] ? time(o[of].ms) : ""});
  const rows = of => ({name: of === "left" ? "rows in the first" : "rows", figure: true, value: o => o[of] ? o[of].rows : 0, show: o => o[of] && o[of].rows >= 0 ? count(o[of].rows) : ""});
  return [element("h3", {}, `Against query ${pair.left} of the first run: ${time(pair.leftMs)} there`), table([
    {name: "operator", value: o => (o.right || o.left).name, show: o => { const {name, id} = o.right || o.left; return id ? `${name} ${id}` : name; }},
    side("task time in the first", "left"), side("task time", "right"), rows("left"), rows("right"),
    {name: "", show: o => o.left ? o.right ? "" : "gone" : "new"},
  ], pair.operators), pair.settings.length ? settingsTable(pair.settings) : null];
}

const OUTCOMES = {held: "held", failed: "failed", untold: "not known: its operator did not run to its end"};

function assertionsOf(query) {
  if (!query.assertions.length) return [];
  return [element("h3", {}, "Assertions"), table([
    {name: "LORE id", figure: true, value: a => a.id, show: a => a.id}, {name: "operator", value: a => a.name, show: a => a.name},
    {name: "assertion", value: a => a.text, show: a => element("code", {}, a.text)},
    {name: "outcome", value: a => a.outcome, show: a => a.outcome === "failed" ? element("span", {class: "bad"}, OUTCOMES.failed) : OUTCOMES[a.outcome]},
  ], query.assertions)];
}

function queryView(data, id) {
  const query = data.queries.find(q => q.id === id);
  if (!query) return [element("p", {}, `There is no query ${id}.`)];
  const details = element("div", {id: "operator"});
  const choose = node => { details.replaceChildren(...operatorDetails(node)); details.scrollIntoView({block: "nearest"}); };
  const total = query.nativeMs + query.sparkMs;
  const graph = (nodes, name) => element("figure", {}, element("figcaption", {class: "soft"}, name), planGraph(nodes, total, choose));
  const last = query.plan.length ? graph(query.plan, query.firstPlan.length ? "as it ran" : "plan") : element("p", {}, "The log describes no plan of it.");
  const plans = element("div", {class: "plans"}, last);
  const tools = element("div", {class: "tools"});
  if (query.firstPlan.length) {
    const button = element("button", {type: "button", "aria-pressed": "false"}, "show the first plan beside it");
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!shown));
      plans.replaceChildren(...(shown ? [last] : [graph(query.firstPlan, "before adaptive execution changed it"), last]));
    });
    tools.append(button);
  }
  const settings = Object.entries(query.settings);
  return [element("h2", {}, `Query ${id}`), element("p", {}, query.description), query.error ? element("pre", {class: "bad"}, query.error) : null,
    figures([["time", time(query.wallMs)], ["task time", time(total)], ["native", nativeShare(query)],
      ["stages", element("span", {}, links("stage", query.stages))], ["jobs", query.jobs.join(" ")]]),
    ...againstFirst(data, id), ...findingsOf(data, finding => finding.query === id), ...assertionsOf(query), element("h3", {}, "Plan"), legend(query.plugin), tools, plans, details,
    settings.length ? element("h3", {}, "Settings of its session") : null,
    settings.length ? element("pre", {}, settings.map(([name, value]) => name + "=" + value).join("\n")) : null];
}

const lastAttempt = stage => stage.attempts[stage.attempts.length - 1];
const stageMs = attempt => attempt && attempt.completed ? attempt.completed - attempt.submitted : 0;

function stagesView(data) {
  const of = get => stage => { const attempt = lastAttempt(stage); return attempt ? get(attempt) : 0; };
  const figure = (name, get, show) => ({name, figure: true, value: of(get), show: stage => lastAttempt(stage) ? show(of(get)(stage)) : ""});
  return [element("h2", {}, "Stages"), table([
    {name: "stage", figure: true, value: s => s.id, show: s => link("stage=" + s.id, String(s.id))},
    {name: "state", value: s => s.state, show: s => s.state === "failed" ? element("span", {class: "bad"}, s.state) : s.state},
    {name: "query", figure: true, value: s => s.query, show: s => s.query >= 0 ? link("query=" + s.query, String(s.query)) : ""},
    figure("time", stageMs, value => value ? time(value) : ""),
    figure("tasks", a => a.taskCount, count),
    figure("median task", a => a.medianMs, time),
    figure("slowest", a => a.slowest.ms, time),
    figure("GC", a => a.gcMs, value => value ? time(value) : ""),
    figure("spilled", a => a.spilledDisk, value => value ? bytes(value) : ""),
    figure("read", a => a.inputBytes + a.shuffleReadBytes, value => value ? bytes(value) : ""),
    figure("shuffled", a => a.shuffleWriteBytes, value => value ? bytes(value) : ""),
    {name: "name", value: s => s.name, show: s => s.name},
  ], data.stages, s => s.id + " " + s.name + " " + s.state)];
}

// How many tasks took how long: a bar an interval.
function distribution(histogram) {
  const BAR = 18, HEIGHT = 90, most = Math.max(...histogram.counts, 1);
  const svg = element("svg", {class: "bars", width: histogram.counts.length * BAR + 90, height: HEIGHT + 34, role: "img", "aria-label": "tasks by duration"});
  histogram.counts.forEach((tasks, i) => {
    const height = tasks ? Math.max(HEIGHT * tasks / most, 2) : 0;
    const lower = histogram.from + i * histogram.step;
    const bar = element("rect", {x: i * BAR, y: 12 + HEIGHT - height, width: BAR - 2, height});
    bar.append(element("title", {}, `${count(tasks)} tasks of ${time(lower)} to ${time(lower + histogram.step)}`));
    svg.append(bar);
    if (tasks && (tasks === most || histogram.counts.length - i === 1)) svg.append(element("text", {x: i * BAR, y: 8 + HEIGHT - height}, count(tasks)));
  });
  svg.append(element("text", {x: 0, y: HEIGHT + 28}, time(histogram.from)),
    element("text", {x: histogram.counts.length * BAR - 4, y: HEIGHT + 28, "text-anchor": "end"}, time(histogram.from + histogram.counts.length * histogram.step)));
  return element("div", {class: "scroll"}, svg);
}

function attemptView(stage, attempt) {
  return [stage.attempts.length > 1 ? element("h3", {}, `Attempt ${attempt.attempt}`) : null,
    attempt.failure ? element("pre", {class: "bad"}, attempt.failure) : null,
    figures([["time", attempt.completed ? time(stageMs(attempt)) : "running"], ["tasks", `${count(attempt.succeeded)} done${attempt.failed ? `, ${attempt.failed} failed` : ""}${attempt.killed ? `, ${attempt.killed} killed` : ""} of ${count(attempt.taskCount)}`],
      ["median task", time(attempt.medianMs)], ["slowest task", attempt.slowest.ms >= 0 ? `${time(attempt.slowest.ms)}: task ${attempt.slowest.index} on executor ${attempt.slowest.executor}` : ""],
      ["task time", time(attempt.runMs)], ["processor", time(attempt.cpuMs)], ["garbage collection", attempt.gcMs ? time(attempt.gcMs) : ""],
      ["waited for blocks", attempt.fetchWaitMs ? time(attempt.fetchWaitMs) : ""],
      ["peak memory of a task", attempt.peakMemory ? bytes(attempt.peakMemory) : ""], ["spilled", attempt.spilledDisk ? `${bytes(attempt.spilledDisk)} to disk, ${bytes(attempt.spilledMemory)} of memory` : ""],
      ["input", volume(attempt.inputRows, attempt.inputBytes)], ["shuffle read", volume(attempt.shuffleReadRows, attempt.shuffleReadBytes)],
      ["shuffle write", volume(attempt.shuffleWriteRows, attempt.shuffleWriteBytes)], ["output", volume(attempt.outputRows, attempt.outputBytes)],
      ["result", attempt.resultBytes ? bytes(attempt.resultBytes) : ""]]),
    attempt.histogram ? distribution(attempt.histogram) : null,
    ...slowTasks(attempt.slowTasks), ...failuresOf(attempt)];
}

function failuresOf(attempt) {
  if (!attempt.failures.length) return [];
  return [element("ul", {}, attempt.failures.map(failure => element("li", {class: "bad"}, `${count(failure.count)} × ${failure.reason}`))),
    element("p", {class: "soft"}, "Take what failed home:"), paste(attempt.failureLines.join("\n"))];
}

// What slow tasks do more than median ones; the flame graph of the difference is a page of its own.
function slowTasks(slow) {
  if (!slow) return [];
  const where = element("p", {}, "Flame graph of slow tasks against median ones: ", fileLink(slow.page));
  if (!slow.more || !slow.more.length) return [where];
  const samples = of => ({name: of === "slow" ? "slow task" : "median task", figure: true, value: m => m[of], show: m => count(m[of])});
  return [element("h3", {}, "What slow tasks do more"),
    element("p", {class: "soft"}, `${slow.event} samples a task: ${slow.slow} of ${count(slow.tasks)} tasks, ${time(slow.slowMs)} on average, against ${slow.median} median ones, ${time(slow.medianMs)}`),
    table([{name: "method", value: m => m.name, show: m => element("code", {}, m.name)}, {name: "in", value: m => m.within, show: m => m.within},
      samples("slow"), samples("median")], slow.more), where];
}

// A link where a page from disk may follow it.
function fileLink(file) {
  const local = location.protocol === "file:" && /^(file:|\/)/.test(file);
  return local ? element("a", {href: file.replace(/^file:\/*/, "/")}, file) : file;
}

const peakMemory = node => Math.max(0, ...node.metrics.filter(([name]) => name === "peak memory").map(([, , value]) => value));

// Flame graphs stand where the application was told to write them.
function flameLink(data, stage) {
  const folder = data.settings["spark.reprise.flameGraph.pathPrefix"], attempt = lastAttempt(stage);
  if (!folder || !attempt) return null;
  const file = `${folder.replace(/\/$/, "")}/index.html#stage-${stage.id}-${attempt.attempt}`;
  return element("p", {}, "Flame graphs: ", fileLink(file));
}

function stageView(data, id) {
  const stage = data.stages.find(s => s.id === id);
  if (!stage) return [element("p", {}, `There is no stage ${id}.`)];
  const query = data.queries.find(q => q.id === stage.query);
  const operators = query ? query.plan.filter(node => node.stages.includes(id)) : [];
  const rdds = stage.rdds.map(rdd => data.rdds[rdd]).filter(Boolean);
  return [element("h2", {}, `Stage ${id}`), element("p", {}, stage.name, " ", query ? link("query=" + query.id, "query " + query.id) : null),
    element("p", {class: "soft"}, stage.state, stage.parents.length ? [", reads what stages ", ...links("stage", stage.parents), " have shuffled"] : null),
    ...findingsOf(data, finding => finding.stage === id), ...stage.attempts.flatMap(attempt => attemptView(stage, attempt)),
    operators.length ? element("h3", {}, "Operators") : null,
    operators.length ? table([
      {name: "LORE id", figure: true, value: n => n.id, show: n => n.id || ""}, {name: "operator", value: n => n.name, show: n => n.name},
      {name: "runs", value: n => n.runs, show: n => RUNS[n.runs]},
      {name: "task time", figure: true, value: n => n.ms, show: n => (n.estimated ? "≈ " : "") + time(n.ms)},
      {name: "rows", figure: true, value: n => n.rows, show: n => n.rows >= 0 ? count(n.rows) : ""},
      {name: "peak memory, all tasks", figure: true, value: peakMemory, show: n => peakMemory(n) ? bytes(peakMemory(n)) : ""},
    ], operators) : null,
    flameLink(data, stage), element("h3", {}, "RDDs"), table([
      {name: "RDD", figure: true, value: r => r.id, show: r => r.id}, {name: "of", value: r => r.parents.join(" "), show: r => r.parents.join(" ")},
      {name: "name", value: r => r.name, show: r => r.name}, {name: "call site", value: r => r.callSite, show: r => r.callSite},
      {name: "operator or call", value: r => r.scope || "", show: r => r.scope || ""},
      {name: "partitions", figure: true, value: r => r.partitions, show: r => count(r.partitions)}, {name: "kept", value: r => r.storageLevel || "", show: r => r.storageLevel || ""},
    ], rdds), paste(`reprise lineage ${data.application.log || "LOG"} --stage ${id} -o rdds.svg`), paste(`reprise tasks ${data.application.log || "LOG"} --stage ${id}`)];
}

function executorsView(data) {
  return [element("h2", {}, "Executors and settings"), table([
    {name: "executor", value: e => e.id, show: e => e.id}, {name: "host", value: e => e.host, show: e => e.host},
    {name: "cores", figure: true, value: e => e.cores, show: e => count(e.cores)},
    {name: "came after", figure: true, value: e => e.added, show: e => time(Math.max(e.added - data.application.started, 0))},
    {name: "went after", figure: true, value: e => e.removed, show: e => e.removed ? time(e.removed - data.application.started) : ""},
    {name: "why", value: e => e.reason, show: e => e.reason},
  ], data.executors), table([
    {name: "setting", value: ([name]) => name, show: ([name]) => name}, {name: "value", value: ([, value]) => value, show: ([, value]) => value},
  ], Object.entries(data.settings), ([name, value]) => name + " " + value)];
}

const shownSetting = value => value === "" ? element("span", {class: "soft"}, "not set") : value;

function settingsTable(settings) {
  return table([{name: "setting", value: s => s.name, show: s => s.name}, {name: "first run", value: s => s.left, show: s => shownSetting(s.left)},
    {name: "this run", value: s => s.right, show: s => shownSetting(s.right)}], settings, s => s.name);
}

const change = (before, after) => (after >= before ? "+" : "−") + time(Math.abs(after - before));

// The operator whose time changed most the way that its query's did.
function changedOperator(query) {
  const slower = query.rightMs >= query.leftMs;
  const [operator] = slower ? query.operators : query.operators.slice(-1);
  if (!operator) return "";
  const {left, right} = operator, before = left ? left.ms : 0, after = right ? right.ms : 0;
  if (slower ? after <= before : after >= before) return "";
  const side = right || left;
  return `${side.name}${side.id ? " " + side.id : ""} ${change(before, after)}${left ? right ? "" : ", gone" : ", new"}`;
}

function comparisonView(data) {
  const {left, right, queries, settings, onlyLeft, onlyRight, ledger} = data.comparison;
  return [element("h2", {}, "Compared with another run"),
    figures([["first run", `${left.name} (${left.id}), ${time(left.ms)}`], ["this run", `${right.name} (${right.id}), ${time(right.ms)}`],
      ["queries in the first alone", onlyLeft.join(" ")], ["in this alone", onlyRight.length ? element("span", {}, links("query", onlyRight)) : ""]]),
    ledger ? element("pre", {}, ledger) : null,
    table([
      {name: "query", figure: true, value: q => q.right, show: q => link("query=" + q.right, String(q.right))},
      {name: "in the first", figure: true, value: q => q.left, show: q => q.left},
      {name: "change", figure: true, value: q => q.rightMs - q.leftMs, show: q => change(q.leftMs, q.rightMs)},
      {name: "took", figure: true, value: q => q.leftMs, show: q => time(q.leftMs)}, {name: "takes", figure: true, value: q => q.rightMs, show: q => time(q.rightMs)},
      {name: "most of it in, task time", value: changedOperator, show: changedOperator},
      {name: "plan", value: q => q.samePlan, show: q => q.samePlan ? "the same" : element("span", {class: "bad"}, "another")},
      {name: "description", value: q => q.description, show: q => q.description},
    ], queries, q => q.right + " " + q.description),
    element("h3", {}, "Settings that differ"), settings.length ? settingsTable(settings) : element("p", {}, "None.")];
}

function ledgerView(data) {
  return [element("h2", {}, "Ledger"), element("p", {class: "soft"}, "What was computed more than once should have given the same each time."),
    element("pre", {class: data.ledger.differs ? "bad" : null}, data.ledger.text)];
}

const COMPARED = ["compared", "Compared", comparisonView];
const LEDGER = ["ledger", "Ledger", ledgerView];
const PARTS = [["findings", "Findings", findingsView], ["timeline", "Timeline", data => [element("h2", {}, "Timeline"), timeline(data)]],
  ["queries", "Queries", queriesView], ["stages", "Stages", stagesView], ["executors", "Executors and settings", executorsView]];

function show(data, scrolled = 0) {
  if (data.comparison && PARTS[0] !== COMPARED) PARTS.unshift(COMPARED);
  if (data.ledger && !PARTS.includes(LEDGER)) PARTS.push(LEDGER);
  const [part, id] = location.hash.slice(1).split("=");
  const view = {query: () => queryView(data, Number(id)), stage: () => stageView(data, Number(id))}[part]
    || (() => (PARTS.find(([name]) => name === part) || PARTS[0])[2](data));
  const current = {query: "queries", stage: "stages"}[part] || (PARTS.find(([name]) => name === part) || PARTS[0])[0];
  document.getElementById("nav").replaceChildren(...PARTS.map(([name, text]) => {
    const counted = {findings: data.findings, queries: data.queries, stages: data.stages}[name];
    return element("a", {href: "#" + name, "aria-current": name === current ? "page" : null}, text + (counted ? ` (${count(counted.length)})` : ""));
  }));
  document.getElementById("main").replaceChildren(...view().filter(Boolean));
  window.scrollTo(0, scrolled);
}

// From disk the data is in the page; served by an application it is asked for.
async function load() {
  if (!packed) return (await fetch("data")).json();
  const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// What is served is asked for again while the application runs; parts in which something is chosen or typed stay as they are.
function follow(data) {
  const EVERY_MS = 5000;
  if (packed || data.application.ended) return;
  setTimeout(() => {
    if (document.hidden) return follow(data);
    load().then(newer => {
      Object.assign(data, newer);
      const busy = /=/.test(location.hash) || document.activeElement !== document.body;
      if (!busy) show(data, window.scrollY);
      follow(data);
    }, () => follow(data));  // it may have ended
  }, EVERY_MS);
}

// In a frame without an address of its own, as notebooks have it, '#…' would be read as of the page around it.
document.addEventListener("click", event => {
  const target = event.target.closest && event.target.closest('a[href^="#"]');
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  location.hash = target.getAttribute("href");
});

load().then(data => {
  const application = data.application;
  document.title = application.name + ", Reprise";
  document.getElementById("title").textContent = application.name;
  document.getElementById("facts").textContent = [application.id, "Spark " + application.sparkVersion,
    application.ended ? "ran " + time(application.ended - application.started) : packed ? "had not ended" : "has run for " + time(application.last - application.started),
    application.cores ? count(application.cores) + " cores" : "", application.damages ? count(application.damages) + " damaged lines skipped" : ""].filter(Boolean).join(" · ");
  window.addEventListener("hashchange", () => show(data));
  show(data);
  follow(data);
}, error => document.getElementById("main").replaceChildren(element("p", {class: "bad"}, "The report cannot be shown: " + error.message)));
