// Applications for tests, put together event by event.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/report.h"

namespace reprise {

inline constexpr int64_t kTestMegabyte = 1'000'000;

struct EndedTask {
  int64_t ms = 100;
  TaskFigures figures = {};  ///< run_ms is `ms` where it is 0
  std::string_view end = "Success";
};

/// A plan's operators in pre-order with their depths; accumulators are numbered from 1 in order.
struct LoggedNode {
  int depth = 0;
  std::string name;
  std::string text = {};                                      ///< the name where none is given
  std::vector<std::pair<std::string, int64_t>> metrics = {};  ///< "sum"; "… time" of milliseconds
};

/// Time goes on from stage to stage: each begins where the one before ended.
class TestApplication {
 public:
  explicit TestApplication(int64_t cores = 4) {
    model_.Apply(
        Event(ApplicationStart{.name = "app", .id = "app-1", .attempt = "", .time = now_}));
    AddExecutor("1", cores);
  }

  TestApplication& AddExecutor(const std::string& id, int64_t cores) {
    model_.Apply(Event(ExecutorAdded{.id = id, .time = now_, .host = "h", .cores = cores}));
    return *this;
  }

  TestApplication& RemoveExecutor(const std::string& id, const std::string& reason) {
    model_.Apply(Event(ExecutorRemoved{.id = id, .time = now_, .reason = reason}));
    return *this;
  }

  TestApplication& Setting(const std::string& name, const std::string& value) {
    model_.Apply(Event(EnvironmentUpdate{.settings = {{name, value}}}));
    return *this;
  }

  /// A query whose stages come next, until the next query.
  TestApplication& Query(const std::vector<LoggedNode>& nodes) {
    SqlExecutionStart start;
    start.id = execution_ = ++queries_;
    start.time = now_;
    start.description = "a query";
    metrics_.clear();
    for (const LoggedNode& node : nodes) {
      SqlOperator& made = start.plan.emplace_back();
      made.name = node.name;
      made.text = node.text.empty() ? node.name : node.text;
      made.depth = node.depth;
      for (const auto& [name, value] : node.metrics) {
        const char* type = name.ends_with("time") || name.starts_with("time") ? "timing" : "sum";
        made.metrics.push_back({++accumulators_, name, name == "own time" ? "nsTiming" : type});
        metrics_.push_back({accumulators_, value});
      }
    }
    model_.Apply(Event(start));
    return *this;
  }

  /// What the plug-in says of the last query's operators, in pre-order: reasons why not native.
  /// `foretold`: of its first plan, before any of it ran.
  TestApplication& Explain(const std::vector<std::pair<std::string, std::string>>& operators,
                           bool foretold = false) {
    PlanExplained explained;
    explained.foretold = foretold;
    explained.execution = execution_;
    const std::string token = "query " + std::to_string(execution_);
    explained.query = token;
    int64_t id = 0;
    for (const auto& [name, reason] : operators) {
      ExplainedOperator& each = explained.operators.emplace_back();
      each.node = each.lore_id = ++id;
      each.name = name;
      each.parent = id - 1;
      each.native = reason.empty();
      if (!reason.empty()) each.reasons.push_back(reason);
    }
    model_.Apply(Event(explained));
    return *this;
  }

  /// A stage of the last query that counts the accumulators from `from` to `to`; by default all.
  TestApplication& Stage(const std::vector<EndedTask>& tasks, int64_t wall_ms, int64_t from = 1,
                         int64_t to = 1'000'000) {
    ++stage_;
    attempt_ = -1;
    JobStart job;
    job.id = stage_;
    job.time = now_;
    job.execution = execution_;
    job.stages.push_back(Info(tasks));
    model_.Apply(Event(job));
    Attempt(tasks, wall_ms, "", from, to);
    model_.Apply(Event(JobEnd{.id = stage_, .time = now_, .failed = false, .reason = ""}));
    return *this;
  }

  /// One more attempt at the last stage.
  TestApplication& Attempt(const std::vector<EndedTask>& tasks, int64_t wall_ms,
                           const std::string& failure = "", int64_t from = 1,
                           int64_t to = 1'000'000) {
    ++attempt_;
    StageInfo info = Info(tasks);
    info.submitted = now_;
    for (const auto& [id, value] : metrics_) {
      if (id < from || id > to) continue;
      info.accumulators.push_back(id);
      info.metrics.push_back({id, value});
    }
    model_.Apply(Event(StageSubmitted{info}));
    int64_t index = 0;
    for (const EndedTask& task : tasks) {
      TaskEnd end;
      end.stage = stage_;
      end.stage_attempt = attempt_;
      end.task = ++task_;
      end.index = end.partition = index++;
      end.launched = now_;
      end.finished = now_ + task.ms;
      end.executor = "1";
      end.end.reason = task.end;
      end.figures = task.figures;
      if (end.figures.run_ms == 0) end.figures.run_ms = task.ms;
      model_.Apply(Event(end));
    }
    now_ += wall_ms;
    info.completed = now_;
    info.failure = failure;
    model_.Apply(Event(StageCompleted{info}));
    return *this;
  }

  /// The RDD that the next stages have, kept in memory.
  TestApplication& Cached(int64_t rdd) {
    cached_ = rdd;
    return *this;
  }

  /// Nothing runs for so long.
  TestApplication& Wait(int64_t ms) {
    now_ += ms;
    return *this;
  }

  /// Ends the last query.
  void End() {
    if (execution_ >= 0) {
      model_.Apply(Event(SqlExecutionEnd{.id = execution_, .time = now_, .error = ""}));
    }
  }

  Report Tell() {
    End();
    return BuildReport(model_, "LOG");
  }

  const LogModel& model() const { return model_; }

 private:
  StageInfo Info(const std::vector<EndedTask>& tasks) const {
    StageInfo info;
    info.id = stage_;
    info.attempt = std::max<int64_t>(attempt_, 0);
    info.name = "a stage";
    info.tasks = static_cast<int64_t>(tasks.size());
    if (cached_ >= 0) {
      RddInfo& rdd = info.rdds.emplace_back();
      rdd.id = cached_;
      rdd.name = "kept";
      rdd.storage.memory = true;
      rdd.partitions = info.tasks;
    }
    return info;
  }

  LogModel model_;
  int64_t now_ = 1000;
  int64_t execution_ = -1;
  int64_t queries_ = -1;
  int64_t stage_ = -1;
  int64_t attempt_ = -1;
  int64_t task_ = 0;
  int64_t accumulators_ = 0;
  int64_t cached_ = -1;
  std::vector<AccumulatorValue> metrics_;
};

}  // namespace reprise
