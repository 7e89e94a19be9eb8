// What a log tells about an application: its RDDs, stages, jobs and SQL queries, and figures of its
// tasks. Small against the log: a task leaves eight bytes.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "eventlog/event.h"
#include "eventlog/stage_tasks.h"

namespace reprise {

struct Rdd {
  int64_t id = -1;
  std::string name;
  std::string call_site;
  std::string scope_id;
  std::string scope_name;
  std::vector<int64_t> parents;
  StorageLevel storage;  ///< the newest that a job saw
  bool unpersisted = false;
  bool barrier = false;
  std::string determinism;
  int64_t partitions = 0;

  /// In one line: "MapPartitionsRDD map at <console>:14".
  std::string Text() const;

  /// Its name without what another run calls otherwise: an RDD of a cached DataFrame has the plan
  /// for its name, in which expressions have numbers.
  std::string NameInAnyRun() const;
};

/// One try at a stage.
struct StageAttempt {
  int64_t attempt = 0;
  int64_t submitted = 0;
  int64_t completed = 0;  ///< 0 while it runs
  std::string failure;
  int64_t task_count = 0;  ///< that it was submitted with: a retry runs what is missing
  StageTasks tasks;
};

/// What a stage did, counted once: of each partition the first task that computed it.
struct StageWork {
  TaskFigures figures;
  std::vector<bool> done;  ///< by partition

  void Add(const TaskEnd& task);
  int64_t partitions() const { return std::count(done.begin(), done.end(), true); }
};

enum class StageState {
  kWaiting,   ///< its job had not come to it when the log ended
  kRunning,   ///< it had not ended when the log ended
  kComplete,  //
  kFailed,
  kSkipped  ///< its job ended without running it: its output was there, cached or shuffled
};
std::string_view NameOf(StageState state);

struct Stage {
  int64_t id = -1;
  std::string name;
  int64_t tasks = 0;
  std::vector<int64_t>
      rdds;  ///< ids; the last RDD of the stage first, then the others, newest first
  std::vector<int64_t> parents;
  std::vector<int64_t> jobs;
  std::vector<int64_t> accumulators;   ///< sorted ids
  std::vector<StageAttempt> attempts;  ///< none where it never ran
  StageWork work;
};

struct Job {
  int64_t id = -1;
  int64_t started = 0;
  int64_t ended = 0;  ///< 0 while it runs
  bool failed = false;
  std::string reason;
  std::string description;
  std::vector<int64_t> stages;
  int64_t execution = -1;  ///< -1: no SQL query's
};

/// A figure of an operator; its value is LogModel::ValueOf.
struct LoggedMetric {
  int64_t accumulator = -1;
  std::string name;  ///< "number of output rows"
  std::string type;  ///< "sum", "size", "timing", "nsTiming", "average"
};

/// An operator of a query's physical plan, as Spark described it last.
struct LoggedOperator {
  std::string name;
  std::string text;
  int depth = 0;
  std::vector<LoggedMetric> metrics;
  std::optional<int64_t> lore_id;  ///< from "[loreId=5]" in its text
};

struct SqlExecution {
  int64_t id = -1;
  int64_t root = -1;  ///< the one that it runs within, or itself; -1: not told (before Spark 3.4)
  int64_t started = 0;
  int64_t ended = 0;
  std::string description;
  std::string error;
  std::vector<LoggedOperator> plan;             ///< in pre-order
  std::vector<LoggedOperator> first_plan;       ///< where adaptive execution has planned anew since
  std::map<std::string, std::string> settings;  ///< those that its session has set
};

struct Executor {
  std::string id;
  std::string host;
  int64_t cores = 0;
  int64_t added = 0;
  int64_t removed = 0;  ///< 0: it was there to the end
  std::string reason;   ///< why it was removed
};

/// An operator of a query, as the plug-in explained it last.
struct QueryOperator {
  std::string name;
  std::string occurrence;
  std::string fingerprint;
  bool native = false;
  std::vector<std::string> reasons;  ///< why it does not run natively
  /// LORE id of the operator that consumes it, where one event told of both; 0: none known.
  int64_t parent = 0;
  /// Token of the query that makes what a scan of a cached table reads.
  std::string cached_by;
};

/// A query as the plug-in names it: one plan, which several executions may run, and which adaptive
/// execution explains stage by stage.
struct ExplainedQuery {
  std::string token;
  int64_t planning = 0;                        ///< the first
  std::vector<int64_t> executions;             ///< in the order in which they told of it
  std::map<int64_t, QueryOperator> operators;  ///< by LORE id
  /// What the first plan was foretold to become; adaptive execution may have made other plans of
  /// it.
  std::map<int64_t, QueryOperator> foretold;
  bool replaced = false;  ///< another query has taken its operators in
};

/// Folds events, in the log's order, into the application.
class LogModel {
 public:
  void Apply(const Event& event);

  /// Forgets, where there are more, the queries and stages that ended first, with all that only
  /// they have: of an application that runs for weeks.
  void KeepNewest(int64_t queries, int64_t stages);

  const std::string& spark_version() const { return spark_version_; }
  const std::string& application() const { return application_; }
  const std::string& application_id() const { return application_id_; }
  int64_t started() const { return started_; }
  int64_t ended() const { return ended_; }  ///< 0: still running, or died

  const std::vector<Executor>& executors() const { return executors_; }
  /// What the application began with.
  const std::map<std::string, std::string>& settings() const { return settings_; }

  const std::map<int64_t, Rdd>& rdds() const { return rdds_; }
  const std::map<int64_t, Stage>& stages() const { return stages_; }
  const std::map<int64_t, Job>& jobs() const { return jobs_; }
  const std::map<int64_t, SqlExecution>& executions() const { return executions_; }

  /// By token.
  const std::map<std::string, ExplainedQuery>& queries() const { return queries_; }

  StageState StateOf(const Stage& stage) const;

  /// What stages that have ended, and the driver, have counted; nothing where none of them did.
  std::optional<int64_t> ValueOf(const LoggedMetric& metric) const;

 private:
  friend struct EventFolder;
  Stage& AddStage(const StageInfo& info);
  StageAttempt& AttemptOf(Stage& stage, int64_t attempt);
  void ForgetQuery(const SqlExecution& execution);

  std::string spark_version_;
  std::string application_;
  std::string application_id_;
  int64_t started_ = 0;
  int64_t ended_ = 0;
  std::vector<Executor> executors_;
  std::map<std::string, std::string> settings_;
  std::map<int64_t, Rdd> rdds_;
  std::map<int64_t, Stage> stages_;
  std::map<int64_t, Job> jobs_;
  std::map<int64_t, SqlExecution> executions_;
  std::map<std::string, ExplainedQuery> queries_;
  // Of SQL metrics, by accumulator.
  std::map<int64_t, int64_t> counted_by_tasks_;
  std::map<int64_t, int64_t> counted_by_driver_;
};

}  // namespace reprise
