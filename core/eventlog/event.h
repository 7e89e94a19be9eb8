// The events of a log that Reprise wants, as Spark's JsonProtocol (and, for SQL, Jackson) writes
// them. Texts point into the decoded line and are valid until the next line is decoded; times are
// milliseconds since 1970; a number that a log lacks is 0, or -1 where 0 would mean something.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "eventlog/saturated.h"

namespace reprise {

struct LogStart {
  std::string_view spark_version;
};

struct ApplicationStart {
  std::string_view name;
  std::string_view id;
  std::string_view attempt;
  int64_t time = 0;
};

struct ApplicationEnd {
  int64_t time = 0;
};

/// Settings as Spark writes them to the log: what `spark.redaction.regex` names has no value there.
using LoggedSettings = std::vector<std::pair<std::string_view, std::string_view>>;

/// SparkListenerEnvironmentUpdate: the settings that the application began with.
struct EnvironmentUpdate {
  LoggedSettings settings;
};

struct ExecutorAdded {
  std::string_view id;  ///< "driver" in local mode
  int64_t time = 0;
  std::string_view host;
  int64_t cores = 0;
};

struct ExecutorRemoved {
  std::string_view id;
  int64_t time = 0;
  std::string_view reason;
};

/// org.apache.spark.storage.StorageLevel.
struct StorageLevel {
  bool disk = false;
  bool memory = false;
  bool off_heap = false;
  bool deserialized = false;
  int64_t replication = 1;

  bool cached() const { return disk || memory || off_heap; }
  /// As Spark names it: "MEMORY_AND_DISK_SER", …; "" where nothing is kept.
  std::string ToString() const;
  bool operator==(const StorageLevel&) const = default;
};

struct RddInfo {
  int64_t id = -1;
  std::string_view name;       ///< its class, or the name that the user gave it
  std::string_view call_site;  ///< "map at <console>:14"
  std::string scope_id;        ///< RDDs with one scope were made by one call or SQL operator
  std::string scope_name;      ///< "WholeStageCodegen (1)", "reduceByKey"
  std::vector<int64_t> parents;
  StorageLevel storage;
  bool barrier = false;
  std::string_view determinism;  ///< DETERMINATE, UNORDERED, INDETERMINATE; "" before Spark 3.4
  int64_t partitions = 0;
};

struct AccumulatorValue {
  int64_t id = -1;
  int64_t value = 0;

  bool operator==(const AccumulatorValue&) const = default;
};

struct StageInfo {
  int64_t id = -1;
  int64_t attempt = 0;
  std::string_view name;
  int64_t tasks = 0;
  std::vector<RddInfo> rdds;  ///< the stage's last RDD and all before it up to a shuffle
  std::vector<int64_t> parents;
  int64_t submitted = 0;
  int64_t completed = 0;
  std::string_view failure;
  std::vector<int64_t> accumulators;  ///< ids of all that its tasks updated
  /// What those of SQL metrics have come to, with the stages that have ended before.
  std::vector<AccumulatorValue> metrics;
};

struct JobStart {
  int64_t id = -1;
  int64_t time = 0;
  std::vector<StageInfo> stages;
  int64_t execution = -1;  ///< of the SQL query that it belongs to
  std::string_view description;
};

struct JobEnd {
  int64_t id = -1;
  int64_t time = 0;
  bool failed = false;
  std::string_view reason;
};

struct StageSubmitted {
  StageInfo stage;
};

struct StageCompleted {
  StageInfo stage;
};

/// Why a task ended other than with success.
struct TaskFailure {
  std::string_view reason;  ///< "Success", "ExceptionFailure", "FetchFailed", "TaskKilled", …
  std::string_view class_name;
  std::string_view text;  ///< description, message or reason, by kind

  bool success() const { return reason == "Success"; }
  /// One line: "ExceptionFailure: java.lang.ArithmeticException: / by zero".
  std::string ToString() const;
};

/// The checksums of a task that Spark counts for every task.
struct TaskFigures {
  int64_t run_ms = 0;
  int64_t cpu_ns = 0;
  int64_t gc_ms = 0;
  int64_t deserialize_ms = 0;
  int64_t result_bytes = 0;
  int64_t fetch_wait_ms = 0;
  int64_t peak_memory_bytes = 0;  ///< of several tasks the largest
  int64_t spilled_memory_bytes = 0;
  int64_t spilled_disk_bytes = 0;
  int64_t input_bytes = 0;
  int64_t input_rows = 0;
  int64_t output_bytes = 0;
  int64_t output_rows = 0;
  int64_t shuffle_read_bytes = 0;
  int64_t shuffle_read_rows = 0;
  int64_t shuffle_write_bytes = 0;
  int64_t shuffle_write_rows = 0;

  TaskFigures& operator+=(const TaskFigures& other);
};

struct TaskEnd {
  int64_t stage = -1;
  int64_t stage_attempt = 0;
  int64_t task = -1;
  int64_t index = -1;      ///< within the stage attempt
  int64_t partition = -1;  ///< what it computes; -1: not told (before Spark 3.3)
  int64_t attempt = 0;
  int64_t launched = 0;
  int64_t finished = 0;
  std::string_view executor;
  bool speculative = false;
  TaskFailure end;
  TaskFigures figures;
  /// Ids of what the task updated; read only where the decoder was asked for them.
  std::vector<int64_t> accumulators;

  int64_t duration_ms() const {
    return finished > launched ? SaturatedDifference(finished, launched) : 0;
  }
};

struct UnpersistRdd {
  int64_t id = -1;
};

/// A figure that an operator counts.
struct SqlMetric {
  int64_t accumulator = -1;
  std::string_view name;  ///< "number of output rows"
  std::string_view type;  ///< "sum", "size", "timing", "nsTiming", "average"
};

/// One operator of Spark's SparkPlanInfo; children are the next ones of a larger depth.
struct SqlOperator {
  std::string_view name;  ///< "HashAggregate", "WholeStageCodegen (1)"
  std::string_view text;  ///< with its arguments
  int depth = 0;
  std::vector<SqlMetric> metrics;
};

struct SqlExecutionStart {
  int64_t id = -1;
  int64_t root = -1;
  int64_t time = 0;
  std::string_view description;
  std::vector<SqlOperator> plan;  ///< in pre-order
  LoggedSettings settings;        ///< those that the session has set
};

/// Adaptive execution has planned the rest of a query anew.
struct SqlPlanUpdate {
  int64_t id = -1;
  std::vector<SqlOperator> plan;
};

struct SqlExecutionEnd {
  int64_t id = -1;
  int64_t time = 0;
  std::string_view error;
};

/// Reprise's verdict about one operator, as the plug-in writes it to the log.
struct ExplainedOperator {
  int64_t node = 0;  ///< its number among those of the event
  int64_t lore_id = -1;
  std::string_view name;
  std::string_view occurrence;   ///< "Filter#0"
  std::string_view fingerprint;  ///< 16 hexadecimal digits
  bool native = false;
  std::vector<std::string_view> reasons;  ///< why it is not; where it is, why it has guests
  int64_t parent = 0;                     ///< number of the operator that consumes it; 0: none
  std::string_view cached_by;             ///< the query that makes what a scan of a cache reads
};

/// reprise.event.PlanExplained: the verdicts about a query, or about what of it was planned anew.
struct PlanExplained {
  int64_t execution = -1;
  std::string_view query;  ///< names the query, also where several executions run it
  int64_t planning = 0;
  std::vector<std::string_view> replaces;  ///< queries whose operators it has taken in
  std::vector<ExplainedOperator> operators;
  bool foretold = false;  ///< of a first plan, before any of it was made ready to run
};

/// What the driver counted for metrics of a query, as files and the size of a broadcast.
struct DriverMetrics {
  std::vector<AccumulatorValue> values;  ///< to be added
};

using Event = std::variant<LogStart, ApplicationStart, ApplicationEnd, EnvironmentUpdate,
                           ExecutorAdded, ExecutorRemoved, JobStart, JobEnd, StageSubmitted,
                           StageCompleted, TaskEnd, UnpersistRdd, SqlExecutionStart, SqlPlanUpdate,
                           SqlExecutionEnd, PlanExplained, DriverMetrics>;

}  // namespace reprise
