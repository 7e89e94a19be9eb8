// Purpose: sort the rows of a partition. Equal rows keep their order.
// Input:   one, any columns.  Output: the same columns, dictionaries decoded.
// Example: ordering [a ascending, nulls first] over a = [3, null, 1] gives [null, 1, 3].
//
// Rows are kept as they came; what is sorted are their keys (sort_keys.h). When memory is wanted,
// the rows so far become a sorted run in a spill file; all runs are merged in the end.
#include "operators/sort.h"

#include "operators/sorted_runs.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

class Sort final : public Operator {
 public:
  Sort(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context,
       SortKeys keys)
      : Operator(std::move(spec), std::move(inputs), context),
        keys_(std::move(keys)),
        keyed_(pool()),
        merger_(&keys_, output_schema(), pool()) {}

  int64_t SpillableBytes() const override { return position_ < keyed_.items().size() ? bytes_ : 0; }

  Result<int64_t> Spill() override {
    const int64_t freed = SpillableBytes();
    if (freed == 0) return 0;
    if (!is_sorted_) keyed_.Sort();
    ARROW_ASSIGN_OR_RAISE(auto file,
                          SpillFile::Make(SpillDirectories(context()), output_schema(), pool()));
    // Small batches: a merge holds one of each run.
    const int64_t rows_a_batch =
        std::max<int64_t>(kRunBatchBytes * keyed_.items().size() / std::max<int64_t>(bytes_, 1), 1);
    while (position_ < keyed_.items().size()) {
      ARROW_ASSIGN_OR_RAISE(const Batch batch, TakeSorted(rows_a_batch));
      RETURN_NOT_OK(file->Write(batch));
    }
    CountSpilled(file->bytes());
    merger_.Add(std::move(file));
    has_runs_ = true;
    is_sorted_ = false;
    Forget();
    return freed;
  }

 private:
  static constexpr int64_t kRunBatchBytes = 256 << 10;

  Result<std::optional<Batch>> NextBatch() override {
    if (!is_complete_) RETURN_NOT_OK(Collect());
    if (has_runs_) return merger_.Next(context().batch_rows_target);
    if (position_ == keyed_.items().size()) {
      Forget();
      return std::nullopt;
    }
    ARROW_ASSIGN_OR_RAISE(Batch batch, TakeSorted(context().batch_rows_target));
    return batch;
  }

  Status Collect() {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) break;
      const int64_t rows = batch->selected_count();
      if (rows == 0) continue;
      // The rows once more, their keys, and room for what is put out.
      const int64_t growth = ByteSize(*batch) + rows * static_cast<int64_t>(2 * sizeof(SortItem));
      RETURN_NOT_OK(Reserve(growth));
      const auto number = static_cast<int32_t>(batches_.size());
      RETURN_NOT_OK(keys_.Append(*batch, number, pool(), &keyed_));
      ARROW_ASSIGN_OR_RAISE(Batch compacted, Compacted(*batch, pool()));
      rows_bytes_ += ByteSize(compacted);
      batches_.push_back(std::move(compacted));
      bytes_ = rows_bytes_ + keyed_.bytes();
    }
    is_complete_ = true;
    // One run more, rather than rows in memory beside the batches of the merge.
    if (has_runs_) return SpillRest();
    keyed_.Sort();
    is_sorted_ = true;
    return Status::OK();
  }

  // The next rows in the order; the keys are sorted.
  Result<Batch> TakeSorted(int64_t rows_max) {
    const int64_t end = std::min(position_ + rows_max, keyed_.items().size());
    std::vector<RowOfBatch> rows;
    rows.reserve(end - position_);
    for (int64_t i = position_; i < end; ++i) {
      rows.push_back({keyed_.items()[i].batch, keyed_.items()[i].row});
    }
    ARROW_ASSIGN_OR_RAISE(Batch batch, Interleave(batches_, rows, output_schema(), pool()));
    position_ = end;
    return batch;
  }

  void Forget() {
    keyed_.Clear(/*release=*/true);
    batches_.clear();
    position_ = rows_bytes_ = bytes_ = 0;
  }

  const SortKeys keys_;
  KeyedRows keyed_;
  std::vector<Batch> batches_;
  int64_t rows_bytes_ = 0;
  int64_t bytes_ = 0;     // of all that Spill frees
  int64_t position_ = 0;  // of the first item that has not been put out
  bool is_sorted_ = false;
  bool is_complete_ = false;
  bool has_runs_ = false;
  RunMerger merger_;
};

}  // namespace

Status CheckSameColumns(const OperatorSpec& spec) {
  const std::vector<Field>& input = spec.inputs[0];
  if (spec.output.size() != input.size()) {
    return Status::Invalid("its output has ", spec.output.size(), " columns, its input ",
                           input.size());
  }
  for (size_t i = 0; i < input.size(); ++i) {
    if (spec.output[i].type == input[i].type) continue;
    return Status::Invalid("output column ", i, " (", spec.output[i].name, ") is ",
                           spec.output[i].type.ToString(), ", its input is ",
                           input[i].type.ToString());
  }
  return Status::OK();
}

Result<std::unique_ptr<Operator>> MakeSort(OperatorSpec spec,
                                           std::vector<std::unique_ptr<Operator>> inputs,
                                           const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  ARROW_ASSIGN_OR_RAISE(const auto* ordering, ArrayMember(spec.arguments, "ordering"));
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(*ordering, spec.inputs[0]));
  return std::make_unique<Sort>(std::move(spec), std::move(inputs), context, std::move(keys));
}

}  // namespace reprise
