#include "operators/python_rows.h"

#include <arrow/array/concatenate.h>
#include <arrow/type_traits.h>

#include <limits>
#include <utility>

#include "operators/spec_members.h"

namespace reprise {

namespace {

/// A batch of large rows is kept up to so many of the sizes that batches have.
constexpr int64_t kKeptSizes = 8;

/// Of bytes: what is sent as one batch is one, however large.
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

/// What Spark's Arrow writer counts for the first rows of columns: validity, offsets and values.
class WriterBytes {
 public:
  explicit WriterBytes(const arrow::ArrayVector& columns) {
    for (const auto& column : columns) Add(*column);
  }

  int64_t operator()(int64_t rows) const {
    const int64_t bit_bytes = (rows + 7) / 8;
    int64_t bytes = rows * fixed_bytes_ + bits_ * bit_bytes;
    for (const int32_t* offsets : offsets_) {
      bytes += (rows + 1) * int64_t{sizeof(int32_t)} + offsets[rows] - offsets[0];
    }
    return bytes;
  }

 private:
  void Add(const arrow::Array& column) {
    ++bits_;  // of validity
    const arrow::Type::type id = column.type_id();
    if (arrow::is_base_binary_like(id)) {
      offsets_.push_back(column.data()->GetValues<int32_t>(1));
    } else if (id == arrow::Type::BOOL) {
      ++bits_;
    } else {
      constexpr int64_t kDecimalBytes = 16;  // whatever its precision
      fixed_bytes_ += arrow::is_decimal(id) ? kDecimalBytes : column.type()->byte_width();
    }
  }

  int64_t fixed_bytes_ = 0;
  int64_t bits_ = 0;
  std::vector<const int32_t*> offsets_;
};

}  // namespace

bool PythonRows::is_full(const BatchBounds& bounds) const {
  if (bytes_ == kNoLimit) return waiting_rows_ >= rows_;
  return waiting_rows_ >= rows_ || sent_bytes_ >= bytes_ ||
         kept_bytes_ >= kKeptSizes * bounds.bytes;
}

void PythonRows::Add(Batch batch) { Wait(std::move(batch), /*is_first=*/false); }

void PythonRows::Wait(Batch batch, bool is_first) {
  waiting_rows_ += batch.row_count;
  kept_bytes_ += PlainBytes(batch);
  sent_bytes_ += WriterBytes(Sent(batch))(batch.row_count);
  waiting_.insert(is_first ? waiting_.begin() : waiting_.end(), std::move(batch));
}

arrow::ArrayVector PythonRows::Sent(const Batch& batch) const {
  arrow::ArrayVector columns;
  for (const int column : sent_) columns.push_back(batch.columns[static_cast<size_t>(column)]);
  return columns;
}

Result<Batch> PythonRows::Take(arrow::MemoryPool* pool) {
  const std::deque<Batch> pieces = std::exchange(waiting_, {});
  const int64_t rows = std::exchange(waiting_rows_, 0);
  kept_bytes_ = 0;
  sent_bytes_ = 0;
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
  const int64_t end = EndOf(all);
  if (end == rows) return all;
  ARROW_ASSIGN_OR_RAISE(Batch rest, PieceOf(all, end, rows - end, pool));
  Wait(std::move(rest), /*is_first=*/true);
  return PieceOf(all, 0, end, pool);
}

/// Spark goes on where the rows before are not enough.
int64_t PythonRows::EndOf(const Batch& all) const {
  const int64_t most = std::min(all.row_count, rows_);
  const WriterBytes bytes(Sent(all));
  if (bytes(most - 1) < bytes_) return most;
  int64_t low = 1;
  int64_t high = most;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (bytes(middle) >= bytes_) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Result<PythonRows> ReadPythonRows(const nlohmann::json& arguments, size_t column_count) {
  ARROW_ASSIGN_OR_RAISE(int64_t rows, IntegerMember(arguments, "rows"));
  ARROW_ASSIGN_OR_RAISE(const int64_t bytes, IntegerMember(arguments, "bytes"));
  ARROW_ASSIGN_OR_RAISE(std::vector<int> sent,
                        ColumnNumbersMember(arguments, "sent", column_count));
  if (bytes <= 0) return Status::Invalid("\"bytes\" is ", bytes, ", not above 0");
  if (rows <= 0) rows = std::numeric_limits<int32_t>::max();
  return PythonRows(rows, bytes, std::move(sent));
}

}  // namespace reprise
