// --- a query's plan as a graph: the result on top, what it is made of below ---

const NODE_WIDTH = 196, NODE_HEIGHT = 54, ROW_HEIGHT = 84;

function planGraph(nodes, total, choose) {
  const hierarchy = d3.stratify().id((node, i) => i).parentId((node, i) => node.parent < 0 ? null : node.parent)(nodes);
  const root = d3.tree().nodeSize([NODE_WIDTH + 24, ROW_HEIGHT])(hierarchy);
  const all = [];
  root.eachBefore(node => all.push(node));  // the order in which the keyboard goes through them
  const left = Math.min(...all.map(node => node.x)) - NODE_WIDTH / 2 - 8;
  const width = Math.max(...all.map(node => node.x)) + NODE_WIDTH / 2 + 8 - left;
  const height = (root.height + 1) * ROW_HEIGHT;
  const x = node => node.x - left, y = node => node.y + 8;
  const svg = element("svg", {width, height, "aria-hidden": "true"});
  for (const node of all) {
    if (!node.parent) continue;
    const from = y(node), to = y(node.parent) + NODE_HEIGHT, middle = (from + to) / 2;
    svg.append(element("path", {class: "edge", d: `M${x(node)},${from}C${x(node)},${middle} ${x(node.parent)},${middle} ${x(node.parent)},${to}`}));
    const flows = [node.data.rows >= 0 ? rowsText(node.data.rows) : "", node.data.bytes > 0 ? bytes(node.data.bytes) : ""].filter(Boolean).join(", ");
    if (flows) svg.append(element("text", {x: x(node) + 6, y: from - 8}, flows));
  }
  const buttons = all.map(node => {
    const its = node.data, share = total > 0 ? its.ms / total : 0;
    const button = element("button", {type: "button", class: ["node", its.runs, its.reasons.length && its.runs === "spark" ? "refused" : ""].join(" "),
      style: `left:${x(node) - NODE_WIDTH / 2}px;top:${y(node)}px`, "aria-pressed": "false",
      title: its.reasons.join("\n") || its.text},
    element("i", {class: "heat", style: `opacity:${Math.min(share, 1) * 0.55}`}),
    element("span", {class: "name"}, (its.id ? its.id + " " : "") + its.name),
    element("span", {class: "soft"}, its.ms > 0 ? (its.estimated ? "≈ " : "") + time(its.ms) + (share >= 0.005 ? ", " + Math.round(100 * share) + " %" : "") : " "));
    button.addEventListener("click", () => {
      buttons.forEach(other => other.setAttribute("aria-pressed", String(other === button)));
      choose(its);
    });
    return button;
  });
  return element("div", {class: "graph", tabindex: "0"}, element("div", {style: `position:relative;width:${width}px;height:${height}px`}, svg, buttons));
}

const RUNS = {native: "native", guest: "native, with expressions that Spark evaluates", spark: "Spark", nothing: "did not run"};

function legend(plugin) {
  const colour = {native: "var(--native)", guest: "var(--guest)", spark: "var(--spark)"};
  return element("p", {class: "legend soft"}, Object.entries(colour).filter(([kind]) => plugin || kind === "spark")
    .map(([kind, value]) => element("span", {style: "border-color:" + value}, RUNS[kind])),
  "the redder, the more of the query's task time; ≈ is divided among operators by their rows, as Spark measures few of them");
}

// What is known of one operator, and the lines that take it home.
function operatorDetails(node) {
  const parts = [element("h3", {}, (node.id ? node.id + " " : "") + node.name), element("pre", {}, node.text),
    figures([["runs", RUNS[node.runs]], ["task time", (node.estimated ? "≈ " : "") + time(node.ms)],
      ["stages", node.stages.length ? element("span", {}, links("stage", node.stages)) : ""],
      ...node.metrics.map(([name, type, value]) => [name, metricText(type, value)])])];
  if (node.reasons.length) {
    parts.push(element("h3", {}, node.runs === "spark" ? "Not native, because" : "Evaluated by Spark"),
      element("ul", {}, node.reasons.map(reason => element("li", {}, reason))));
  }
  if (node.id) {
    parts.push(element("h3", {}, "Take it home"), element("p", {class: "soft"}, "Run the query again with"),
      paste(`spark.reprise.lore.idsToDump=${node.id}[*]\nspark.reprise.lore.dumpPath=/tmp/dump`),
      element("p", {class: "soft"}, "and then, without Spark,"), paste(`reprise replay /tmp/dump/loreId-${node.id}`));
  }
  return parts;
}
