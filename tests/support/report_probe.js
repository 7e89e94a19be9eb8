// Goes through every part of a report's page as a reader would, and leaves what it saw in the title.
const failures = [];
window.addEventListener("error", event => failures.push(event.message));
window.addEventListener("unhandledrejection", event => failures.push(String(event.reason)));
const settled = () => new Promise(done => setTimeout(done, 20));
async function at(hash) {
  location.hash = hash;
  await settled();
  return document.getElementById("main");
}
async function probe() {
  while (document.getElementById("main").textContent === "Loading…") await settled();
  const data = await load();
  const seen = {title: document.title, findings: document.querySelectorAll(".finding").length, queries: {}, stages: {}};
  const followed = new Set();
  for (const part of ["findings", "timeline", "queries", "stages", "executors"]) {
    const main = await at(part);
    seen[part + " rows"] = main.querySelectorAll("tbody tr").length;
    seen[part + " bars"] = main.querySelectorAll(".lanes rect").length;
    if (part === "queries" || part === "stages") {
      const search = main.querySelector("input[type=search]");
      if (search) {
        search.value = "zzzzzz";
        search.dispatchEvent(new Event("input"));
        seen[part + " found"] = main.querySelectorAll("tbody tr").length;
      }
    }
    for (const link of main.querySelectorAll("a")) followed.add(link.getAttribute("href"));
  }
  for (const query of data.queries.slice(0, QUERIES)) {
    const main = await at("query=" + query.id);
    for (const link of main.querySelectorAll("a")) followed.add(link.getAttribute("href"));
    const nodes = [...main.querySelectorAll(".node")];
    if (nodes.length) nodes[nodes.length - 1].click();
    const first = [...main.querySelectorAll("button")].find(button => button.textContent.startsWith("show the first plan"));
    if (first) first.click();
    seen.queries[query.id] = {nodes: nodes.map(node => node.className + " " + node.querySelector(".name").textContent), with_first: main.querySelectorAll(".node").length,
      edges: main.querySelectorAll(".edge").length, texts: [...main.querySelectorAll("pre")].map(pre => pre.textContent),
      headings: [...main.querySelectorAll("h3")].map(heading => heading.textContent),
      copied: [...main.querySelectorAll(".paste code")].map(code => code.textContent), markup: main.querySelectorAll("b, script").length};
  }
  for (const stage of data.stages.slice(0, STAGES)) {
    const main = await at("stage=" + stage.id);
    for (const link of main.querySelectorAll("a")) followed.add(link.getAttribute("href"));
    seen.stages[stage.id] = {bars: main.querySelectorAll(".bars rect").length, copied: main.querySelectorAll(".paste code").length,
      headings: [...main.querySelectorAll("h3, thead button")].map(heading => heading.textContent)};
  }
  if (data.ledger) seen.ledger = (await at("ledger")).textContent;
  seen.dead = [];
  for (const hash of [...followed].slice(0, 200)) {
    const main = await at(hash.slice(1));
    if (/There is no/.test(main.textContent)) seen.dead.push(hash);
  }
  await at("findings");
  const copy = document.querySelector(".paste button");
  if (copy) {
    // A browser without a window asks nobody for the clipboard.
    navigator.clipboard.writeText = async text => { seen.copied = text; };
    copy.click();
    await settled();
    seen.copy = copy.textContent;
  }
  seen.too_wide = [];
  for (const hash of ["findings", "timeline", "queries", "stages", "executors", "query=0", "stage=0"]) {
    await at(hash);
    if (document.documentElement.scrollWidth > innerWidth + 1) seen.too_wide.push(hash);
  }
  seen.failures = failures;
  return seen;
}
probe().then(seen => document.title = "PROBE" + JSON.stringify(seen), error => document.title = "PROBE" + JSON.stringify({failures: [String(error.stack)]}));
