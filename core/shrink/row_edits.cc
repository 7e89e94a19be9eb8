#include "shrink/row_edits.h"

#include <arrow/array/builder_base.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>

#include <algorithm>

namespace reprise {

namespace {

std::shared_ptr<arrow::RecordBatch> With(const arrow::RecordBatch& batch, int column,
                                         std::shared_ptr<arrow::Array> values) {
  auto columns = batch.columns();
  columns[static_cast<size_t>(column)] = std::move(values);
  return arrow::RecordBatch::Make(batch.schema(), batch.num_rows(), std::move(columns));
}

// The batch that holds a row, and the row's place in it.
std::pair<size_t, int64_t> Find(const RecordBatches& batches, int64_t row) {
  size_t i = 0;
  while (row >= batches[i]->num_rows()) row -= batches[i++]->num_rows();
  return {i, row};
}

}  // namespace

int64_t RowCount(const RecordBatches& batches) {
  int64_t rows = 0;
  for (const auto& batch : batches) rows += batch->num_rows();
  return rows;
}

Result<RecordBatches> WithoutRows(const RecordBatches& batches, int64_t first, int64_t count,
                                  arrow::MemoryPool* pool) {
  RecordBatches left;
  int64_t begin = 0;
  for (const auto& batch : batches) {
    const int64_t rows = batch->num_rows();
    const int64_t cut_from = std::clamp<int64_t>(first - begin, 0, rows);
    const int64_t cut_to = std::clamp<int64_t>(first + count - begin, 0, rows);
    begin += rows;
    RecordBatches pieces;
    if (cut_from > 0) pieces.push_back(batch->Slice(0, cut_from));
    if (cut_to < rows) pieces.push_back(batch->Slice(cut_to));
    if (cut_from == cut_to) pieces = {batch};
    if (pieces.size() == 2) {
      ARROW_ASSIGN_OR_RAISE(pieces[0], arrow::ConcatenateRecordBatches(pieces, pool));
    }
    if (!pieces.empty()) left.push_back(pieces[0]);
  }
  return left;
}

Result<std::optional<RecordBatches>> InOneBatch(const RecordBatches& batches,
                                                arrow::MemoryPool* pool) {
  if (batches.size() < 2) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(auto whole, arrow::ConcatenateRecordBatches(batches, pool));
  return RecordBatches{std::move(whole)};
}

Result<RecordBatches> WithColumn(const RecordBatches& batches, int column,
                                 const arrow::Scalar& value, arrow::MemoryPool* pool) {
  RecordBatches changed;
  for (const auto& batch : batches) {
    ARROW_ASSIGN_OR_RAISE(auto values, arrow::MakeArrayFromScalar(value, batch->num_rows(), pool));
    changed.push_back(With(*batch, column, std::move(values)));
  }
  return changed;
}

Result<std::shared_ptr<arrow::Scalar>> ValueAt(const RecordBatches& batches, int column,
                                               int64_t row) {
  const auto [i, place] = Find(batches, row);
  return batches[i]->column(column)->GetScalar(place);
}

Result<RecordBatches> WithValue(const RecordBatches& batches, int column, int64_t row,
                                const arrow::Scalar& value, arrow::MemoryPool* pool) {
  const auto [i, place] = Find(batches, row);
  const auto& values = *batches[i]->column(column);
  ARROW_ASSIGN_OR_RAISE(auto one, arrow::MakeArrayFromScalar(value, 1, pool));
  ARROW_ASSIGN_OR_RAISE(
      auto changed,
      arrow::Concatenate({values.Slice(0, place), std::move(one), values.Slice(place + 1)}, pool));
  RecordBatches all = batches;
  all[i] = With(*batches[i], column, std::move(changed));
  return all;
}

}  // namespace reprise
