#include "operators/python_rows.h"

#include <arrow/array/concatenate.h>
#include <arrow/type_traits.h>

#include <limits>
#include <utility>

#include "operators/spec_members.h"
#include "plan/unsafe_row.h"
#include "transitions/nested_column.h"

namespace reprise {

namespace {

/// A batch of large rows is kept up to so many of the sizes that batches have.
constexpr int64_t kKeptSizes = 8;

/// Of bytes: what is sent as one batch is one, however large.
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

/// What Spark's Arrow writer counts for the first rows of a column, in the type that it has there:
/// validity, offsets and values.
int64_t WriterBytes(const arrow::Array& column, int64_t rows) {
  if (rows == 0) return 0;
  const int64_t bit_bytes = (rows + 7) / 8;
  const int64_t offset_bytes = (rows + 1) * int64_t{sizeof(int32_t)};
  const arrow::Type::type id = column.type_id();
  if (arrow::is_base_binary_like(id)) {
    const auto* offsets = column.data()->GetValues<int32_t>(1);
    return bit_bytes + offset_bytes + offsets[rows] - offsets[0];
  }
  if (id == arrow::Type::LIST || id == arrow::Type::MAP) {
    const auto& lists = static_cast<const arrow::ListArray&>(column);
    const int64_t begin = lists.value_offset(0);
    const int64_t items = lists.value_offset(rows) - begin;
    return bit_bytes + offset_bytes + WriterBytes(*lists.values()->Slice(begin, items), items);
  }
  if (id == arrow::Type::STRUCT) {
    int64_t bytes = bit_bytes;
    const auto& structs = static_cast<const arrow::StructArray&>(column);
    for (int i = 0; i < structs.num_fields(); ++i) bytes += WriterBytes(*structs.field(i), rows);
    return bytes;
  }
  if (id == arrow::Type::BOOL) return 2 * bit_bytes;
  constexpr int64_t kDecimalBytes = 16;  // whatever its precision
  return bit_bytes + rows * (arrow::is_decimal(id) ? kDecimalBytes : column.type()->byte_width());
}

int64_t WriterBytes(const arrow::ArrayVector& columns, int64_t rows) {
  int64_t bytes = 0;
  for (const auto& column : columns) bytes += WriterBytes(*column, rows);
  return bytes;
}

/// No less than what a row, or an element of an array, of the type comes to besides its strings.
int64_t WidthIn(const NestedType& type) {
  constexpr int64_t kOffsetAndValidity = 5;
  constexpr int64_t kWidestAndValidity = 17;
  int64_t width = type.parts.empty() ? kWidestAndValidity : kOffsetAndValidity;
  for (const NestedType& part : type.parts) width += WidthIn(part);
  return width;
}

/// No less than what a nested column comes to: each slot of its parts but those of bytes and
/// booleans takes a word of Spark's, and strings their bytes.
int64_t NestedBytesMost(const arrow::Array& column, const NestedType& type) {
  const auto* offsets = column.data()->GetValues<int32_t>(1);
  const int64_t bytes = column.length() == 0 ? 0 : offsets[column.length()] - offsets[0];
  return 2 * bytes + (bytes / kRowWordBytes + column.length() + 1) * WidthIn(type);
}

}  // namespace

bool PythonRows::is_full(const BatchBounds& bounds) const {
  if (bytes_ == kNoLimit) return waiting_rows_ >= rows_;
  return waiting_rows_ >= rows_ || sent_bytes_ >= bytes_ ||
         kept_bytes_ >= kKeptSizes * bounds.bytes;
}

Status PythonRows::Add(Batch batch, arrow::MemoryPool* pool) {
  return Wait(std::move(batch), /*is_first=*/false, pool);
}

Status PythonRows::Wait(Batch batch, bool is_first, arrow::MemoryPool* pool) {
  waiting_rows_ += batch.row_count;
  kept_bytes_ += PlainBytes(batch);
  if (is_counted_) {
    ARROW_ASSIGN_OR_RAISE(const int64_t bytes, CountedBytes(batch, pool));
    sent_bytes_ += bytes;
  } else {
    sent_bytes_ += BytesMost(batch);
  }
  waiting_.insert(is_first ? waiting_.begin() : waiting_.end(), std::move(batch));
  if (is_counted_ || sent_bytes_ < bytes_) return Status::OK();
  is_counted_ = true;
  sent_bytes_ = 0;
  for (const Batch& piece : waiting_) {
    ARROW_ASSIGN_OR_RAISE(const int64_t bytes, CountedBytes(piece, pool));
    sent_bytes_ += bytes;
  }
  return Status::OK();
}

Result<int64_t> PythonRows::CountedBytes(const Batch& batch, arrow::MemoryPool* pool) const {
  ARROW_ASSIGN_OR_RAISE(const arrow::ArrayVector sent, Sent(batch, pool));
  return WriterBytes(sent, batch.row_count);
}

/// What nested values come to is counted only where it matters, for it takes a copy of them.
int64_t PythonRows::BytesMost(const Batch& batch) const {
  int64_t bytes = 0;
  for (const SentColumn& sent : sent_) {
    const auto& column = *batch.columns[static_cast<size_t>(sent.index)];
    bytes +=
        sent.nested ? NestedBytesMost(column, *sent.nested) : WriterBytes(column, batch.row_count);
  }
  return bytes;
}

Result<arrow::ArrayVector> PythonRows::Sent(const Batch& batch, arrow::MemoryPool* pool) const {
  arrow::ArrayVector columns;
  for (const SentColumn& sent : sent_) {
    const auto& column = batch.columns[static_cast<size_t>(sent.index)];
    if (sent.nested) {
      ARROW_ASSIGN_OR_RAISE(columns.emplace_back(),
                            ReadableColumn(column, sent.type, *sent.nested, pool));
    } else {
      columns.push_back(column);
    }
  }
  return columns;
}

Result<Batch> PythonRows::Take(arrow::MemoryPool* pool) {
  const std::deque<Batch> pieces = std::exchange(waiting_, {});
  const int64_t rows = std::exchange(waiting_rows_, 0);
  kept_bytes_ = 0;
  const int64_t bytes = std::exchange(sent_bytes_, 0);
  is_counted_ = false;
  Batch all{pieces[0].schema, {}, rows, nullptr};
  for (size_t i = 0; i < pieces[0].columns.size(); ++i) {
    arrow::ArrayVector columns;
    for (const Batch& piece : pieces) columns.push_back(piece.columns[i]);
    if (columns.size() == 1) {
      all.columns.push_back(std::move(columns[0]));
    } else {
      ARROW_ASSIGN_OR_RAISE(auto column, arrow::Concatenate(columns, pool));
      all.columns.push_back(std::move(column));
    }
  }
  int64_t end = std::min(rows, rows_);
  // Pieces come to no less than all their rows together.
  if (bytes >= bytes_) {
    ARROW_ASSIGN_OR_RAISE(const arrow::ArrayVector sent, Sent(all, pool));
    end = EndOf(sent, end);
  }
  if (end == rows) return all;
  ARROW_ASSIGN_OR_RAISE(Batch rest, PieceOf(all, end, rows - end, pool));
  RETURN_NOT_OK(Wait(std::move(rest), /*is_first=*/true, pool));
  return PieceOf(all, 0, end, pool);
}

/// Spark goes on where the rows before are not enough.
int64_t PythonRows::EndOf(const arrow::ArrayVector& sent, int64_t most) const {
  if (WriterBytes(sent, most - 1) < bytes_) return most;
  int64_t low = 1;
  int64_t high = most;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (WriterBytes(sent, middle) >= bytes_) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Result<PythonRows> ReadPythonRows(const nlohmann::json& arguments,
                                  const std::vector<Field>& columns) {
  ARROW_ASSIGN_OR_RAISE(int64_t rows, IntegerMember(arguments, "rows"));
  ARROW_ASSIGN_OR_RAISE(const int64_t bytes, IntegerMember(arguments, "bytes"));
  ARROW_ASSIGN_OR_RAISE(const std::vector<int> sent,
                        ColumnNumbersMember(arguments, "sent", columns.size()));
  if (bytes <= 0) return Status::Invalid("\"bytes\" is ", bytes, ", not above 0");
  if (rows <= 0) rows = std::numeric_limits<int32_t>::max();
  std::vector<PythonRows::SentColumn> all;
  for (const int column : sent) {
    const DataType& type = columns[static_cast<size_t>(column)].type;
    all.push_back({column, type, ParseNestedType(type)});
  }
  return PythonRows(rows, bytes, std::move(all));
}

}  // namespace reprise
