#include "replay/report_json.h"

#include "dump/digest_json.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Json ToJson(const FirstDifference& difference, const std::vector<Field>& fields) {
  return {{"row", difference.row},
          {"column", difference.column ? Json(fields[*difference.column].name) : Json()},
          {"recorded", difference.recorded},
          {"replayed", difference.replayed}};
}

Json ToJson(const ReferenceComparison& reference, const std::vector<Field>& fields) {
  const Comparison& comparison = reference.comparison;
  Json json = {{"verdict", Name(comparison.verdict)},
               {"prefix", comparison.prefix},
               {"differentColumns", ColumnNames(comparison.columns, fields)},
               {"rows", reprise::ToJson(comparison.recorded)},
               {"holds", comparison.holds()}};
  if (reference.first_difference) {
    json["firstDifference"] = ToJson(*reference.first_difference, fields);
  }
  return json;
}

Json ToJson(const AssertionOutcome& outcome) {
  Json sample = Json::array();
  for (const FailingRow& row : outcome.sample) {
    Json values = Json::object();
    for (const auto& [name, value] : row.values) values[name] = value;
    sample.push_back({{"row", row.row}, {"values", std::move(values)}});
  }
  return {{"rows", outcome.rows},
          {"failing", outcome.failing},
          {"sample", std::move(sample)},
          {"error", outcome.error.empty() ? Json() : Json(outcome.error)},
          {"holds", outcome.holds()}};
}

Json MemoryJson(const std::optional<ReplayMemory>& memory) {
  if (!memory) return nullptr;
  return {{"peakBytes", memory->peak_bytes}, {"spilledBytes", memory->spilled_bytes}};
}

Json ToJson(const std::vector<OperatorFigures>& operators) {
  Json list = Json::array();
  for (const OperatorFigures& one : operators) {
    list.push_back({{"loreId", one.lore_id},
                    {"name", one.name},
                    {"depth", one.depth},
                    {"rows", one.rows},
                    {"batches", one.batches},
                    {"bytes", one.bytes},
                    {"ownTimeNs", one.own_time_ns},
                    {"spilledBytes", one.spilled_bytes},
                    {"peakBytes", one.peak_bytes},
                    {"firstRows", one.first_rows}});
  }
  return list;
}

Json PartitionJson(const PartitionReplay& replay, const std::vector<Field>& fields) {
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
               {"memory", MemoryJson(replay.memory)},
               {"verdict", Name(comparison.verdict)},
               {"prefix", comparison.prefix},
               {"differentColumns", ColumnNames(comparison.columns, fields)},
               {"endedWithRecord", replay.ended_with_record},
               {"attemptFailed", replay.failed_attempt.has_value()},
               {"unstable", replay.unstable},
               {"error", replay.error.empty() ? Json() : Json(replay.error)},
               {"holds", replay.holds()}};
  if (!replay.operators.empty()) json["operators"] = ToJson(replay.operators);
  if (replay.failing_place) {
    const FailingPlace& place = *replay.failing_place;
    json["failingPlace"] = {
        {"input", place.input},
        {"batch", place.batch},
        {"row", place.row ? Json(*place.row) : Json()},
        {"expression", place.expression.empty() ? Json() : Json(place.expression)}};
  }
  if (replay.failed_attempt) {
    json["failure"] = {{"recorded", reprise::ToJson(replay.failed_attempt->error)},
                       {"again", Name(replay.failed_attempt->again)}};
  }
  if (replay.first_difference) json["firstDifference"] = ToJson(*replay.first_difference, fields);
  if (replay.reference) json["compared"] = ToJson(*replay.reference, fields);
  if (replay.assertion) json["assertion"] = ToJson(*replay.assertion);
  if (comparison.verdict != Verdict::kNotRecorded) {
    json["recorded"] = reprise::ToJson(comparison.recorded);
  }
  return json;
}

}  // namespace

Json ToJson(const ReplayReport& report) {
  Json partitions = Json::array();
  for (const auto& replay : report.partitions) {
    partitions.push_back(PartitionJson(replay, report.plan.spec.output));
  }
  Json json = {{"operator", reprise::ToJson(report.plan.spec)},
               {"partitions", std::move(partitions)},
               {"verdict", Name(report.verdict())},
               {"holds", report.verdict() == ReplayVerdict::kEqual}};
  for (const CounterValue& counter : report.counters) {
    json["counters"][counter.name] = {{"value", counter.value}, {"scaled", counter.scaled}};
  }
  for (const AllocationSite& site : report.memory_sites) {
    json["memorySites"].push_back({{"function", site.function}, {"bytes", site.bytes}});
  }
  if (!report.counters_missing.empty()) json["countersMissing"] = report.counters_missing;
  if (report.reference) json["compared"] = ToJson(*report.reference, report.plan.spec.output);
  return json;
}

}  // namespace reprise
