#include "operators/join/join_output.h"

#include <arrow/array/util.h>

#include <algorithm>

namespace reprise {

namespace {

Result<arrow::ArrayVector> GatherAll(const arrow::ArrayVector& columns, const JoinSide& side,
                                     std::span<const int32_t> rows, Missing missing,
                                     arrow::MemoryPool* pool) {
  arrow::ArrayVector gathered;
  gathered.reserve(side.leaving.size());
  for (const int column : side.leaving) {
    ARROW_ASSIGN_OR_RAISE(auto array, GatherRows(*columns[column], rows, missing, pool));
    gathered.push_back(std::move(array));
  }
  return gathered;
}

Result<arrow::ArrayVector> Nulls(const JoinSide& side, int64_t count, arrow::MemoryPool* pool) {
  arrow::ArrayVector columns;
  for (const int column : side.leaving) {
    ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(side.fields[column].type));
    ARROW_ASSIGN_OR_RAISE(auto nulls, arrow::MakeArrayOfNull(type, count, pool));
    columns.push_back(std::move(nulls));
  }
  return columns;
}

arrow::ArrayVector Leaving(const arrow::ArrayVector& columns, const JoinSide& side) {
  arrow::ArrayVector leaving;
  leaving.reserve(side.leaving.size());
  for (const int column : side.leaving) leaving.push_back(columns[column]);
  return leaving;
}

}  // namespace

Result<Batch> JoinOutput::Pairs(const Batch& probe, const arrow::ArrayVector& build,
                                const RowPairs& pairs, int64_t begin, int64_t count,
                                arrow::MemoryPool* pool) const {
  ARROW_ASSIGN_OR_RAISE(
      auto probe_columns,
      GatherAll(probe.columns, probe_, pairs.probe_rows(begin, count), Missing::kNull, pool));
  ARROW_ASSIGN_OR_RAISE(auto build_columns, GatherAll(build, build_, pairs.build_rows(begin, count),
                                                      Missing::kNull, pool));
  Batch batch = Assemble(std::move(probe_columns), std::move(build_columns), count);
  if (probe.errors != nullptr) {
    batch.errors = Errors(ErrorsAt(*probe.errors, pairs.probe_rows(begin, count)));
  }
  return batch;
}

Result<Batch> JoinOutput::InPlace(const Batch& probe, std::shared_ptr<arrow::Buffer> selection,
                                  const arrow::ArrayVector& build,
                                  std::span<const int32_t> build_rows, Missing missing,
                                  arrow::MemoryPool* pool) const {
  ARROW_ASSIGN_OR_RAISE(auto build_columns, GatherAll(build, build_, build_rows, missing, pool));
  Batch batch = Assemble(Leaving(probe.columns, probe_), std::move(build_columns), probe.row_count);
  batch.selection = std::move(selection);
  if (probe.errors != nullptr) batch.errors = Errors(*probe.errors);
  return batch;
}

Result<Batch> JoinOutput::ProbeRows(const Batch& probe, arrow::MemoryPool* pool) const {
  ARROW_ASSIGN_OR_RAISE(auto build_columns, Nulls(build_, probe.row_count, pool));
  Batch batch = Assemble(Leaving(probe.columns, probe_), std::move(build_columns), probe.row_count);
  batch.selection = probe.selection;
  return batch;
}

Result<Batch> JoinOutput::BuildRows(const arrow::ArrayVector& build, std::span<const int32_t> rows,
                                    arrow::MemoryPool* pool) const {
  const int64_t count = static_cast<int64_t>(rows.size());
  ARROW_ASSIGN_OR_RAISE(auto probe_columns, Nulls(probe_, count, pool));
  ARROW_ASSIGN_OR_RAISE(auto build_columns, GatherAll(build, build_, rows, Missing::kNull, pool));
  return Assemble(std::move(probe_columns), std::move(build_columns), count);
}

Batch JoinOutput::ProbeAlone(Batch probe) const {
  probe.schema = schema_;
  if (probe_.leaving.size() == probe_.fields.size()) return probe;
  probe.columns = Leaving(probe.columns, probe_);
  if (probe.errors != nullptr) probe.errors = Errors(*probe.errors, 0);
  return probe;
}

std::shared_ptr<const ValueErrors> JoinOutput::Errors(ValueErrors of_probe) const {
  return Errors(std::move(of_probe), build_left_ ? static_cast<int>(build_.leaving.size()) : 0);
}

std::shared_ptr<const ValueErrors> JoinOutput::Errors(ValueErrors of_probe, int first) const {
  return ToBatchErrors(ErrorsOfColumns(std::move(of_probe), [&](int column) {
    const auto found = std::ranges::find(probe_.leaving, column);
    return found == probe_.leaving.end() ? -1
                                         : first + static_cast<int>(found - probe_.leaving.begin());
  }));
}

Batch JoinOutput::Assemble(arrow::ArrayVector probe, arrow::ArrayVector build,
                           int64_t row_count) const {
  arrow::ArrayVector& left = build_left_ ? build : probe;
  arrow::ArrayVector& right = build_left_ ? probe : build;
  left.insert(left.end(), std::make_move_iterator(right.begin()),
              std::make_move_iterator(right.end()));
  return {schema_, std::move(left), row_count, nullptr};
}

}  // namespace reprise
