#include "shrink/shrink.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/local_path.h"
#include "base/trace.h"
#include "dump/dump_path.h"
#include "dump/store.h"
#include "shrink/row_edits.h"
#include "shrink/simpler_values.h"
#include "statements/dump_sql.h"
#include "statements/unit_test_text.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

// Columns are simplified as wholes up to so many rows, and values one by one up to so many.
constexpr int64_t kColumnRowsMax = 100'000;
constexpr int64_t kValuesMax = 1'000;

constexpr const char* kCandidateFolder = "candidate";

class Shrinker {
 public:
  Shrinker(const OperatorDump& dump, const ShrinkOptions& options, Condition* condition)
      : dump_(dump),
        options_(options),
        condition_(*condition),
        pool_(options.condition.replay.pool) {}

  // Finds the partition and shrinks it. The candidates' folder is gone in any case.
  Result<ShrinkReport> Run();

 private:
  std::string CandidateFolder() const {
    return (fs::path(options_.out) / kCandidateFolder / OperatorFolder(dump_.plan().spec.lore_id))
        .string();
  }
  Result<std::vector<int>> PartitionsToTry() const;
  Status FindPartition();
  Status ReduceRows();
  Result<bool> ReduceRowsBy(int64_t parts);
  Status JoinBatches();
  Status SimplifyColumns();
  Status SimplifyValues();
  Result<bool> SimplifyValue(size_t input, int column, int64_t row);
  Status WriteResult(ShrinkReport* report);
  Status WriteStatement(ShrinkReport* report) const;
  Status WriteUnitTest(ShrinkReport* report) const;

  bool is_time_up() const {
    return options_.time_limit_ns > 0 && MonotonicNs() - start_ns_ > options_.time_limit_ns;
  }
  int64_t rows_left() const {
    int64_t rows = 0;
    for (const RecordBatches& input : rows_.inputs) rows += RowCount(input);
    return rows;
  }
  // Whether the condition holds over these rows, written as a dump.
  Result<bool> Holds(const TaskRows& rows);
  // Takes `batches` for an input if the condition still holds.
  Result<bool> Try(size_t input, RecordBatches batches);

  const OperatorDump& dump_;
  const ShrinkOptions& options_;
  Condition& condition_;
  arrow::MemoryPool* pool_;
  TaskRows rows_;
  std::vector<int64_t> rows_before_;
  int64_t rows_total_ = 0;
  int64_t candidates_ = 0;
  int64_t start_ns_ = MonotonicNs();
};

Result<bool> Shrinker::Holds(const TaskRows& rows) {
  const std::string folder = CandidateFolder();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  RETURN_NOT_OK(WriteTaskDump(folder, dump_.plan(), dump_.inputs(), rows, pool_));
  ++candidates_;
  return condition_.Holds(folder);
}

Result<bool> Shrinker::Try(size_t input, RecordBatches batches) {
  TaskRows candidate = rows_;
  candidate.inputs[input] = std::move(batches);
  ARROW_ASSIGN_OR_RAISE(const bool holds, Holds(candidate));
  if (holds) rows_ = std::move(candidate);
  if (options_.progress) options_.progress(rows_left(), rows_total_);
  return holds;
}

Result<std::vector<int>> Shrinker::PartitionsToTry() const {
  if (options_.partition) return std::vector<int>{*options_.partition};
  std::vector<int> partitions;
  for (const AttemptName& name : dump_.attempts()) {
    if (partitions.empty() || partitions.back() != name.partition) {
      partitions.push_back(name.partition);
    }
  }
  return partitions;
}

// Of a partition that has never been committed, its last attempt.
Result<PartitionRecord> RecordOf(const OperatorDump& dump, int partition) {
  if (dump.HasCommitted(partition)) return dump.Partition(partition, /*truncated=*/true);
  const auto last = std::ranges::find_if(
      dump.attempts().rbegin(), dump.attempts().rend(),
      [&](const AttemptName& name) { return name.partition == partition && name.attempt; });
  if (last == dump.attempts().rend()) return dump.Partition(partition);
  return dump.Attempt(partition, *last->attempt);
}

Status Shrinker::FindPartition() {
  ARROW_ASSIGN_OR_RAISE(const auto partitions, PartitionsToTry());
  for (const int partition : partitions) {
    ARROW_ASSIGN_OR_RAISE(const PartitionRecord record, RecordOf(dump_, partition));
    ARROW_ASSIGN_OR_RAISE(rows_, ReadTaskRows(record, pool_));
    rows_total_ = rows_left();
    ARROW_ASSIGN_OR_RAISE(const bool holds, Holds(rows_));
    if (!holds) continue;
    for (const RecordBatches& input : rows_.inputs) rows_before_.push_back(RowCount(input));
    return Status::OK();
  }
  return Status::Invalid(dump_.folder(), ": ",
                         options_.partition
                             ? fmt::format("partition {} does not show", partitions[0])
                             : "no partition that was recorded shows",
                         " what its rows are to go on to show, so that there is nothing to shrink");
}

// Leaves out pieces of 1/parts of the rows that an input had, one after the other. True where one
// could be left out.
Result<bool> Shrinker::ReduceRowsBy(int64_t parts) {
  bool is_reduced = false;
  for (size_t input = 0; input < rows_.inputs.size(); ++input) {
    const int64_t piece = std::max<int64_t>(1, (rows_before_[input] + parts - 1) / parts);
    int64_t at = 0;
    while (at < RowCount(rows_.inputs[input]) && !is_time_up()) {
      ARROW_ASSIGN_OR_RAISE(RecordBatches without,
                            WithoutRows(rows_.inputs[input], at, piece, pool_));
      ARROW_ASSIGN_OR_RAISE(const bool holds, Try(input, std::move(without)));
      is_reduced |= holds;
      if (!holds) at += piece;
    }
  }
  return is_reduced;
}

Status Shrinker::ReduceRows() {
  const int64_t longest = *std::ranges::max_element(rows_before_);
  for (int64_t parts = 1; parts < longest * 2 && !is_time_up(); parts *= 2) {
    RETURN_NOT_OK(ReduceRowsBy(parts).status());
  }
  // A row that was needed may be needed no more, now that others are gone.
  bool is_reduced = rows_left() > 0;
  while (is_reduced && !is_time_up()) {
    ARROW_ASSIGN_OR_RAISE(is_reduced, ReduceRowsBy(std::max<int64_t>(longest, 1)));
  }
  return Status::OK();
}

Status Shrinker::JoinBatches() {
  for (size_t input = 0; input < rows_.inputs.size() && !is_time_up(); ++input) {
    ARROW_ASSIGN_OR_RAISE(auto whole, InOneBatch(rows_.inputs[input], pool_));
    if (whole) RETURN_NOT_OK(Try(input, *std::move(whole)).status());
  }
  return Status::OK();
}

Status Shrinker::SimplifyColumns() {
  for (size_t input = 0; input < rows_.inputs.size(); ++input) {
    const int64_t rows = RowCount(rows_.inputs[input]);
    if (rows < 2 || rows > kColumnRowsMax) continue;
    const auto& schema = dump_.inputs()[input]->schema;
    for (int column = 0; column < static_cast<int>(schema.size()); ++column) {
      ARROW_ASSIGN_OR_RAISE(const auto first, ValueAt(rows_.inputs[input], column, 0));
      const auto simpler = SimplerValues(*first, schema[static_cast<size_t>(column)]);
      for (size_t i = 0; i < std::min<size_t>(simpler.size(), 2) && !is_time_up(); ++i) {
        ARROW_ASSIGN_OR_RAISE(auto changed,
                              WithColumn(rows_.inputs[input], column, *simpler[i], pool_));
        ARROW_ASSIGN_OR_RAISE(const bool holds, Try(input, std::move(changed)));
        if (holds) break;
      }
    }
  }
  return Status::OK();
}

// Takes the simplest value that will do. True where there is one.
Result<bool> Shrinker::SimplifyValue(size_t input, int column, int64_t row) {
  const Field& field = dump_.inputs()[input]->schema[static_cast<size_t>(column)];
  ARROW_ASSIGN_OR_RAISE(const auto value, ValueAt(rows_.inputs[input], column, row));
  for (const auto& simpler : SimplerValues(*value, field)) {
    if (is_time_up()) return false;
    ARROW_ASSIGN_OR_RAISE(auto changed,
                          WithValue(rows_.inputs[input], column, row, *simpler, pool_));
    ARROW_ASSIGN_OR_RAISE(const bool holds, Try(input, std::move(changed)));
    if (holds) return true;
  }
  return false;
}

Status Shrinker::SimplifyValues() {
  for (size_t input = 0; input < rows_.inputs.size(); ++input) {
    const int64_t rows = RowCount(rows_.inputs[input]);
    const auto columns = static_cast<int>(dump_.inputs()[input]->schema.size());
    if (rows * columns > kValuesMax) continue;
    for (int64_t row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        bool is_simpler = true;
        while (is_simpler) {
          ARROW_ASSIGN_OR_RAISE(is_simpler, SimplifyValue(input, column, row));
        }
      }
    }
  }
  return Status::OK();
}

// Spark's output over the rows, where it does not fail.
Result<std::optional<RecordBatches>> OutputOfSpark(const std::string& folder,
                                                   const ConditionOptions& condition) {
  RecordBatches output;
  ReplayOptions replay = condition.replay;
  replay.take_output = [&](const auto& batch) {
    output.push_back(batch);
    return Status::OK();
  };
  ARROW_ASSIGN_OR_RAISE(const auto replayed, ReplayTask(folder, condition, true, replay));
  if (!replayed.error.empty()) return std::nullopt;
  return output;
}

Status Shrinker::WriteResult(ShrinkReport* report) {
  ARROW_ASSIGN_OR_RAISE(const bool holds, Holds(rows_));
  if (!holds && !options_.condition.slower_than_ns) {
    return Status::Invalid(
        "the rows that were found do not show it when they are tried again: "
        "what is looked for comes and goes");
  }
  ARROW_ASSIGN_OR_RAISE(report->seen, condition_.Seen(CandidateFolder()));
  if (options_.condition.differs) {
    ARROW_ASSIGN_OR_RAISE(rows_.output, OutputOfSpark(CandidateFolder(), options_.condition));
  }
  report->folder = (fs::path(options_.out) / OperatorFolder(dump_.plan().spec.lore_id)).string();
  RETURN_NOT_OK(WriteTaskDump(report->folder, dump_.plan(), dump_.inputs(), rows_, pool_));
  RETURN_NOT_OK(WriteStatement(report));
  return WriteUnitTest(report);
}

// What has no such form is no error.
Status WriteForm(const Result<std::string>& text, const std::string& path, std::string* written,
                 std::vector<std::string>* without) {
  if (text.status().IsNotImplemented()) {
    without->push_back(text.status().message());
    return Status::OK();
  }
  RETURN_NOT_OK(text.status());
  RETURN_NOT_OK(LocalStore()->WriteNew(path, *text));
  *written = path;
  return Status::OK();
}

Status Shrinker::WriteStatement(ShrinkReport* report) const {
  ARROW_ASSIGN_OR_RAISE(const OperatorDump shrunk, OperatorDump::Open(report->folder));
  DumpSqlOptions options;
  options.values_max = std::numeric_limits<int64_t>::max();
  return WriteForm(SqlOfDump(shrunk, options),
                   (fs::path(options_.out) / kShrunkStatementName).string(), &report->statement,
                   &report->without);
}

Status Shrinker::WriteUnitTest(ShrinkReport* report) const {
  if (options_.condition.slower_than_ns || !options_.condition.command.empty()) {
    report->without.push_back("a time, and what a command finds, is nothing for a unit test");
    return Status::OK();
  }
  CppTestClaim claim;
  if (options_.condition.differs) claim.kind = CppTestClaim::Kind::kGivesOutput;
  if (!options_.condition.assertion.empty()) {
    claim = {CppTestClaim::Kind::kKeepsAssertion, options_.condition.assertion};
  }
  return WriteForm(CppTestOf(dump_.plan(), rows_, claim),
                   (fs::path(options_.out) / kShrunkUnitTestName).string(), &report->unit_test,
                   &report->without);
}

Result<ShrinkReport> Shrinker::Run() {
  ShrinkReport report;
  RETURN_NOT_OK(FindPartition());
  RETURN_NOT_OK(ReduceRows());
  report.is_least = !is_time_up();
  RETURN_NOT_OK(JoinBatches());
  RETURN_NOT_OK(SimplifyColumns());
  RETURN_NOT_OK(SimplifyValues());
  RETURN_NOT_OK(WriteResult(&report));
  report.plan = dump_.plan();
  report.rows_before = std::move(rows_before_);
  report.rows = std::move(rows_);
  report.candidates = candidates_;
  report.time_ns = MonotonicNs() - start_ns_;
  return report;
}

Status CheckShrinkable(const OperatorDump& dump) {
  if (dump.inputs().empty()) {
    return Status::Invalid(dump.folder(), ": ", dump.plan().spec.name,
                           " reads no other operator, so that no rows were recorded to shrink; "
                           "take the operator above it");
  }
  if (dump.plan().streams_apart) {
    return Status::Invalid(dump.folder(), ": ", dump.plan().spec.name,
                           " reads all partitions of its input for each of its output, and rows "
                           "of one partition alone are not what it does");
  }
  return Status::OK();
}

}  // namespace

Result<ShrinkReport> Shrink(const std::string& folder, const ShrinkOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(folder));
  RETURN_NOT_OK(CheckShrinkable(dump));
  RETURN_NOT_OK(CheckAbsentOrEmpty(options.out, "--out"));
  ARROW_ASSIGN_OR_RAISE(const auto condition, Condition::Make(options.condition));
  auto report = Shrinker(dump, options, condition.get()).Run();
  std::error_code ignored;
  fs::remove_all(fs::path(options.out) / kCandidateFolder, ignored);
  if (!report.ok()) fs::remove(options.out, ignored);  // where it is empty
  return report;
}

}  // namespace reprise
