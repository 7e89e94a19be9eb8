#include "profile/index_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>
body { font: 13px system-ui, sans-serif; margin: 16px; color: #222; background: #fff; }
h1 { font-size: 18px; margin: 0 0 4px; }
h2 { font-size: 15px; margin: 20px 0 6px; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 3px 10px 3px 0; border-bottom: 1px solid #ddd; }
td.number, th.number { text-align: right; white-space: nowrap; }
.quiet { color: #666; }
.wide { overflow-x: auto; }
#stages th { cursor: pointer; }
#stages td:nth-child(2) { min-width: 10em; overflow-wrap: anywhere; }
</style>
</head>
<body>
)html";

// A click on a head sorts the overview by that column, another one the other way round.
constexpr std::string_view kTail = R"html(<script>
"use strict";
const table = document.getElementById("stages");
const valueOf = (row, column) => Number(row.cells[column].dataset.value ?? NaN);
function sortBy(column, up) {
  const rows = Array.from(table.tBodies[0].rows);
  const isText = rows.some(row => row.cells[column].dataset.value === undefined);
  rows.sort((a, b) => (up ? 1 : -1) * (isText
    ? a.cells[column].textContent.localeCompare(b.cells[column].textContent)
    : valueOf(a, column) - valueOf(b, column)));
  table.tBodies[0].append(...rows);
}
if (table) for (const head of table.tHead.rows[0].cells) {
  head.addEventListener("click", () => {
    // Numbers first come from the largest on.
    const up = head.dataset.up === undefined ? !head.classList.contains("number") : head.dataset.up !== "true";
    head.dataset.up = up;
    sortBy(head.cellIndex, up);
  });
}
</script>
</body>
</html>
)html";

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string TextMember(const Json& json, const char* member) {
  return Escaped(json.at(member).get<std::string>());
}

int64_t NumberMember(const Json& json, const char* member) {
  return json.at(member).get<int64_t>();
}

std::string DurationText(int64_t ms) {
  return ms < 1000 ? fmt::format("{} ms", ms) : fmt::format("{:.2f} s", ms / 1000.0);
}

std::string Link(const Json& page, std::string_view text) {
  return fmt::format("<a href=\"{}\">{}</a>", Escaped(page.get<std::string>()), text);
}

// What samples are counted of in the rows of a table: as stages' pages do.
class SampleColumns {
 public:
  void Add(const Json& rows) {
    for (const Json& row : rows) {
      for (const auto& [event, count] : row.at("otherSamples").items()) others_.insert(event);
      cpu_samples_ += NumberMember(row, "cpuSamples");
      wall_samples_ += NumberMember(row, "wallSamples");
    }
  }

  // Rows without any sample don't say what was sampled; the others of the application do.
  static SampleColumns Of(const Json& rows, const SampleColumns& application) {
    SampleColumns columns;
    columns.Add(rows);
    const bool has_samples =
        columns.cpu_samples_ > 0 || columns.wall_samples_ > 0 || !columns.others_.empty();
    return has_samples ? columns : application;
  }

  std::string Heads() const {
    std::string heads;
    if (HasCpu()) heads += "<th class=number>CPU samples</th>";
    if (HasWall()) heads += "<th class=number>wall-clock samples</th>";
    for (const std::string& event : others_) {
      heads += fmt::format("<th class=number>{} samples</th>", Escaped(event));
    }
    return heads;
  }

  std::string Cells(const Json& row) const {
    std::string cells;
    const auto add = [&cells](int64_t count) {
      cells += fmt::format("<td class=number>{}</td>", count);
    };
    if (HasCpu()) add(NumberMember(row, "cpuSamples"));
    if (HasWall()) add(NumberMember(row, "wallSamples"));
    const Json& others = row.at("otherSamples");
    for (const std::string& event : others_) {
      add(others.contains(event) ? NumberMember(others, event.c_str()) : 0);
    }
    return cells;
  }

 private:
  bool HasCpu() const { return others_.empty() || cpu_samples_ > 0; }
  bool HasWall() const { return others_.empty() || wall_samples_ > 0; }

  std::set<std::string> others_;
  int64_t cpu_samples_ = 0;
  int64_t wall_samples_ = 0;
};

std::string ExecutorRows(const Json& executors, const SampleColumns& columns, bool is_over) {
  std::string rows;
  for (const Json& one : executors) {
    const std::string name = TextMember(one, "executor");
    std::string page = is_over ? "none: the executor ended before it wrote one" : "not yet";
    if (one.at("isDropped").get<bool>()) {
      page = "deleted, to keep to maxBytes";
    } else if (!one.at("page").is_null()) {
      page = Link(one.at("page"), "flame graph");
      if (!one.at("isLast").get<bool>()) page += " (so far)";
    }
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=number>{}</td><td class=number>{}</td>"
        "<td class=number>{}</td>{}</tr>\n",
        name, page, NumberMember(one, "tasks"), DurationText(NumberMember(one, "wallMs")),
        DurationText(NumberMember(one, "cpuMs")), columns.Cells(one));
  }
  return rows;
}

std::string OperatorText(const Json& operators) {
  std::string text;
  for (const Json& one : operators) {
    const std::string name = one.at("name").get<std::string>();
    text += fmt::format(
        "{}{}: {} samples", text.empty() ? "" : "<br>",
        name.empty() ? fmt::format("[loreId={}]", NumberMember(one, "loreId")) : Escaped(name),
        NumberMember(one, "samples"));
  }
  return text;
}

// A number with a bar: its share of the largest of its column.
std::string BarCell(int64_t value, int64_t largest, const std::string& text) {
  const int64_t percent = largest == 0 ? 0 : 100 * value / largest;
  return fmt::format(
      "<td class=number data-value={} style=\"background:linear-gradient(to left,#cfe0f5 "
      "{}%,transparent {}%)\">{}</td>",
      value, percent, percent, text);
}

// What stages are sorted and compared by.
struct StageFigures {
  StageFigures() = default;
  explicit StageFigures(const Json& stage)
      : took_ms(stage.at("tookMs").is_null() ? 0 : NumberMember(stage, "tookMs")),
        wall_ms(NumberMember(stage, "wallMs")),
        cpu_ms(NumberMember(stage, "cpuMs")) {
    for (const Json& one : stage.at("executors")) {
      samples += NumberMember(one, "cpuSamples") + NumberMember(one, "wallSamples");
      for (const auto& [event, count] : one.at("otherSamples").items()) {
        samples += count.get<int64_t>();
      }
    }
  }

  int64_t took_ms = 0;
  int64_t wall_ms = 0;
  int64_t cpu_ms = 0;
  int64_t samples = 0;
};

std::string StageTable(const Json& stages) {
  if (stages.empty()) return "";
  std::vector<StageFigures> figures_of;
  StageFigures largest;
  for (const Json& stage : stages) {
    const StageFigures& figures = figures_of.emplace_back(stage);
    largest.took_ms = std::max(largest.took_ms, figures.took_ms);
    largest.wall_ms = std::max(largest.wall_ms, figures.wall_ms);
    largest.cpu_ms = std::max(largest.cpu_ms, figures.cpu_ms);
    largest.samples = std::max(largest.samples, figures.samples);
  }
  std::string table =
      "<div class=wide><table id=stages>\n<thead><tr><th class=number>stage</th><th>name</th>"
      "<th class=number>took</th><th class=number>tasks</th><th class=number>wall time of "
      "tasks</th><th class=number>processor time</th><th class=number>samples</th></tr></thead>\n"
      "<tbody>\n";
  for (size_t i = 0; i < stages.size(); ++i) {
    const Json& stage = stages[i];
    const StageFigures& figures = figures_of[i];
    const int64_t id = NumberMember(stage, "stage");
    const int64_t attempt = NumberMember(stage, "attempt");
    const int64_t tasks = NumberMember(stage, "tasks");
    table += fmt::format(
        "<tr><td class=number data-value={}><a href=\"#stage-{}-{}\">{}.{}</a></td><td>{}</td>{}"
        "<td class=number data-value={}>{}</td>{}{}{}</tr>\n",
        id * 1000 + attempt, id, attempt, id, attempt, TextMember(stage, "name"),
        BarCell(figures.took_ms, largest.took_ms,
                stage.at("tookMs").is_null() ? "runs" : DurationText(figures.took_ms)),
        tasks, tasks, BarCell(figures.wall_ms, largest.wall_ms, DurationText(figures.wall_ms)),
        BarCell(figures.cpu_ms, largest.cpu_ms, DurationText(figures.cpu_ms)),
        BarCell(figures.samples, largest.samples, fmt::format("{}", figures.samples)));
  }
  return table + "</tbody></table></div>\n";
}

std::string StageSection(const Json& stage, const SampleColumns& application, bool is_over) {
  const int64_t tasks = NumberMember(stage, "tasks");
  std::string section = fmt::format(
      "<h2 id=\"stage-{}-{}\">Stage {}, attempt {}: {}</h2>\n<p class=quiet>{} task{}, {} of wall "
      "time, {} of processor time{}</p>\n",
      NumberMember(stage, "stage"), NumberMember(stage, "attempt"), NumberMember(stage, "stage"),
      NumberMember(stage, "attempt"), TextMember(stage, "name"), tasks, tasks == 1 ? "" : "s",
      DurationText(NumberMember(stage, "wallMs")), DurationText(NumberMember(stage, "cpuMs")),
      stage.at("slow").is_null()
          ? ""
          : "; " + Link(stage.at("slow"), "slow tasks against median tasks"));
  if (const int64_t unseen = NumberMember(stage, "unprofiledTasks"); unseen > 0) {
    section += fmt::format(
        "<p>{} more task{} ran on executors that are not profiled: see "
        "spark.reprise.flameGraph.executors</p>\n",
        unseen, unseen == 1 ? "" : "s");
  }
  const SampleColumns columns = SampleColumns::Of(stage.at("executors"), application);
  section += fmt::format(
      "<div class=wide><table>\n<tr><th>executor</th><th>page</th><th class=number>tasks</th>"
      "<th class=number>wall time</th><th class=number>processor "
      "time</th>{}</tr>\n{}</table></div>\n",
      columns.Heads(), ExecutorRows(stage.at("executors"), columns, is_over));
  if (!stage.at("operators").empty()) {
    section += fmt::format("<p>{}</p>\n", OperatorText(stage.at("operators")));
  }
  return section;
}

}  // namespace

std::string IndexPage(const Json& index) {
  std::string page(kHead);
  const std::string title = "Flame graphs of " + TextMember(index, "application");
  page.replace(page.find("TITLE"), 5, title);
  const bool is_over = index.at("isOver").get<bool>();
  page += fmt::format("<h1>{}</h1>\n<p class=quiet>{}{}</p>\n", title, TextMember(index, "name"),
                      is_over ? "" : "; the application runs on");
  for (const Json& message : index.at("messages")) {
    page += fmt::format("<p>{}</p>\n", Escaped(message.get<std::string>()));
  }
  SampleColumns application;
  for (const Json& stage : index.at("stages")) application.Add(stage.at("executors"));
  application.Add(index.at("others"));
  page += StageTable(index.at("stages"));
  for (const Json& stage : index.at("stages")) page += StageSection(stage, application, is_over);
  if (!index.at("others").empty()) {
    const SampleColumns columns = SampleColumns::Of(index.at("others"), application);
    page += fmt::format(
        "<h2>Threads of no task, and the driver</h2>\n<table>\n<tr><th>executor</th><th>page</th>"
        "{}</tr>\n",
        columns.Heads());
    for (const Json& other : index.at("others")) {
      page += fmt::format("<tr><td>{}</td><td>{}</td>{}</tr>\n", TextMember(other, "executor"),
                          Link(other.at("page"), "flame graph"), columns.Cells(other));
    }
    page += "</table>\n";
  }
  if (!index.at("applications").empty()) page += "<h2>Other applications</h2>\n";
  for (const Json& other : index.at("applications")) {
    page += fmt::format("<p>{}</p>\n", Link(other.at("page"), TextMember(other, "application")));
  }
  return page.append(kTail);
}

}  // namespace reprise
