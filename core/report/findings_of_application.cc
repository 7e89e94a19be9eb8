// What the application as a whole wastes.
#include <map>
#include <set>

#include "base/first_line.h"
#include "lineage/query_tree.h"
#include "report/finding_kinds.h"
#include "report/looking.h"

namespace reprise {

// Between the first job's start and the last one's end no stage ran.
void FindDriverAlone(const Report& report, Findings* findings) {
  std::vector<std::pair<int64_t, int64_t>> busy;
  for (const auto& [id, stage] : report.model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) {
      if (WallMs(attempt) > 0) busy.emplace_back(attempt.submitted, attempt.completed);
    }
  }
  if (busy.empty()) return;
  std::ranges::sort(busy);
  int64_t alone = 0;
  std::pair<int64_t, int64_t> longest = {0, 0};
  int64_t until = busy.front().first;
  for (const auto& [from, to] : busy) {
    if (from > until) {
      alone += from - until;
      if (from - until > longest.second - longest.first) longest = {until, from};
    }
    until = std::max(until, to);
  }
  const int64_t all = until - busy.front().first;
  constexpr double kShare = 0.2;
  if (static_cast<double>(alone) < kShare * static_cast<double>(all)) return;
  Finding finding;
  finding.kind = "driver-alone";
  finding.title = fmt::format("Executors wait for the driver {} % of the time", 100 * alone / all);
  finding.seconds = static_cast<double>(alone) / kMsPerSecond;
  const int64_t began = report.model.started();
  finding.evidence = fmt::format(
      "{} of {} without a running stage; the longest {} from {} after the start",
      MillisecondText(alone), MillisecondText(all), MillisecondText(longest.second - longest.first),
      MillisecondText(std::max<int64_t>(longest.first - began, 0)));
  finding.remedy =
      "the driver plans, lists files, or works on collected rows: run independent "
      "queries from several threads, and leave to Spark what a loop in the driver does";
  finding.paste = "spark.scheduler.mode=FAIR";
  findings->push_back(std::move(finding));
}

void FindLostExecutors(const Report& report, Findings* findings) {
  for (const Executor& executor : report.model.executors()) {
    if (executor.removed == 0) continue;
    const std::string& reason = executor.reason;
    const auto says = [&](std::string_view part) { return reason.find(part) != std::string::npos; };
    if (says("killed by driver") || says("idle") || says("decommission") || says("Finished")) {
      continue;
    }
    // What is left when the application ends is told to go.
    if (report.model.ended() > 0 && executor.removed >= report.model.ended()) continue;
    const bool memory = says("137") || says("143") || says("OOM") || says("memory");
    Finding finding;
    finding.kind = "lost-executor";
    finding.always = true;
    finding.title = fmt::format("Executor {} was lost", executor.id);
    finding.evidence = FirstLine(reason);
    finding.remedy =
        memory ? "it was killed for its memory: leave more beside the heap" : "see its own log";
    finding.paste = memory ? "spark.executor.memoryOverheadFactor=0.3" : "yarn logs, kubectl logs";
    findings->push_back(std::move(finding));
  }
}

void FindUnusedCores(const Report& report, Findings* findings) {
  int64_t most = 0;
  for (const auto& [id, stage] : report.model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) most = std::max(most, attempt.task_count);
  }
  if (most == 0 || most > report.cores / 2) return;
  Finding finding;
  finding.kind = "unused-cores";
  finding.always = true;
  finding.title = fmt::format("{} cores, and no stage has more than {} tasks", report.cores, most);
  finding.evidence = fmt::format("{} executors were there", report.model.executors().size());
  finding.remedy = "ask for fewer, or let Spark give back those that have nothing to do";
  finding.paste = "spark.dynamicAllocation.enabled=true";
  findings->push_back(std::move(finding));
}

void FindUnusedMemory(const Report& report, Findings* findings) {
  constexpr int64_t kMebibyte = int64_t{1} << 20;
  constexpr int64_t kMuch = int64_t{4} << 30;
  const int64_t heap = SizeOf(report.Setting("spark.executor.memory", nullptr), kMebibyte);
  int64_t used = 0;
  bool caches = false;
  for (const auto& [id, stage] : report.model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) {
      used = std::max(used, attempt.tasks.figures().peak_memory_bytes);
    }
  }
  for (const auto& [id, rdd] : report.model.rdds()) caches |= rdd.storage.memory;
  int64_t slots = 1;
  for (const Executor& executor : report.model.executors()) slots = std::max(slots, executor.cores);
  if (heap < kMuch || caches || used <= 0 || used > heap / slots / 10) return;
  Finding finding;
  finding.kind = "unused-memory";
  finding.always = true;
  finding.title = fmt::format("Executors have {} of heap, and no task used more than {}",
                              ByteText(heap), ByteText(used));
  finding.evidence = fmt::format("{} tasks at once on an executor, nothing cached", slots);
  finding.remedy = "smaller executors, or more of them on the same machines";
  finding.paste = fmt::format("spark.executor.memory={}m",
                              std::max<int64_t>(4 * slots * used / kMebibyte, 1024));
  findings->push_back(std::move(finding));
}

void FindUnreadCaches(const Report& report, Findings* findings) {
  std::map<int64_t, std::set<int64_t>> jobs;  // by RDD
  for (const auto& [id, stage] : report.model.stages()) {
    for (const int64_t rdd : stage.rdds) jobs[rdd].insert(stage.jobs.begin(), stage.jobs.end());
  }
  for (const auto& [id, rdd] : report.model.rdds()) {
    if (!rdd.storage.cached() || jobs[id].size() != 1) continue;
    Finding finding;
    finding.kind = "unread-cache";
    finding.always = true;
    finding.title = fmt::format("A cache of {} partitions is filled, and no other job reads it",
                                Thousands(rdd.partitions));
    finding.evidence = fmt::format("RDD {}: {}, {}", id, rdd.Text(), rdd.storage.ToString());
    finding.remedy = "leave it out: it takes the memory that others could use";
    finding.paste = ".unpersist()";
    findings->push_back(std::move(finding));
  }
}

namespace {

std::string PlanText(const std::vector<LoggedOperator>& plan) {
  std::string text;
  for (const LoggedOperator& each : plan) text += WithoutNumbers(each.text) + "\n";
  return text;
}

}  // namespace

void FindSameWork(const Report& report, Findings* findings) {
  std::map<std::string, std::vector<const ReportedQuery*>> same;
  for (const ReportedQuery& query : report.queries) {
    const SqlExecution& execution = *query.execution;
    if (query.stages.empty()) continue;
    const bool first = !execution.first_plan.empty();
    same[PlanText(first ? execution.first_plan : execution.plan)].push_back(&query);
  }
  for (const auto& [plan, queries] : same) {
    constexpr size_t kOften = 3;
    if (queries.size() < kOften) continue;
    Finding finding;
    finding.kind = "same-work";
    finding.query = queries.front()->execution->id;
    finding.title =
        fmt::format("{} queries are the same as query {}", queries.size() - 1, finding.query);
    std::string numbers;
    for (const ReportedQuery* query : queries) {
      if (query == queries.front()) continue;
      finding.seconds += static_cast<double>(query->wall_ms) / kMsPerSecond;
      constexpr size_t kShown = 40;
      if (numbers.size() < kShown) numbers += fmt::format(" {}", query->execution->id);
    }
    finding.evidence = fmt::format("one plan over and over: queries{}{}", numbers,
                                   queries.size() > 10 ? " …" : "");
    finding.remedy = "keep the result where it does not change in between";
    finding.paste = ".cache()";
    findings->push_back(std::move(finding));
  }
}

}  // namespace reprise
