#include "replay/first_difference.h"

#include <arrow/compare.h>
#include <arrow/scalar.h>
#include <arrow/util/string.h>

#include <algorithm>

#include "plan/replaced_text.h"

namespace reprise {

namespace {

constexpr char kNoRow[] = "no row";

// The rows of a stream that have not been compared yet, of the batch at hand.
class Cursor {
 public:
  Cursor(const BatchSource& source, arrow::MemoryPool* pool) : source_(source), pool_(pool) {}

  // Rows at hand; 0 at the end of the stream.
  Result<int64_t> Fill() {
    while (!at_end_ && (records_ == nullptr || next_ == records_->num_rows())) {
      next_ = 0;
      ARROW_ASSIGN_OR_RAISE(records_, source_());
      at_end_ = records_ == nullptr;
      if (at_end_) break;
      ARROW_ASSIGN_OR_RAISE(records_, ToRecordBatch(ToBatch(records_), pool_));
    }
    return at_end_ ? 0 : records_->num_rows() - next_;
  }

  void Advance(int64_t rows) { next_ += rows; }
  int column_count() const { return records_->num_columns(); }
  const arrow::Array& column(int index) const { return *records_->column(index); }
  int64_t at() const { return next_; }

  std::string ValueText(int column, int64_t row) const {
    const auto scalar = this->column(column).GetScalar(next_ + row);
    if (!scalar.ok()) return scalar.status().message();
    std::string text = (*scalar)->ToString();
    // Reports are text: other bytes are shown by their digits.
    return IsUtf8(text) ? text : "0x" + arrow::HexEncode(text);
  }
  std::string RowText() const { return at_end_ ? kNoRow : "a row"; }

 private:
  const BatchSource& source_;
  arrow::MemoryPool* pool_;
  std::shared_ptr<arrow::RecordBatch> records_;
  int64_t next_ = 0;
  bool at_end_ = false;
};

bool Equal(const Cursor& a, const Cursor& b, int column, int64_t begin, int64_t rows) {
  static const auto options = arrow::EqualOptions().nans_equal(true).signed_zeros_equal(false);
  return a.column(column).RangeEquals(b.column(column), a.at() + begin, a.at() + begin + rows,
                                      b.at() + begin, options);
}

// The first row among `rows` in which a column differs, found by halving; `rows` where none does.
int64_t FirstUnequalRow(const Cursor& a, const Cursor& b, int column, int64_t rows) {
  if (Equal(a, b, column, 0, rows)) return rows;
  int64_t begin = 0;
  for (int64_t length = rows; length > 1;) {
    const int64_t half = length / 2;
    if (Equal(a, b, column, begin, half)) {
      begin += half;
      length -= half;
    } else {
      length = half;
    }
  }
  return begin;
}

// The first difference within the next `rows` rows of both.
std::optional<FirstDifference> WithinRows(const Cursor& recorded, const Cursor& replayed,
                                          int64_t rows) {
  std::optional<FirstDifference> first;
  for (int i = 0; i < recorded.column_count(); ++i) {
    const int64_t row = FirstUnequalRow(recorded, replayed, i, first ? first->row : rows);
    if (row == (first ? first->row : rows)) continue;
    first = {row, i, recorded.ValueText(i, row), replayed.ValueText(i, row)};
  }
  return first;
}

}  // namespace

Result<std::optional<FirstDifference>> FindFirstDifference(const BatchSource& recorded,
                                                           const BatchSource& replayed,
                                                           int64_t rows_max,
                                                           arrow::MemoryPool* pool) {
  Cursor before(recorded, pool);
  Cursor after(replayed, pool);
  for (int64_t compared = 0; compared < rows_max;) {
    ARROW_ASSIGN_OR_RAISE(const int64_t rows_before, before.Fill());
    ARROW_ASSIGN_OR_RAISE(const int64_t rows_after, after.Fill());
    if (rows_before == 0 && rows_after == 0) return std::nullopt;
    if (rows_before == 0 || rows_after == 0) {
      return FirstDifference{compared, std::nullopt, before.RowText(), after.RowText()};
    }
    const int64_t rows = std::min({rows_before, rows_after, rows_max - compared});
    std::optional<FirstDifference> difference = WithinRows(before, after, rows);
    if (difference) {
      difference->row += compared;
      return difference;
    }
    before.Advance(rows);
    after.Advance(rows);
    compared += rows;
  }
  return std::nullopt;
}

}  // namespace reprise
