#include "cli/replay_json.h"

#include <fmt/format.h>

#include "cli/replay_text.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Json ToJson(const PartitionReplay& replay, const std::vector<Field>& fields) {
  Json runs = Json::array();
  for (const ReplayRun& run : replay.runs) {
    runs.push_back({{"ownTimeNs", run.own_time_ns}, {"wallTimeNs", run.wall_time_ns}});
  }
  const Comparison& comparison = replay.comparison;
  Json json = {{"partition", replay.partition},
               {"attempt", replay.attempt},
               {"inputRows", replay.input_rows},
               {"inputBatches", replay.input_batches},
               {"output", reprise::ToJson(replay.output)},
               {"runs", std::move(runs)},
               {"verdict", Name(comparison.verdict)},
               {"prefix", comparison.prefix},
               {"differentColumns", ColumnNames(comparison.columns, fields)},
               {"endedWithRecord", replay.ended_with_record},
               {"unstable", replay.unstable},
               {"error", replay.error.empty() ? Json() : Json(replay.error)},
               {"holds", replay.holds()}};
  if (const auto& difference = replay.first_difference) {
    json["firstDifference"] = {
        {"row", difference->row},
        {"column", difference->column ? Json(fields[*difference->column].name) : Json()},
        {"recorded", difference->recorded},
        {"replayed", difference->replayed}};
  }
  if (comparison.verdict != Verdict::kNotRecorded) {
    json["recorded"] = reprise::ToJson(comparison.recorded);
  }
  return json;
}

}  // namespace

void PrintReplayJson(const ReplayReport& report) {
  Json partitions = Json::array();
  for (const auto& replay : report.partitions) {
    partitions.push_back(ToJson(replay, report.plan.spec.output));
  }
  const Json json = {{"operator", reprise::ToJson(report.plan.spec)},
                     {"partitions", std::move(partitions)},
                     {"holds", report.holds()}};
  fmt::print("{}\n", json.dump(2));
}

}  // namespace reprise
