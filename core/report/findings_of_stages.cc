// Stages that spilled, failed, ran again or gave the driver too much.
#include "base/first_line.h"
#include "report/finding_kinds.h"
#include "report/looking.h"

namespace reprise {

void FindSpill(const Report& report, Findings* findings) {
  ForEachAttempt(report, [&](const Stage& stage, const StageAttempt& attempt) {
    const TaskFigures& figures = attempt.tasks.figures();
    // Written once and read once.
    constexpr double kDiskBytesPerSecond = 200e6;
    const double disk_ms =
        2 * static_cast<double>(figures.spilled_disk_bytes) / kDiskBytesPerSecond * kMsPerSecond;
    if (figures.spilled_disk_bytes <= 0) return;
    Finding finding = InStage(report, "spill", stage);
    finding.title =
        fmt::format("Stage {} spills {}", stage.id, ByteText(figures.spilled_disk_bytes));
    finding.seconds = WallSeconds(disk_ms, attempt);
    const int64_t tasks = attempt.tasks.succeeded();
    const int64_t each = std::max(figures.spilled_memory_bytes, figures.spilled_disk_bytes) / tasks;
    finding.evidence =
        fmt::format("{} tasks put {} of memory aside, {} each, and had at most {} at once",
                    Thousands(tasks), ByteText(figures.spilled_memory_bytes), ByteText(each),
                    ByteText(figures.peak_memory_bytes));
    // So many that what a task puts aside fits beside what it holds.
    const int64_t held = std::max<int64_t>(figures.peak_memory_bytes, 64 * kMegabyte);
    finding.remedy =
        "more partitions, so that each fits its memory; or more memory for a task "
        "(spark.executor.memory, spark.memory.offHeap.size for native operators)";
    finding.paste =
        fmt::format("spark.sql.shuffle.partitions={}", tasks * (1 + (each + held) / held));
    findings->push_back(std::move(finding));
  });
}

void FindFailedTasks(const Report& report, Findings* findings) {
  for (const auto& [id, stage] : report.model.stages()) {
    for (const StageAttempt& attempt : stage.attempts) {
      if (attempt.tasks.failed() == 0) continue;
      Finding finding = InStage(report, "failed-tasks", stage);
      finding.always = true;
      finding.title =
          fmt::format("{} of stage {}.{} failed", Counted(attempt.tasks.failed(), "task", "tasks"),
                      id, attempt.attempt);
      finding.seconds = WallSeconds(static_cast<double>(attempt.tasks.lost_ms()), attempt);
      for (const StageTasks::Failure& failure : attempt.tasks.failures()) {
        if (!finding.evidence.empty()) finding.evidence += "; ";
        finding.evidence += fmt::format("{} times {}", failure.count, FirstLine(failure.reason));
      }
      finding.remedy = report.QueryOf(id) == nullptr
                           ? "record the application, and run one of these tasks in a debugger"
                           : "bring the operator that fails home with its rows, and replay it";
      finding.paste = fmt::format("{}", fmt::join(FailureLines(report, stage, attempt), "\n"));
      findings->push_back(std::move(finding));
    }
  }
}

void FindRetriedStage(const Report& report, Findings* findings) {
  for (const auto& [id, stage] : report.model.stages()) {
    if (stage.attempts.size() < 2) continue;
    Finding finding = InStage(report, "retried-stage", stage);
    finding.always = true;
    finding.title = fmt::format("Stage {} ran {} times", id, stage.attempts.size());
    for (const StageAttempt& attempt : stage.attempts) {
      if (&attempt != &stage.attempts.front()) {
        finding.seconds += static_cast<double>(WallMs(attempt)) / kMsPerSecond;
      }
      if (!attempt.failure.empty()) finding.evidence = FirstLine(attempt.failure);
    }
    if (finding.evidence.empty()) finding.evidence = "its output was lost after it had ended";
    finding.remedy =
        "shuffled blocks went with an executor: keep them where executors may go, "
        "or move them when one is told to go";
    finding.paste =
        "spark.decommission.enabled=true\nspark.storage.decommission.shuffleBlocks.enabled=true";
    findings->push_back(std::move(finding));
  }
}

void FindLargeResult(const Report& report, Findings* findings) {
  ForEachAttempt(report, [&](const Stage& stage, const StageAttempt& attempt) {
    constexpr int64_t kLarge = 100 * kMegabyte;
    constexpr double kBytesPerSecond = 100e6;  // through one driver
    const int64_t bytes = attempt.tasks.figures().result_bytes;
    if (bytes < kLarge) return;
    Finding finding = InStage(report, "large-result", stage);
    finding.title = fmt::format("Stage {} sends {} to the driver", stage.id, ByteText(bytes));
    finding.seconds = static_cast<double>(bytes) / kBytesPerSecond;
    finding.evidence = fmt::format("{} results, {} each", Thousands(attempt.tasks.succeeded()),
                                   ByteText(bytes / attempt.tasks.succeeded()));
    finding.remedy = "write what is collected to a table, or collect what is looked at alone";
    finding.paste = "df.write.parquet(…)";
    findings->push_back(std::move(finding));
  });
}

}  // namespace reprise
