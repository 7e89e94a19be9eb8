#include "profile/thread_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/ascii.h"

namespace reprise {

namespace {

struct Kind {
  std::string_view begin;  // of the thread's name
  std::string_view group;
};

// The JVM's own threads: their names are fixed in its sources (HotSpot, Java 17 to 25).
constexpr Kind kKinds[] = {
    {"GC Thread", "garbage collection"},  {"G1 ", "garbage collection"},
    {"ParGC", "garbage collection"},      {"Concurrent Mark", "garbage collection"},
    {"ZDriver", "garbage collection"},    {"ZWorker", "garbage collection"},
    {"ZDirector", "garbage collection"},  {"XDriver", "garbage collection"},
    {"Shenandoah", "garbage collection"}, {"Reference Handler", "garbage collection"},
    {"Finalizer", "garbage collection"},  {"C1 Compiler", "compilation"},
    {"C2 Compiler", "compilation"},       {"Graal", "compilation"},
    {"Sweeper thread", "compilation"},
};

// Spark's (4.1), which are told from each other where they do not wait.
constexpr Kind kSparkKinds[] = {
    {"dag-scheduler", "scheduling"},
    {"task-scheduler", "scheduling"},
    {"driver-revive-thread", "scheduling"},
    {"task-result-getter", "task results"},
    {"main", "queries"},
    {"Thread-", "queries"},  // of Python's connections, of the application itself
    {"broadcast-exchange", "queries"},
    {"subquery", "queries"},
    {"QueryStageCreator", "queries"},
    {"ResultQueryStageExecution", "queries"},
    {"serve-", "queries"},  // results on their way to Python
    {"SparkConnectExecuteThread", "queries"},
    {"HiveServer2-", "queries"},
    {"dispatcher-", "remote calls"},
    {"rpc-", "remote calls"},
    {"netty-rpc", "remote calls"},
    {"shuffle-", "remote calls"},
    {"block-manager", "remote calls"},
    {"spark-listener-group", "listeners"},
    {"SparkUI", "listeners"},
};

// org.apache.spark.executor.Executor's pool; a task puts " for " and itself behind it.
constexpr std::string_view kRunner = "Executor task launch worker";

}  // namespace

std::string ThreadGroup(std::string_view name, bool waits) {
  for (const Kind& kind : kKinds) {
    if (name.starts_with(kind.begin)) return std::string(kind.group);
  }
  if (waits) return "idle";
  for (const Kind& kind : kSparkKinds) {
    if (name.starts_with(kind.begin)) return std::string(kind.group);
  }
  return "other threads";
}

std::string ThreadPool(std::string_view name) {
  std::string pool;
  for (const char c : name) {
    if (!IsAsciiDigit(c)) {
      pool += c;
    } else if (pool.empty() || pool.back() != '*') {
      pool += '*';
    }
  }
  return pool;
}

bool IsNamedAfterLastTask(std::string_view name) {
  return name.starts_with(kRunner) && name.substr(kRunner.size()).starts_with(" for ");
}

std::string RunnerName(std::span<const TaskTag> tasks) {
  constexpr size_t kTasksMax = 3;
  if (tasks.empty()) return std::string(kRunner);
  std::set<int64_t> ids;
  for (const TaskTag& task : tasks) ids.insert(task.task);
  const size_t more = ids.size() > kTasksMax ? ids.size() - kTasksMax : 0;
  for (size_t i = 0; i < more; ++i) ids.erase(std::prev(ids.end()));
  const auto [stage, attempt] = tasks.front().stage;
  return fmt::format("{} in stage {}.{} (TID {}{})", kRunner, stage, attempt, fmt::join(ids, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace reprise
