// Shrinks a dump: finds few and simple rows that go on to show what all of them show.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dump/task_dump.h"
#include "shrink/condition.h"

namespace reprise {

struct ShrinkOptions {
  ConditionOptions condition;
  std::optional<int> partition;  ///< absent: the first that shows it
  std::string out;               ///< the folder of the shrunk dump: absent or empty
  int64_t time_limit_ns = 0;     ///< then the least that was found is taken; 0: no limit
  /// Told of every candidate: rows left, of how many. Empty: nobody is told.
  std::function<void(int64_t left, int64_t total)> progress;
};

struct ShrinkReport {
  std::string folder;  ///< …/loreId-N of the shrunk dump
  /// Beside it, with the rows as literals: a statement of Spark's SQL (shrunk.sql) and a unit
  /// test of the core (shrunk_test.cc). "": it has no such form, and `without` says why.
  std::string statement;
  std::string unit_test;
  std::vector<std::string> without;
  PlanMeta plan;
  std::vector<int64_t> rows_before;  ///< by input
  TaskRows rows;                     ///< those that are left
  int64_t candidates = 0;            ///< dumps that were tried
  int64_t time_ns = 0;
  bool is_least = false;  ///< no single row can be left out; false: the time was up before
  std::string seen;       ///< what the rows that are left show
};

/// Shrinks the dump of an operator, `folder` (…/loreId-N), by delta debugging: leaves out halves,
/// quarters, eighths … of the rows of each input in turn, down to single rows, as long as the
/// condition holds; then puts batches together, and simplifies columns and values. One partition's
/// rows are held in memory. Every candidate is a dump of its own below `out`, replayed as any
/// other.
///
/// The shrunk dump has the rows left as its inputs and, where the condition is a difference from
/// Spark, Spark's output over them as its output. Status::Invalid where no partition shows what is
/// asked for, where the operator has no recorded inputs or reads and writes partitions of its own,
/// and where `out` holds anything.
Result<ShrinkReport> Shrink(const std::string& folder, const ShrinkOptions& options);

}  // namespace reprise
