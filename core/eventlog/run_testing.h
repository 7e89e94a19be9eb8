// Runs for tests: the event log and the checksums that an application writes, put together by rows.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eventlog/log_testing.h"

namespace reprise {

using Rows = std::vector<int64_t>;

inline uint64_t RowHash(int64_t row) { return XXH3_64bits(&row, sizeof(row)); }

/// What a run writes of rows of one column.
inline nlohmann::json ChecksumsOf(nlohmann::json subject, const Rows& rows, bool complete = true) {
  uint64_t unordered = 0;
  uint64_t ordered = 1;
  for (const int64_t row : rows) {
    unordered += RowHash(row);
    ordered = 31 * ordered + RowHash(row);
  }
  const auto hex = [](uint64_t sum) { return fmt::format("{:016x}", sum); };
  subject["rows"] = rows.size();
  subject["unordered"] = hex(unordered);
  subject["ordered"] = hex(ordered);
  subject["complete"] = complete;
  if (subject["of"] == "operator") subject["columns"] = {hex(0), hex(unordered)};
  return subject;
}

inline nlohmann::json OperatorRows(const std::string& query, int64_t lore_id, const Rows& rows,
                                   bool complete = true) {
  return ChecksumsOf({{"of", "operator"}, {"query", query}, {"loreId", lore_id}}, rows, complete);
}

inline nlohmann::json ShuffleRows(int64_t shuffle, int64_t rdd, const Rows& rows) {
  return ChecksumsOf({{"of", "shuffle"}, {"shuffle", shuffle}, {"rdd", rdd}}, rows);
}

inline nlohmann::json ResultRows(int64_t rdd, const Rows& rows, uint64_t value = 0) {
  nlohmann::json checksums = ChecksumsOf({{"of", "result"}, {"rdd", rdd}}, rows);
  checksums["value"] = fmt::format("{:016x}", value);
  return checksums;
}

struct TestRdd {
  int64_t id;
  std::string name;
  std::vector<int64_t> parents;
  int64_t partitions = 2;
  std::string determinism = "DETERMINATE";
  std::string call_site = {};  ///< "map at app.py:3", by name and id, where none is given
  bool cached = false;
};

struct TestStage {
  int64_t id;
  std::vector<TestRdd> rdds;  ///< the last one first
  std::string name = {};      ///< "stage 3" where none is given
};

/// An operator of a query: name, LORE id, id of its consumer.
struct TestOperator {
  int64_t lore_id;
  std::string name;
  int64_t parent = 0;
  std::string fingerprint = {};
  std::string cached_by = {};
};

struct TestTask {
  int64_t stage;
  int64_t partition;
  int64_t id;
  int64_t attempt = 0;
  int64_t stage_attempt = 0;
  bool success = true;
};

/// The two files of a run.
class TestRun {
 public:
  explicit TestRun(const std::string& id = "app-1") : id_(id) {
    Sum({{"ledger",
          {{"format", 1},
           {"reprise", "0.1"},
           {"spark", "4.1.3"},
           {"application", "my app"},
           {"id", id},
           {"operators", "all"}}}});
    Event({{"Event", "SparkListenerLogStart"}, {"Spark Version", "4.1.3"}});
    Event({{"Event", "SparkListenerApplicationStart"}, {"App Name", "my app"}, {"App ID", id}});
  }

  /// A job whose stages all run; of a query where `execution` is not negative.
  TestRun& Job(int64_t id, const std::vector<TestStage>& stages, int64_t execution = -1) {
    nlohmann::json properties = nlohmann::json::object();
    if (execution >= 0) properties["spark.sql.execution.id"] = std::to_string(execution);
    nlohmann::json infos = nlohmann::json::array();
    for (const TestStage& stage : stages) infos.push_back(StageInfo(stage));
    Event({{"Event", "SparkListenerJobStart"},
           {"Job ID", id},
           {"Stage Infos", infos},
           {"Properties", properties}});
    for (nlohmann::json info : infos) {
      info["Submission Time"] = 1;
      info["Completion Time"] = 2;
      Event({{"Event", "SparkListenerStageCompleted"}, {"Stage Info", info}});
    }
    return *this;
  }

  /// What is explained together: a whole plan, or a stage of it.
  TestRun& Explain(const std::string& query, int64_t execution,
                   const std::vector<TestOperator>& operators,
                   const std::string& description = "collect at app.py:9") {
    if (explained_.insert(query).second && execution >= 0) {
      Event({{"Event", "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"},
             {"executionId", execution},
             {"description", description},
             {"sparkPlanInfo", plan_}});
    }
    nlohmann::json listed = nlohmann::json::array();
    for (const TestOperator& each : operators) {
      // Numbers in the document are others than LORE ids.
      const int64_t parent = each.parent == 0 ? 0 : each.parent + 100;
      const std::string fingerprint = each.fingerprint.empty()
                                          ? fmt::format("{}{}", each.name, each.lore_id)
                                          : each.fingerprint;
      listed.push_back({{"id", each.lore_id + 100},
                        {"loreId", each.lore_id},
                        {"name", each.name},
                        {"occurrence", fmt::format("{}#{}", each.name, each.lore_id)},
                        {"fingerprint", fingerprint},
                        {"native", true},
                        {"depth", 0},
                        {"reasons", nlohmann::json::array()},
                        {"parent", parent},
                        {"cachedBy", each.cached_by}});
    }
    Event({{"Event", "reprise.event.PlanExplained"},
           {"executionId", execution},
           {"query", query},
           {"planning", ++plannings_},
           {"replaces", nlohmann::json::array()},
           {"operators", listed}});
    return *this;
  }

  /// Spark's own description of the plan of queries that are explained from now on.
  TestRun& Plan(nlohmann::json plan) {
    plan_ = std::move(plan);
    return *this;
  }

  TestRun& Columns(const std::string& query, int64_t lore_id,
                   const std::vector<std::string>& names) {
    Sum({{"operator", {{"query", query}, {"loreId", lore_id}, {"columns", names}}}});
    return *this;
  }

  TestRun& Task(const TestTask& task, const std::vector<nlohmann::json>& checksums) {
    Sum({{"task",
          {{"stage", task.stage},
           {"stageAttempt", task.stage_attempt},
           {"partition", task.partition},
           {"attempt", task.attempt},
           {"id", task.id},
           {"executor", fmt::format("e{}", task.id % 3)},
           {"end", task.success ? "success" : "failed"}}},
         {"sums", checksums}});
    return *this;
  }

  TestRun& End() {
    Event({{"Event", "SparkListenerApplicationEnd"}, {"Timestamp", 9}});
    return *this;
  }

  void Event(const nlohmann::ordered_json& event) { events += event.dump() + "\n"; }
  void Sum(const nlohmann::json& line) { checksums += line.dump() + "\n"; }

  /// Writes the run's folder and returns its path.
  std::string Write(const LogFolder& folder, const std::string& name) const {
    folder.Write(name + "/events", events);
    folder.Write(name + "/sums.jsonl", checksums);
    return folder / name;
  }

  std::string events;
  std::string checksums;

 private:
  static nlohmann::json StageInfo(const TestStage& stage) {
    nlohmann::json rdds = nlohmann::json::array();
    for (const TestRdd& rdd : stage.rdds) {
      rdds.push_back(
          {{"RDD ID", rdd.id},
           {"Name", rdd.name},
           {"Callsite", rdd.call_site.empty() ? fmt::format("{} at app.py:{}", rdd.name, rdd.id)
                                              : rdd.call_site},
           {"Parent IDs", rdd.parents},
           {"Storage Level", {{"Use Memory", rdd.cached}}},
           {"DeterministicLevel", rdd.determinism},
           {"Number of Partitions", rdd.partitions}});
    }
    return {{"Stage ID", stage.id},
            {"Stage Attempt ID", 0},
            {"Stage Name", stage.name.empty() ? fmt::format("stage {}", stage.id) : stage.name},
            {"Number of Tasks", stage.rdds.front().partitions},
            {"RDD Info", rdds},
            {"Parent IDs", nlohmann::json::array()}};
  }

  std::string id_;
  nlohmann::json plan_ = {{"nodeName", "?"}, {"simpleString", "?"}};
  std::set<std::string> explained_;
  int64_t plannings_ = 0;
};

}  // namespace reprise
