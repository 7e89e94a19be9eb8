#include "cli/top_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/figure_text.h"
#include "cli/figures.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr size_t kQueriesShown = 5;
constexpr size_t kStagesShown = 8;
constexpr size_t kOperatorsShown = 8;
constexpr size_t kFindingsShown = 5;

std::string TimeText(const Json& ms) {
  return MillisecondText(static_cast<int64_t>(ms.get<double>()));
}

std::string HeadText(const Json& application) {
  const auto ended = application["ended"].get<int64_t>();
  const int64_t until = ended > 0 ? ended : application["last"].get<int64_t>();
  const int64_t ran = std::max<int64_t>(until - application["started"].get<int64_t>(), 0);
  return fmt::format("{} ({}, Spark {})  {}  {} {}\n", application["name"].get<std::string>(),
                     application["id"].get<std::string>(),
                     application["sparkVersion"].get<std::string>(),
                     Counted(application["cores"].get<int64_t>(), "core", "cores"),
                     ended > 0 ? "ran for" : "has run for", MillisecondText(ran));
}

bool IsRunning(const Json& query) { return query["ended"].get<int64_t>() == 0; }

// Those that run; where none does, the last one.
std::vector<const Json*> Watched(const Json& queries) {
  std::vector<const Json*> watched;
  for (const Json& query : queries) {
    if (IsRunning(query)) watched.push_back(&query);
  }
  if (watched.empty() && !queries.empty()) watched.push_back(&queries.back());
  return watched;
}

std::string QueriesText(const std::vector<const Json*>& queries) {
  if (queries.empty()) return "No query has run.\n";
  TextTable table(
      {{"query", true}, {"", false}, {"time", true}, {"native", true}, {"description"}});
  for (size_t i = 0; i < std::min(queries.size(), kQueriesShown); ++i) {
    const Json& query = *queries[i];
    const double native = query["nativeMs"].get<double>();
    const double all = native + query["sparkMs"].get<double>();
    const char* state = IsRunning(query)                            ? "running"
                        : query["error"].get<std::string>().empty() ? "done"
                                                                    : "failed";
    table.Add(
        {std::to_string(query["id"].get<int64_t>()), state, TimeText(query["wallMs"]),
         query["plugin"].get<bool>() && all > 0 ? fmt::format("{:.0f} %", 100 * native / all) : "",
         query["description"].get<std::string>()});
  }
  std::string text = table.ToString();
  if (queries.size() > kQueriesShown) {
    text += fmt::format("and {} more\n", queries.size() - kQueriesShown);
  }
  return text;
}

// "[#####     ] 5/10"
std::string BarText(int64_t done, int64_t all) {
  constexpr int64_t kColumns = 20;
  const int64_t filled = all > 0 ? std::min(kColumns * done / all, kColumns) : 0;
  return fmt::format("[{:#<{}}{: <{}}] {}/{}", "", filled, "", kColumns - filled, Thousands(done),
                     Thousands(all));
}

std::string StagesText(const Json& stages) {
  TextTable table({{"stage", true},
                   {"query", true},
                   {"tasks"},
                   {"failed", true},
                   {"median", true},
                   {"slowest", true},
                   {"name"}});
  size_t running = 0;
  for (const Json& stage : stages) {
    if (stage["state"] != "running" || stage["attempts"].empty()) continue;
    if (++running > kStagesShown) continue;
    const Json& attempt = stage["attempts"].back();
    const auto query = stage["query"].get<int64_t>();
    const bool has_ended_tasks = attempt["succeeded"].get<int64_t>() > 0;
    table.Add(
        {std::to_string(stage["id"].get<int64_t>()), query < 0 ? "" : std::to_string(query),
         BarText(attempt["succeeded"].get<int64_t>(), attempt["taskCount"].get<int64_t>()),
         attempt["failed"].get<int64_t>() > 0 ? Thousands(attempt["failed"].get<int64_t>()) : "",
         has_ended_tasks ? TimeText(attempt["medianMs"]) : "",
         has_ended_tasks ? TimeText(attempt["slowest"]["ms"]) : "",
         stage["name"].get<std::string>()});
  }
  if (running == 0) return "No stage is running.\n";
  std::string text = table.ToString();
  if (running > kStagesShown) text += fmt::format("and {} more\n", running - kStagesShown);
  return text;
}

std::string OperatorsText(const std::vector<const Json*>& queries) {
  std::vector<const Json*> nodes;
  for (const Json* query : queries) {
    for (const Json& node : (*query)["plan"]) {
      if (node["ms"].get<double>() >= 1) nodes.push_back(&node);
    }
  }
  if (nodes.empty()) return "";
  const auto time_of = [](const Json* node) { return (*node)["ms"].get<double>(); };
  std::ranges::stable_sort(nodes, std::greater(), time_of);
  nodes.resize(std::min(nodes.size(), kOperatorsShown));
  TextTable table({{"LORE id", true}, {"operator"}, {"runs"}, {"task time", true}, {"rows", true}});
  for (const Json* node : nodes) {
    const auto id = (*node)["id"].get<int64_t>();
    const auto rows = (*node)["rows"].get<int64_t>();
    table.Add({id > 0 ? std::to_string(id) : "", (*node)["name"].get<std::string>(),
               (*node)["runs"].get<std::string>(),
               ((*node)["estimated"].get<bool>() ? "≈ " : "") + TimeText((*node)["ms"]),
               rows >= 0 ? Thousands(rows) : ""});
  }
  return "\n" + table.ToString();
}

std::string FindingsText(const Json& findings) {
  std::string text;
  for (size_t i = 0; i < std::min(findings.size(), kFindingsShown); ++i) {
    const double seconds = findings[i]["seconds"].get<double>();
    text += fmt::format("{:>9}  {}\n", seconds > 0 ? TimeText(1000 * seconds) : "",
                        findings[i]["title"].get<std::string>());
  }
  return text.empty() ? "" : "\n" + text;
}

// By letters, not by bytes: the rest of a letter begins with the bits 10.
std::string_view CutTo(std::string_view line, int columns) {
  int letters = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    if ((static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) continue;
    if (++letters > columns) return line.substr(0, at);
  }
  return line;
}

}  // namespace

std::string TopText(const Json& data, int lines, int columns) {
  const std::vector<const Json*> queries = Watched(data["queries"]);
  const std::string whole = HeadText(data["application"]) + "\n" + QueriesText(queries) + "\n" +
                            StagesText(data["stages"]) + OperatorsText(queries) +
                            FindingsText(data["findings"]);
  std::string text;
  std::string_view rest(whole);
  for (int line = 0; line < lines && !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    text.append(CutTo(rest.substr(0, end), columns)) += '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

}  // namespace reprise
