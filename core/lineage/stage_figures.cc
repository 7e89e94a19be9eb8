#include "lineage/stage_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figure_text.h"

namespace reprise {

namespace {

// Of a stage that was tried again the attempt with most tasks, since a retry runs what is missing.
double SkewOf(const Stage& stage) {
  const auto most = std::ranges::max_element(
      stage.attempts, {}, [](const StageAttempt& attempt) { return attempt.tasks.succeeded(); });
  if (most == stage.attempts.end() || most->tasks.succeeded() < 2) return 0;
  return most->tasks.Skew();
}

void AddVolume(std::string_view what, int64_t rows, int64_t bytes,
               std::vector<std::string>* lines) {
  if (rows == 0 && bytes == 0) return;
  std::string line = fmt::format("{} {}", what, Counted(rows, "row", "rows"));
  if (bytes > 0) line += ", " + ByteText(bytes);
  lines->push_back(std::move(line));
}

}  // namespace

StageFigures FiguresOf(const Stage& stage) {
  const TaskFigures& work = stage.work.figures;
  StageFigures figures = {.skew = SkewOf(stage),
                          .rows_read = work.input_rows + work.shuffle_read_rows,
                          .bytes_read = work.input_bytes + work.shuffle_read_bytes,
                          .rows_written = work.output_rows + work.shuffle_write_rows,
                          .bytes_written = work.output_bytes + work.shuffle_write_bytes};
  if (stage.attempts.empty()) return figures;
  const int64_t begin = stage.attempts.front().submitted;
  const int64_t end = stage.attempts.back().completed;
  if (begin > 0 && end >= begin) figures.duration_ms = end - begin;
  return figures;
}

std::vector<std::string> LinesOf(const StageFigures& figures) {
  std::vector<std::string> lines;
  if (figures.duration_ms >= 0) lines.push_back(MillisecondText(figures.duration_ms));
  if (figures.skew > 0) {
    const std::string skew = fmt::format("skew {:.1f} x", figures.skew);
    if (lines.empty()) {
      lines.push_back(skew);
    } else {
      lines.back() += ", " + skew;
    }
  }
  AddVolume("reads", figures.rows_read, figures.bytes_read, &lines);
  AddVolume("writes", figures.rows_written, figures.bytes_written, &lines);
  return lines;
}

std::vector<std::string> TaskLines(const Stage& stage) {
  std::vector<std::string> lines;
  for (const StageAttempt& attempt : stage.attempts) {
    const StageTasks& tasks = attempt.tasks;
    if (tasks.ended() == 0) continue;
    std::string line = fmt::format("attempt {}: {} succeeded", attempt.attempt,
                                   Counted(tasks.succeeded(), "task", "tasks"));
    if (tasks.failed() > 0) line += fmt::format(", {} failed", tasks.failed());
    if (tasks.killed() > 0) line += fmt::format(", {} killed", tasks.killed());
    lines.push_back(std::move(line));
    if (tasks.succeeded() > 0) {
      lines.push_back(fmt::format("  fastest {}, median {}, slowest {}: task {} on {}",
                                  MillisecondText(tasks.MinMs()), MillisecondText(tasks.MedianMs()),
                                  MillisecondText(tasks.slowest().duration_ms),
                                  tasks.slowest().index, tasks.slowest().executor));
    }
    if (tasks.figures().spilled_disk_bytes > 0) {
      lines.push_back("  spilled " + ByteText(tasks.figures().spilled_disk_bytes));
    }
    for (const StageTasks::Failure& failure : tasks.failures()) {
      lines.push_back(fmt::format("  {} x {}", failure.count, failure.reason));
    }
  }
  return lines;
}

}  // namespace reprise
