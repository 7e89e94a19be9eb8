#include "report/looking.h"

#include <charconv>

#include "base/config.h"
#include "base/local_path.h"

namespace reprise {

void ForEachAttempt(const Report& report,
                    const std::function<void(const Stage&, const StageAttempt&)>& look) {
  for (const auto& [id, stage] : report.model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) {
      if (WallMs(attempt) > 0 && attempt.tasks.succeeded() > 0) look(stage, attempt);
    }
  }
}

void ForEachOperator(const Report& report,
                     const std::function<void(const ReportedQuery&, int)>& look) {
  for (const ReportedQuery& query : report.queries) {
    for (int i = 0; i < static_cast<int>(query.plan.size()); ++i) {
      if (query.plan[i].runs != RunsIn::kNothing) look(query, i);
    }
  }
}

const StageAttempt* AttemptOf(const LogModel& model, const GraphNode& node) {
  if (node.stages.empty()) return nullptr;
  const auto found = model.stages().find(node.stages.front());
  if (found == model.stages().end() || found->second.attempts.empty()) return nullptr;
  return &found->second.attempts.back();
}

double WallSeconds(const Report& report, const GraphNode& node) {
  const StageAttempt* attempt = AttemptOf(report.model, node);
  return attempt == nullptr ? 0 : WallSeconds(node.task_ms, *attempt);
}

Finding InStage(const Report& report, std::string_view kind, const Stage& stage) {
  Finding finding;
  finding.kind = kind;
  finding.stage = stage.id;
  const ReportedQuery* query = report.QueryOf(stage.id);
  if (query != nullptr) finding.query = query->execution->id;
  return finding;
}

namespace {

std::vector<std::string> LinesOfTask(const Report& report, const Stage& stage, int64_t partition) {
  std::string recording = report.Setting("spark.reprise.lineage.path", nullptr);
  std::vector<std::string> lines;
  if (recording.empty()) {
    recording = "/tmp/recording";
    lines.push_back("spark.reprise.lineage.path=" + recording);
  }
  lines.push_back(fmt::format("reprise debug-task {} --stage {} --partition {}", recording,
                              stage.id, partition));
  return lines;
}

}  // namespace

std::vector<std::string> FailureLines(const Report& report, const Stage& stage,
                                      const StageAttempt& attempt) {
  const auto& failures = attempt.tasks.failures();
  if (failures.empty()) return {};
  const ReportedQuery* query = report.QueryOf(stage.id);
  if (query == nullptr) return LinesOfTask(report, stage, failures.front().index);
  ConfigMap settings(report.model.settings().begin(), report.model.settings().end());
  for (const auto& [name, value] : query->execution->settings) settings[name] = value;
  const Result<Config> config = ParseConfig(settings);
  if (config.ok() && config->text("spark.reprise.lore.when") == "failure" &&
      !config->text("spark.reprise.lore.idsToDump").empty()) {
    const std::string_view uri = config->text("spark.reprise.lore.dumpPath");
    const std::string path = LocalPath("", uri).ValueOr(std::string(uri));
    const std::string folder = config->boolean("spark.reprise.lore.perQuery")
                                   ? fmt::format("/query-{}-*", query->execution->id)
                                   : "";
    return {fmt::format("reprise replay {}{} --failed", path, folder)};
  }
  return {"spark.reprise.lore.idsToDump=*", "spark.reprise.lore.when=failure",
          "spark.reprise.lore.dumpPath=/tmp/dump", "reprise replay /tmp/dump/query-* --failed"};
}

Finding AtOperator(std::string_view kind, const ReportedQuery& query, int node) {
  Finding finding;
  finding.kind = kind;
  finding.query = query.execution->id;
  finding.lore_id = query.plan[node].lore_id;
  if (!query.plan[node].stages.empty()) finding.stage = query.plan[node].stages.front();
  return finding;
}

std::string Named(const ReportedQuery& query, int node) {
  const GraphNode& of = query.plan[node];
  const std::string id = of.lore_id > 0 ? fmt::format(" {}", of.lore_id) : "";
  return fmt::format("{}{} of query {}", of.operator_name, id, query.execution->id);
}

int64_t SizeOf(const std::string& text, int64_t unit) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return -1;
  std::string_view suffix(end, text.data() + text.size());
  if (suffix.empty()) return value * unit;
  constexpr std::string_view kUnits = "kmgtp";
  const char letter = static_cast<char>(suffix.front() | 0x20);
  if (letter == 'b' && suffix.size() == 1) return value;
  const size_t power = kUnits.find(letter);
  const bool plain = suffix.size() == 1 || (suffix.size() == 2 && (suffix[1] | 0x20) == 'b');
  constexpr int64_t kMost = int64_t{1} << 12;  // of the largest unit
  if (power == std::string_view::npos || !plain || value > (kMost << (10 * (4 - power)))) return -1;
  return value << (10 * (power + 1));
}

}  // namespace reprise
