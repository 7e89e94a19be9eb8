// Purpose: give the rows of a broadcast that a join keeps because they have a match, or have none.
// Input:   two: numbers of the rows with a match; the broadcast.  Output: as the join's.
// Example: {"joinType":"full","buildSide":"right"} over the numbers [0, 1, 0] and b = [3, 9, 1]
// gives (null, 1).
//
// Spark's BroadcastNestedLoopJoinExec puts the matches of its tasks together in the same way, and
// gives these rows in a partition of their own.
#include "operators/join/unmatched_rows.h"

#include <arrow/array/array_primitive.h>
#include <arrow/array/util.h>
#include <arrow/util/bit_util.h>

#include <algorithm>

#include "operators/pool_vector.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

constexpr std::string_view kJoinTypes[] = {"left", "right", "full", "semi", "anti", "existence"};

/// What becomes of the build rows.
struct KeptSpec {
  bool gives_matched = false;
  bool gives_unmatched = false;
  bool is_existence = false;
  size_t first_build_column = 0;  // in the output; the other columns are null
};

class UnmatchedRows final : public Operator {
 public:
  UnmatchedRows(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                const TaskContext& context, KeptSpec kept)
      : Operator(std::move(spec), std::move(inputs), context), kept_(kept), matched_(pool()) {}

 private:
  static constexpr int kNumbers = 0;
  static constexpr int kBuild = 1;

  Result<std::optional<Batch>> NextBatch() override {
    if (!has_numbers_) RETURN_NOT_OK(TakeNumbers());
    ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull(kBuild));
    if (!batch.has_value()) {
      if (most_ >= next_row_) {
        return Status::IndexError("row ", most_, " is said to have a match, but there are ",
                                  next_row_);
      }
      return batch;
    }
    return KeptRows(*std::move(batch));
  }

  Status TakeNumbers() {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<Batch> batch, Pull(kNumbers));
      if (!batch.has_value()) break;
      const auto& numbers = static_cast<const arrow::Int32Array&>(*batch->columns[0]);
      const int64_t count = batch->selected_count();
      for (int64_t i = 0; i < count; ++i) {
        RETURN_NOT_OK(Note(numbers.Value(batch->has_selection() ? batch->selected()[i] : i)));
      }
    }
    has_numbers_ = true;
    return Status::OK();
  }

  Status Note(int32_t row) {
    if (row < 0) return Status::IndexError("row ", row, " is said to have a match");
    if (row >= matched_.size()) {
      RETURN_NOT_OK(matched_.Resize(std::max<int64_t>(row + 1, 2 * matched_.size())));
    }
    matched_[row] = 1;
    most_ = std::max<int64_t>(most_, row);
    return Status::OK();
  }

  bool IsMatched(int64_t row) const { return row < matched_.size() && matched_[row] != 0; }

  Result<std::optional<Batch>> KeptRows(Batch batch) {
    const int64_t rows = batch.selected_count();
    ARROW_ASSIGN_OR_RAISE(
        std::unique_ptr<arrow::ResizableBuffer> selection,
        arrow::AllocateResizableBuffer(rows * static_cast<int64_t>(sizeof(int32_t)), pool()));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> exists,
                          arrow::AllocateEmptyBitmap(batch.row_count, pool()));
    int32_t* out = reinterpret_cast<int32_t*>(selection->mutable_data());
    int64_t count = 0;
    for (int64_t i = 0; i < rows; ++i) {
      const bool is_matched = IsMatched(next_row_ + i);
      out[count] = batch.has_selection() ? batch.selected()[i] : static_cast<int32_t>(i);
      if (is_matched) arrow::bit_util::SetBit(exists->mutable_data(), out[count]);
      count += is_matched ? kept_.gives_matched : kept_.gives_unmatched;
    }
    next_row_ += rows;
    RETURN_NOT_OK(selection->Resize(count * static_cast<int64_t>(sizeof(int32_t)), false));
    ARROW_ASSIGN_OR_RAISE(auto columns, Columns(std::move(batch.columns), batch.row_count));
    if (kept_.is_existence) {
      columns.back() = std::make_shared<arrow::BooleanArray>(batch.row_count, std::move(exists));
    }
    return Batch{output_schema(), std::move(columns), batch.row_count, std::move(selection)};
  }

  Result<arrow::ArrayVector> Columns(arrow::ArrayVector build, int64_t rows) {
    arrow::ArrayVector columns(spec().output.size());
    for (size_t i = 0; i < build.size(); ++i) {
      columns[kept_.first_build_column + i] = std::move(build[i]);
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] != nullptr) continue;
      const auto& type = output_schema()->field(static_cast<int>(i))->type();
      ARROW_ASSIGN_OR_RAISE(columns[i], arrow::MakeArrayOfNull(type, rows, pool()));
    }
    return columns;
  }

  const KeptSpec kept_;
  PoolVector<uint8_t> matched_;  // by row; rows beyond have no match
  bool has_numbers_ = false;
  int64_t most_ = -1;
  int64_t next_row_ = 0;
};

Status CheckColumns(const OperatorSpec& spec, const KeptSpec& kept, bool is_membership) {
  const std::vector<Field>& build = spec.inputs[1];
  if (spec.inputs[0].size() != 1 || !spec.inputs[0][0].type.is(TypeKind::kInteger)) {
    return Status::Invalid("input 0 must be one column of type int");
  }
  const size_t expected = build.size() + (kept.is_existence ? 1 : 0);
  if (spec.output.size() < expected || (is_membership && spec.output.size() != expected)) {
    return Status::Invalid("the output has ", spec.output.size(), " columns, the build side has ",
                           build.size());
  }
  for (size_t i = 0; i < build.size(); ++i) {
    const Field& field = spec.output[kept.first_build_column + i];
    if (HaveSameForm(field.type, build[i].type)) continue;
    return Status::Invalid("output column ", kept.first_build_column + i, " (", field.name, ") is ",
                           field.type.ToString(), ", the build side's is ",
                           build[i].type.ToString());
  }
  return Status::OK();
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeUnmatchedRows(OperatorSpec spec,
                                                    std::vector<std::unique_ptr<Operator>> inputs,
                                                    const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const std::string type, StringMember(spec.arguments, "joinType"));
  ARROW_ASSIGN_OR_RAISE(const std::string side, StringMember(spec.arguments, "buildSide"));
  if (std::ranges::find(kJoinTypes, type) == std::end(kJoinTypes)) {
    return Status::Invalid("\"joinType\" is \"", type, "\", which keeps no rows of the build side");
  }
  if (side != "left" && side != "right") {
    return Status::Invalid("\"buildSide\" is \"", side, "\", expected \"left\" or \"right\"");
  }
  KeptSpec kept;
  kept.is_existence = type == "existence";
  kept.gives_matched = type == "semi" || kept.is_existence;
  kept.gives_unmatched = type != "semi";
  const bool is_membership = kept.gives_matched || type == "anti";
  if (!is_membership && side == "right" && spec.output.size() > spec.inputs[1].size()) {
    kept.first_build_column = spec.output.size() - spec.inputs[1].size();
  }
  RETURN_NOT_OK(CheckColumns(spec, kept, is_membership));
  return std::make_unique<UnmatchedRows>(std::move(spec), std::move(inputs), context, kept);
}

}  // namespace reprise
