// --- elements and figures: what every part of the page is made of ---

// Text goes in as text nodes alone, so that a name with markup in it stays a name.
function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "path", "text", "title", "line"].includes(tag);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined));
  return made;
}

const count = value => Math.round(value).toLocaleString("en-US");

function bytes(value) {
  if (value < 1000) return value + " B";
  const units = ["kB", "MB", "GB", "TB", "PB"];
  let at = -1;
  while (value >= 999.5 && at < units.length - 1) value /= 1000, at++;
  return value.toPrecision(3).replace(/\.0+$/, "") + " " + units[at];
}

function time(ms) {
  if (ms < 1) return ms > 0 ? ms.toPrecision(2) + " ms" : "0 ms";
  if (ms < 1000) return Math.round(ms) + " ms";
  if (ms < 60000) return (ms / 1000).toPrecision(3) + " s";
  const minutes = Math.floor(ms / 60000);
  return minutes < 60 ? minutes + " min " + Math.round(ms / 1000 % 60) + " s"
    : Math.floor(minutes / 60) + " h " + minutes % 60 + " min";
}

const rowsText = rows => count(rows) + (rows === 1 ? " row" : " rows");
const volume = (rows, size) => rows || size ? rowsText(rows) + ", " + bytes(size) : "";
const metricText = (type, value) => type === "size" ? bytes(value) : type === "timing" ? time(value)
  : type === "nsTiming" ? time(value / 1e6) : count(value);

const link = (target, text) => element("a", {href: "#" + target}, text);
const links = (kind, ids) => ids.flatMap((id, i) => i ? [" ", link(kind + "=" + id, String(id))] : [link(kind + "=" + id, String(id))]);

// A line to take along, with the button that takes it.
function paste(text) {
  const button = element("button", {type: "button", "aria-label": "copy " + text}, "copy");
  button.addEventListener("click", () => copy(text).then(done => button.textContent = done ? "copied" : "select it"));
  return element("div", {class: "paste"}, element("code", {}, text), button);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from disk may not have the clipboard.
    const area = element("textarea", {});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// Columns are {name, figure, value: row => what to sort by, show: row => text or element}.
function table(columns, rows, searched) {
  const SHOWN = 300;
  let sorted = -1, down = false, all = false, word = "";
  const body = element("tbody"), rest = element("div", {class: "tools"});
  const heads = columns.map((column, i) => element("th", {class: column.figure ? "figure" : null, scope: "col"},
    element("button", {type: "button", onclick: () => sort(i)}, column.name)));
  function sort(i) {
    down = sorted === i ? !down : Boolean(columns[i].figure);
    sorted = i;
    heads.forEach((head, at) => at === i ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort"));
    draw();
  }
  function draw() {
    let shown = rows.filter(row => !word || searched(row).toLowerCase().includes(word));
    if (sorted >= 0) {
      const value = columns[sorted].value || columns[sorted].show, sign = down ? -1 : 1;
      shown = [...shown].sort((a, b) => { const x = value(a), y = value(b); return x < y ? -sign : x > y ? sign : 0; });
    }
    const drawn = all ? shown : shown.slice(0, SHOWN);
    body.replaceChildren(...drawn.map(row => element("tr", {}, columns.map(column =>
      element("td", {class: column.figure ? "figure" : null}, column.show(row))))));
    rest.replaceChildren(...(drawn.length < shown.length
      ? [element("button", {type: "button", onclick: () => { all = true; draw(); }}, "show all " + count(shown.length))] : []));
  }
  const search = element("input", {type: "search", placeholder: "search", "aria-label": "search"});
  search.addEventListener("input", () => { word = search.value.toLowerCase(); draw(); });
  draw();
  return element("div", {}, searched && rows.length > 10 ? element("div", {class: "tools"}, search) : null,
    element("div", {class: "scroll"}, element("table", {}, element("thead", {}, element("tr", {}, heads)), body)), rest);
}

const figures = pairs => element("dl", {class: "figures"}, pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined)
  .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
