// What a stage took and moved, for its box in the picture.
#pragma once

#include <cstdint>
#include <string>

#include "eventlog/log_model.h"

namespace reprise {

/// Of all attempts; rows and bytes once, of each partition those of the first task that did it.
struct StageFigures {
  int64_t duration_ms = -1;  ///< from the first attempt's start to the last one's end; -1: no end
  double skew = 0;           ///< slowest task by the median one; 0 where no two tasks succeeded
  int64_t rows_read = 0;     ///< of files, caches and shuffles
  int64_t bytes_read = 0;
  int64_t rows_written = 0;  ///< to files and shuffles
  int64_t bytes_written = 0;
};

StageFigures FiguresOf(const Stage& stage);

/// Lines without their ends, for those figures that the log has:
///   1.20 s, skew 3.1 x
///   reads 1,200,000 rows, 12.4 MB
///   writes 400 rows, 9.1 kB
std::vector<std::string> LinesOf(const StageFigures& figures);

/// More of it, for who points at the stage: how each attempt's tasks did, and what failed.
std::vector<std::string> TaskLines(const Stage& stage);

}  // namespace reprise
