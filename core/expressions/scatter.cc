#include "expressions/scatter.h"

#include <arrow/util/bit_util.h>

#include <numeric>

#include "expressions/nulls.h"
#include "expressions/string_values.h"
#include "expressions/values.h"

namespace reprise {

namespace {

// Calls f(row of the result, row of the piece's column) for each row of the piece.
template <typename F>
void ForEachRow(const Piece& piece, F&& f) {
  const int64_t count = static_cast<int64_t>(piece.rows.size());
  if (piece.dense) {
    for (int64_t k = 0; k < count; ++k) f(piece.rows[k], piece.rows[k]);
  } else {
    for (int64_t k = 0; k < count; ++k) f(piece.rows[k], k);
  }
}

Result<Nulls> ScatterNulls(std::span<const Piece> pieces, int64_t row_count,
                           arrow::MemoryPool* pool) {
  int64_t valid = 0;
  bool any_null = false;
  for (const auto& piece : pieces) {
    valid += static_cast<int64_t>(piece.rows.size());
    any_null |= HasNulls(piece.column);
  }
  if (!any_null && valid == row_count) return Nulls{};
  Nulls nulls;
  ARROW_ASSIGN_OR_RAISE(nulls.bits, arrow::AllocateEmptyBitmap(row_count, pool));
  uint8_t* bits = nulls.bits->mutable_data();
  valid = 0;
  for (const auto& piece : pieces) {
    if (IsNullScalar(piece.column)) continue;
    const bool has_nulls = HasNulls(piece.column);
    ForEachRow(piece, [&](int32_t row, int64_t from) {
      if (has_nulls && piece.column.array->IsNull(from)) return;
      arrow::bit_util::SetBit(bits, row);
      ++valid;
    });
  }
  nulls.count = row_count - valid;
  return nulls;
}

template <typename T>
Result<std::shared_ptr<arrow::Buffer>> ScatterValues(std::span<const Piece> pieces,
                                                     int64_t row_count, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(row_count * static_cast<int64_t>(sizeof(T)), pool));
  std::memset(buffer->mutable_data(), 0, buffer->size());
  T* out = reinterpret_cast<T*>(buffer->mutable_data());
  for (const auto& piece : pieces) {
    if (IsNullScalar(piece.column)) continue;
    VisitValues<T>(piece.column, [&](auto values) {
      ForEachRow(piece, [&](int32_t row, int64_t from) { out[row] = values[from]; });
    });
  }
  return buffer;
}

Result<std::shared_ptr<arrow::Buffer>> ScatterBooleans(std::span<const Piece> pieces,
                                                       int64_t row_count, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateEmptyBitmap(row_count, pool));
  uint8_t* out = buffer->mutable_data();
  for (const auto& piece : pieces) {
    if (IsNullScalar(piece.column)) continue;
    if (piece.column.is_scalar()) {
      if (!ConstantOf<bool>(*piece.column.scalar)) continue;
      ForEachRow(piece, [&](int32_t row, int64_t) { arrow::bit_util::SetBit(out, row); });
      continue;
    }
    const uint8_t* bits = piece.column.array->data()->buffers[1]->data();
    const int64_t offset = piece.column.array->offset();
    ForEachRow(piece, [&](int32_t row, int64_t from) {
      if (arrow::bit_util::GetBit(bits, offset + from)) arrow::bit_util::SetBit(out, row);
    });
  }
  return buffer;
}

Result<std::vector<std::shared_ptr<arrow::Buffer>>> ScatterStrings(std::span<const Piece> pieces,
                                                                   int64_t row_count,
                                                                   arrow::MemoryPool* pool) {
  std::vector<std::string_view> views(row_count);
  for (const auto& piece : pieces) {
    if (IsNullScalar(piece.column)) continue;
    const AnyStrings strings(piece.column);
    const bool has_nulls = HasNulls(piece.column);
    ForEachRow(piece, [&](int32_t row, int64_t from) {
      if (!has_nulls || piece.column.array->IsValid(from)) views[row] = strings[from];
    });
  }
  int64_t bytes = 0;
  for (std::string_view view : views) bytes += static_cast<int64_t>(view.size());
  if (bytes > INT32_MAX) {
    return Status::CapacityError("a batch of ", row_count, " strings has ", bytes,
                                 " bytes; at most ", INT32_MAX, " fit in a utf8 array");
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offsets,
                        arrow::AllocateBuffer((row_count + 1) * sizeof(int32_t), pool));
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> data, arrow::AllocateBuffer(bytes, pool));
  int32_t* offset = reinterpret_cast<int32_t*>(offsets->mutable_data());
  int32_t position = 0;
  for (int64_t row = 0; row < row_count; ++row) {
    offset[row] = position;
    if (views[row].empty()) continue;
    std::memcpy(data->mutable_data() + position, views[row].data(), views[row].size());
    position += static_cast<int32_t>(views[row].size());
  }
  offset[row_count] = position;
  return std::vector<std::shared_ptr<arrow::Buffer>>{std::move(offsets), std::move(data)};
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> Scatter(const DataType& type, std::span<const Piece> pieces,
                                              int64_t row_count, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(type));
  ARROW_ASSIGN_OR_RAISE(Nulls nulls, ScatterNulls(pieces, row_count, pool));
  std::vector<std::shared_ptr<arrow::Buffer>> buffers = {nulls.bits};
  const DataType stored = StoredType(type);
  if (stored.is(TypeKind::kBoolean)) {
    ARROW_ASSIGN_OR_RAISE(auto values, ScatterBooleans(pieces, row_count, pool));
    buffers.push_back(std::move(values));
  } else if (stored.is(TypeKind::kString) || stored.is(TypeKind::kBinary)) {
    ARROW_ASSIGN_OR_RAISE(auto strings, ScatterStrings(pieces, row_count, pool));
    buffers.insert(buffers.end(), strings.begin(), strings.end());
  } else {
    ARROW_ASSIGN_OR_RAISE(auto values, VisitStorage(stored, [&]<typename T>() {
                            return ScatterValues<T>(pieces, row_count, pool);
                          }));
    buffers.push_back(std::move(values));
  }
  return arrow::MakeArray(
      arrow::ArrayData::Make(std::move(arrow_type), row_count, std::move(buffers), nulls.count));
}

Result<Piece> EvaluatePiece(const Expression& expression, EvalInput& input,
                            std::span<const int32_t> rows) {
  const int64_t count = static_cast<int64_t>(rows.size());
  const bool dense =
      count == input.row_count() || (!expression.can_fail() && 2 * count >= input.row_count());
  if (dense) {
    ARROW_ASSIGN_OR_RAISE(Column column, expression.Evaluate(input));
    return Piece{std::move(column), rows, true};
  }
  EvalInput some(input, rows);
  ARROW_ASSIGN_OR_RAISE(Column column, expression.Evaluate(some));
  return Piece{std::move(column), rows, false};
}

SplitRows SplitByCondition(const Piece& condition) {
  SplitRows split;
  const Column& column = condition.column;
  if (column.is_scalar()) {
    const bool taken = column.scalar->is_valid && ConstantOf<bool>(*column.scalar);
    (taken ? split.taken : split.rest).assign(condition.rows.begin(), condition.rows.end());
    return split;
  }
  split.taken.resize(condition.rows.size());
  split.rest.resize(condition.rows.size());
  const uint8_t* bits = column.array->data()->buffers[1]->data();
  const int64_t offset = column.array->offset();
  const bool has_nulls = HasNulls(column);
  int64_t taken = 0;
  int64_t rest = 0;
  ForEachRow(condition, [&](int32_t row, int64_t from) {
    const bool is_true =
        arrow::bit_util::GetBit(bits, offset + from) && !(has_nulls && column.array->IsNull(from));
    split.taken[taken] = row;
    split.rest[rest] = row;
    taken += is_true;
    rest += !is_true;
  });
  split.taken.resize(taken);
  split.rest.resize(rest);
  return split;
}

std::vector<int32_t> AllRows(int64_t row_count) {
  std::vector<int32_t> rows(row_count);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace reprise
