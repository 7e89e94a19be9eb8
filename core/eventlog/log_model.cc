#include "eventlog/log_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "base/ascii.h"
#include "base/first_line.h"
#include "eventlog/call_site.h"

namespace reprise {

namespace {

Rdd ToRdd(const RddInfo& info) {
  return {info.id,
          std::string(info.name),
          CallSiteInAnyRun(info.call_site),
          info.scope_id,
          info.scope_name,
          info.parents,
          info.storage,
          false,
          info.barrier,
          std::string(info.determinism),
          info.partitions};
}

// A job that runs later may see an RDD renamed, persisted or unpersisted.
void Update(Rdd* rdd, const RddInfo& info) {
  if (rdd->name != info.name) rdd->name = info.name;
  rdd->storage = info.storage;
  if (info.storage.cached()) rdd->unpersisted = false;
}

std::optional<int64_t> LoreIdIn(std::string_view text) {
  constexpr std::string_view kMark = "[loreId=";
  const size_t at = text.rfind(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + kMark.size());
  int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end == text.data() + text.size() || *end != ']') return std::nullopt;
  return id;
}

std::vector<LoggedOperator> ToPlan(const std::vector<SqlOperator>& operators) {
  std::vector<LoggedOperator> plan;
  plan.reserve(operators.size());
  for (const SqlOperator& each : operators) {
    std::vector<LoggedMetric> metrics;
    for (const SqlMetric& metric : each.metrics) {
      metrics.push_back({metric.accumulator, std::string(metric.name), std::string(metric.type)});
    }
    plan.push_back({std::string(each.name), std::string(each.text), each.depth, std::move(metrics),
                    LoreIdIn(each.text)});
  }
  return plan;
}

void AddId(std::vector<int64_t>* ids, int64_t id) {
  if (std::find(ids->begin(), ids->end(), id) == ids->end()) ids->push_back(id);
}

void AddSorted(std::vector<int64_t>* ids, const std::vector<int64_t>& more) {
  if (more.empty()) return;
  ids->insert(ids->end(), more.begin(), more.end());
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
}

}  // namespace

std::string Rdd::Text() const { return fmt::format("{} {}", FirstLine(name), call_site); }

std::string Rdd::NameInAnyRun() const {
  const std::string_view line = FirstLine(name);
  if (line.size() == name.size()) return name;
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    text += line[i];
    if (line[i] != '#') continue;
    while (i + 1 < line.size() && IsAsciiDigit(line[i + 1])) ++i;
  }
  return text;
}

std::string_view NameOf(StageState state) {
  constexpr std::string_view kNames[] = {"waiting", "running", "complete", "failed", "skipped"};
  return kNames[static_cast<size_t>(state)];
}

void StageWork::Add(const TaskEnd& task) {
  const int64_t partition = task.partition >= 0 ? task.partition : task.index;
  constexpr int64_t kPartitionsMax = int64_t{1} << 31;  // Spark numbers them by an int
  if (!task.end.success() || partition < 0 || partition >= kPartitionsMax) return;
  const auto at = static_cast<size_t>(partition);
  if (at >= done.size()) done.resize(at + 1);
  if (done[at]) return;
  done[at] = true;
  figures += task.figures;
}

Stage& LogModel::AddStage(const StageInfo& info) {
  Stage& stage = stages_[info.id];
  stage.id = info.id;
  if (!info.name.empty()) stage.name = CallSiteInAnyRun(info.name);
  if (info.tasks > 0) stage.tasks = info.tasks;
  if (!info.parents.empty()) stage.parents = info.parents;
  AddSorted(&stage.accumulators, info.accumulators);
  for (const RddInfo& rdd : info.rdds) {
    const auto [known, fresh] = rdds_.try_emplace(rdd.id);
    if (fresh) {
      known->second = ToRdd(rdd);
    } else {
      Update(&known->second, rdd);
    }
  }
  if (stage.rdds.empty()) {
    for (const RddInfo& rdd : info.rdds) stage.rdds.push_back(rdd.id);
    // Spark lists those before the last one in the order of a hash table.
    if (!stage.rdds.empty()) std::sort(stage.rdds.begin() + 1, stage.rdds.end(), std::greater<>());
  }
  return stage;
}

StageAttempt& LogModel::AttemptOf(Stage& stage, int64_t attempt) {
  for (StageAttempt& known : stage.attempts) {
    if (known.attempt == attempt) return known;
  }
  StageAttempt& fresh = stage.attempts.emplace_back();
  fresh.attempt = attempt;
  return fresh;
}

StageState LogModel::StateOf(const Stage& stage) const {
  if (!stage.attempts.empty()) {
    const StageAttempt& last = stage.attempts.back();
    if (!last.failure.empty()) return StageState::kFailed;
    return last.completed > 0 ? StageState::kComplete : StageState::kRunning;
  }
  for (const int64_t id : stage.jobs) {
    const auto job = jobs_.find(id);
    if (job == jobs_.end() || job->second.ended == 0) return StageState::kWaiting;
    // A job that failed may have ended before it came to the stage.
    if (job->second.failed) return StageState::kWaiting;
  }
  return StageState::kSkipped;
}

std::optional<int64_t> LogModel::ValueOf(const LoggedMetric& metric) const {
  const auto tasks = counted_by_tasks_.find(metric.accumulator);
  const auto driver = counted_by_driver_.find(metric.accumulator);
  if (tasks == counted_by_tasks_.end() && driver == counted_by_driver_.end()) return std::nullopt;
  return SaturatedSum(tasks == counted_by_tasks_.end() ? 0 : tasks->second,
                      driver == counted_by_driver_.end() ? 0 : driver->second);
}

// One function a kind of event.
struct EventFolder {
  LogModel& model;

  void operator()(const LogStart& event) const { model.spark_version_ = event.spark_version; }

  void operator()(const ApplicationStart& event) const {
    model.application_ = event.name;
    model.application_id_ = event.id;
    model.started_ = event.time;
  }

  void operator()(const ApplicationEnd& event) const { model.ended_ = event.time; }

  void operator()(const EnvironmentUpdate& event) const {
    for (const auto& [name, value] : event.settings) model.settings_[std::string(name)] = value;
  }

  void operator()(const ExecutorAdded& event) const {
    model.executors_.push_back({.id = std::string(event.id),
                                .host = std::string(event.host),
                                .cores = event.cores,
                                .added = event.time});
  }

  void operator()(const ExecutorRemoved& event) const {
    for (Executor& executor : model.executors_) {
      if (executor.id != event.id || executor.removed != 0) continue;
      executor.removed = event.time;
      executor.reason = event.reason;
    }
  }

  void operator()(const JobStart& event) const {
    Job& job = model.jobs_[event.id];
    job.id = event.id;
    job.started = event.time;
    job.execution = event.execution;
    job.description = CallSiteInAnyRun(event.description);
    for (const StageInfo& info : event.stages) {
      AddId(&job.stages, info.id);
      AddId(&model.AddStage(info).jobs, event.id);
    }
  }

  void operator()(const JobEnd& event) const {
    Job& job = model.jobs_[event.id];
    job.id = event.id;
    job.ended = event.time;
    job.failed = event.failed;
    job.reason = event.reason;
  }

  void operator()(const StageSubmitted& event) const {
    Stage& stage = model.AddStage(event.stage);
    StageAttempt& attempt = model.AttemptOf(stage, event.stage.attempt);
    attempt.submitted = event.stage.submitted;
    attempt.task_count = event.stage.tasks;
  }

  void operator()(const StageCompleted& event) const {
    Stage& stage = model.AddStage(event.stage);
    StageAttempt& attempt = model.AttemptOf(stage, event.stage.attempt);
    attempt.submitted = event.stage.submitted;
    attempt.completed = event.stage.completed;
    attempt.task_count = event.stage.tasks;
    attempt.failure = event.stage.failure;
    for (const auto& [id, value] : event.stage.metrics) model.counted_by_tasks_[id] = value;
  }

  void operator()(const DriverMetrics& event) const {
    for (const auto& [id, value] : event.values) {
      int64_t& counted = model.counted_by_driver_[id];
      counted = SaturatedSum(counted, value);
    }
  }

  void operator()(const TaskEnd& event) const {
    Stage& stage = model.stages_[event.stage];
    stage.id = event.stage;
    StageAttempt& attempt = model.AttemptOf(stage, event.stage_attempt);
    AddSorted(&stage.accumulators, event.accumulators);
    attempt.tasks.Add(event);
    stage.work.Add(event);
  }

  void operator()(const UnpersistRdd& event) const {
    const auto rdd = model.rdds_.find(event.id);
    if (rdd != model.rdds_.end()) rdd->second.unpersisted = true;
  }

  void operator()(const SqlExecutionStart& event) const {
    SqlExecution& execution = model.executions_[event.id];
    execution.id = event.id;
    execution.root = event.root;
    execution.started = event.time;
    execution.description = CallSiteInAnyRun(event.description);
    execution.plan = ToPlan(event.plan);
    for (const auto& [name, value] : event.settings) execution.settings[std::string(name)] = value;
  }

  void operator()(const SqlPlanUpdate& event) const {
    SqlExecution& execution = model.executions_[event.id];
    execution.id = event.id;
    if (event.plan.empty()) return;
    if (execution.first_plan.empty()) execution.first_plan = std::move(execution.plan);
    execution.plan = ToPlan(event.plan);
  }

  void operator()(const SqlExecutionEnd& event) const {
    SqlExecution& execution = model.executions_[event.id];
    execution.id = event.id;
    execution.ended = event.time;
    execution.error = event.error;
  }

  void operator()(const PlanExplained& event) const {
    SqlExecution& execution = model.executions_[event.execution];
    execution.id = event.execution;
    if (!event.query.empty()) FoldQuery(event);
  }

  void FoldQuery(const PlanExplained& event) const {
    ExplainedQuery& query = model.queries_[std::string(event.query)];
    if (query.token.empty()) {
      query.token = event.query;
      query.planning = event.planning;
    }
    AddId(&query.executions, event.execution);
    for (const std::string_view token : event.replaces) {
      const auto replaced = model.queries_.find(std::string(token));
      if (replaced != model.queries_.end()) replaced->second.replaced = true;
    }
    // Where a query is told of again as a whole, numbers of several documents stand side by side.
    std::map<int64_t, int64_t> lore_ids;
    bool ambiguous = false;
    for (const ExplainedOperator& each : event.operators) {
      ambiguous |= !lore_ids.emplace(each.node, each.lore_id).second;
    }
    for (const ExplainedOperator& each : event.operators) {
      QueryOperator& known = (event.foretold ? query.foretold : query.operators)[each.lore_id];
      known.name = each.name;
      known.occurrence = each.occurrence;
      known.fingerprint = each.fingerprint;
      known.native = each.native;
      known.reasons.assign(each.reasons.begin(), each.reasons.end());
      known.cached_by = each.cached_by;
      const auto parent = ambiguous ? lore_ids.end() : lore_ids.find(each.parent);
      if (parent != lore_ids.end()) known.parent = parent->second;
    }
  }
};

void LogModel::Apply(const Event& event) { std::visit(EventFolder{*this}, event); }

void LogModel::ForgetQuery(const SqlExecution& execution) {
  for (const auto* plan : {&execution.plan, &execution.first_plan}) {
    for (const LoggedOperator& node : *plan) {
      for (const LoggedMetric& metric : node.metrics) {
        counted_by_tasks_.erase(metric.accumulator);
        counted_by_driver_.erase(metric.accumulator);
      }
    }
  }
  for (auto& [token, query] : queries_) std::erase(query.executions, execution.id);
  std::erase_if(queries_, [](const auto& query) { return query.second.executions.empty(); });
}

void LogModel::KeepNewest(int64_t queries, int64_t stages) {
  auto more = static_cast<int64_t>(executions_.size()) - queries;
  for (auto at = executions_.begin(); more > 0 && at != executions_.end();) {
    if (at->second.ended == 0) {
      ++at;
      continue;
    }
    ForgetQuery(at->second);
    at = executions_.erase(at);
    --more;
  }
  more = static_cast<int64_t>(stages_.size()) - stages;
  if (more <= 0) return;
  for (auto job = jobs_.begin(); more > 0 && job != jobs_.end();) {
    if (job->second.ended == 0) {
      ++job;
      continue;
    }
    for (const int64_t id : job->second.stages) {
      const auto stage = stages_.find(id);
      // What later jobs have taken over is theirs.
      if (stage == stages_.end() || stage->second.jobs.back() != job->first) continue;
      stages_.erase(stage);
      --more;
    }
    job = jobs_.erase(job);
  }
  std::set<int64_t> used;
  for (const auto& [id, stage] : stages_) used.insert(stage.rdds.begin(), stage.rdds.end());
  std::erase_if(rdds_, [&](const auto& rdd) { return !used.contains(rdd.first); });
}

}  // namespace reprise
