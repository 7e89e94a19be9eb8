// Stages whose tasks are few, many, unequal or kept from their work.
#include "report/finding_kinds.h"
#include "report/looking.h"

namespace reprise {

namespace {

// What a stage waited for its slowest task, if all others had been divided well.
double WaitedSeconds(const StageAttempt& attempt) {
  const double total = DoneMs(attempt);
  const auto slowest = static_cast<double>(attempt.tasks.slowest().duration_ms);
  const double divided = std::max(static_cast<double>(attempt.tasks.MedianMs()),
                                  (total - slowest) / Parallelism(attempt));
  return std::max(slowest - divided, 0.0) / kMsPerSecond;
}

constexpr double kUnequal = 3;  // times the median

bool IsUnequal(const StageAttempt& attempt) {
  return attempt.tasks.succeeded() > 1 && attempt.tasks.Skew() >= kUnequal;
}

bool HasSkewedInput(const StageAttempt& attempt) {
  const auto median = static_cast<double>(attempt.tasks.MedianBytesRead());
  return static_cast<double>(attempt.tasks.slowest().bytes_read) > kUnequal * median;
}

bool Joins(const Report& report, int64_t stage) {
  const ReportedQuery* query = report.QueryOf(stage);
  return query != nullptr && std::ranges::any_of(query->plan, [&](const GraphNode& node) {
           return IsJoin(node) && std::ranges::count(node.stages, stage) > 0;
         });
}

std::string SlowestText(const StageAttempt& attempt) {
  const StageTasks::Slowest& slowest = attempt.tasks.slowest();
  return fmt::format(
      "task {} on executor {} ran {} and read {}; the median task ran {} and read {}",
      slowest.index, slowest.executor, MillisecondText(slowest.duration_ms),
      ByteText(slowest.bytes_read), MillisecondText(attempt.tasks.MedianMs()),
      ByteText(attempt.tasks.MedianBytesRead()));
}

}  // namespace

void FindSkew(const Report& report, Findings* findings) {
  ForEachAttempt(report, [&](const Stage& stage, const StageAttempt& attempt) {
    if (!IsUnequal(attempt) || !HasSkewedInput(attempt)) return;
    Finding finding = InStage(report, "skew", stage);
    finding.title = fmt::format("Stage {} waits for the one of {} tasks that has most of the data",
                                stage.id, Thousands(attempt.tasks.succeeded()));
    finding.seconds = WaitedSeconds(attempt);
    finding.evidence = SlowestText(attempt);
    const int64_t bytes = std::max<int64_t>(2 * attempt.tasks.MedianBytesRead(), kMegabyte);
    if (Joins(report, stage.id)) {
      finding.remedy = "let adaptive execution split the partition; or salt the key";
      finding.paste =
          fmt::format("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes={}", bytes);
    } else {
      finding.remedy =
          "a key holds most rows: aggregate in two steps over a salted key, or, where "
          "the order does not matter, rebalance before it";
      finding.paste = "/*+ REBALANCE */";
    }
    findings->push_back(std::move(finding));
  });
}

void FindStraggler(const Report& report, Findings* findings) {
  ForEachAttempt(report, [&](const Stage& stage, const StageAttempt& attempt) {
    if (!IsUnequal(attempt) || HasSkewedInput(attempt)) return;
    Finding finding = InStage(report, "straggler", stage);
    finding.title =
        fmt::format("Stage {} waits for one slow task that has no more data than others", stage.id);
    finding.seconds = WaitedSeconds(attempt);
    finding.evidence = SlowestText(attempt);
    finding.remedy =
        "see what it did (`reprise flame`, slow against median tasks); where it is "
        "the machine, let Spark start such tasks again elsewhere";
    finding.paste = "spark.speculation=true";
    findings->push_back(std::move(finding));
  });
}

void FindFewTasks(const Report& report, Findings* findings) {
  if (report.cores < 2) return;
  ForEachAttempt(report, [&](const Stage& stage, const StageAttempt& attempt) {
    const int64_t tasks = attempt.tasks.succeeded();
    if (tasks >= report.cores || tasks < 2) return;  // of one: FindOnePartition
    Finding finding = InStage(report, "few-tasks", stage);
    const auto busy = static_cast<double>(tasks) / static_cast<double>(report.cores);
    finding.title =
        fmt::format("Stage {} has {} tasks for {} cores", stage.id, tasks, report.cores);
    finding.seconds = static_cast<double>(WallMs(attempt)) / kMsPerSecond * (1 - busy);
    const TaskFigures& figures = attempt.tasks.figures();
    finding.evidence = fmt::format("it took {}, while {} cores had nothing to do",
                                   MillisecondText(WallMs(attempt)), report.cores - tasks);
    if (figures.input_bytes > figures.shuffle_read_bytes) {
      finding.remedy = "read the files in smaller splits";
      finding.paste = fmt::format("spark.sql.files.maxPartitionBytes={}",
                                  std::max(figures.input_bytes / (2 * report.cores), kMegabyte));
    } else {
      finding.remedy = "keep adaptive execution from putting partitions together";
      finding.paste =
          fmt::format("spark.sql.adaptive.coalescePartitions.minPartitionNum={}", 2 * report.cores);
    }
    findings->push_back(std::move(finding));
  });
}

void FindTinyTasks(const Report& report, Findings* findings) {
  ForEachAttempt(report, [&](const Stage& stage, const StageAttempt& attempt) {
    constexpr int64_t kMany = 100;
    constexpr int64_t kTinyMs = 100;
    const int64_t tasks = attempt.tasks.succeeded();
    if (tasks < kMany || tasks < 4 * report.cores || attempt.tasks.MedianMs() > kTinyMs) return;
    // What a task costs beside its work, on the executor and in the driver's loop.
    constexpr double kLaunchMs = 4;
    const double total = DoneMs(attempt);
    const double around = std::max(total - static_cast<double>(attempt.tasks.figures().run_ms),
                                   kLaunchMs * static_cast<double>(tasks));
    Finding finding = InStage(report, "tiny-tasks", stage);
    finding.title = fmt::format("Stage {} has {} tasks of {} each", stage.id, Thousands(tasks),
                                MillisecondText(attempt.tasks.MedianMs()));
    finding.seconds = WallSeconds(around, attempt);
    finding.evidence = fmt::format("{} of {} went into starting and ending tasks",
                                   MillisecondText(static_cast<int64_t>(around)),
                                   MillisecondText(static_cast<int64_t>(total)));
    const TaskFigures& figures = attempt.tasks.figures();
    const int64_t fewer = std::max<int64_t>(3 * report.cores, 1);
    finding.remedy = "fewer and larger partitions";
    finding.paste = figures.input_bytes > figures.shuffle_read_bytes
                        ? fmt::format("spark.sql.files.minPartitionNum={}", fewer)
                        : fmt::format("spark.sql.shuffle.partitions={}", fewer);
    findings->push_back(std::move(finding));
  });
}

namespace {

// A share of the tasks' time that is no work.
void FindShare(const Report& report, Findings* findings, std::string_view kind,
               int64_t TaskFigures::*part, double least, const std::string& title,
               const std::string& remedy, const std::string& paste) {
  ForEachAttempt(report, [&](const Stage& stage, const StageAttempt& attempt) {
    const TaskFigures& figures = attempt.tasks.figures();
    const auto lost = static_cast<double>(figures.*part);
    const auto run = static_cast<double>(figures.run_ms + figures.deserialize_ms);
    if (run <= 0 || lost < least * run) return;
    Finding finding = InStage(report, kind, stage);
    finding.title = fmt::format(fmt::runtime(title), stage.id, 100 * std::min(lost / run, 1.0));
    finding.seconds = WallSeconds(lost, attempt);
    finding.evidence =
        fmt::format("{} of {} that its tasks ran", MillisecondText(static_cast<int64_t>(lost)),
                    MillisecondText(static_cast<int64_t>(run)));
    finding.remedy = remedy;
    finding.paste = paste;
    findings->push_back(std::move(finding));
  });
}

}  // namespace

void FindGarbageCollection(const Report& report, Findings* findings) {
  constexpr int64_t kMebibyte = int64_t{1} << 20;
  const auto& executors = report.model.executors();
  const bool local = executors.size() == 1 && executors.front().id == "driver";
  const char* key = local ? "spark.driver.memory" : "spark.executor.memory";
  const int64_t heap = std::max(SizeOf(report.Setting(key, nullptr), kMebibyte), 1024 * kMebibyte);
  FindShare(report, findings, "garbage-collection", &TaskFigures::gc_ms, 0.1,
            "Stage {} collects garbage {:.0f} % of its time",
            "more heap for each task, or fewer tasks at once on an executor; native operators keep "
            "their rows outside of the heap",
            fmt::format("{}={}m", key, 2 * heap / kMebibyte));
}

void FindUnpacking(const Report& report, Findings* findings) {
  FindShare(report, findings, "unpacking", &TaskFigures::deserialize_ms, 0.3,
            "Stage {} unpacks its tasks {:.0f} % of its time",
            "tasks carry large values: broadcast what a function holds on to, instead of the "
            "function carrying it",
            "sc.broadcast(value)");
}

void FindFetchWait(const Report& report, Findings* findings) {
  FindShare(
      report, findings, "fetch-wait", &TaskFigures::fetch_wait_ms, 0.2,
      "Stage {} waits for shuffled blocks {:.0f} % of its time",
      "more blocks on their way at once; where one machine serves them all, see its disks and "
      "network",
      "spark.reducer.maxSizeInFlight=128m");
}

}  // namespace reprise
