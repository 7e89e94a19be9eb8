// make_array: an array of values, as Spark's CreateArray.
// Input: values of one type, one at least. Output: an array of them, never null; its bytes are
// those of Spark's UnsafeArrayData.
//   make_array(7, null) = [7, null]
#include "expressions/nested/made_array.h"

#include "expressions/functions.h"
#include "expressions/nested/flat_lists.h"
#include "expressions/null_intolerant.h"
#include "expressions/nulls.h"
#include "expressions/scatter.h"
#include "expressions/values.h"
#include "plan/nested_type.h"
#include "plan/unsafe_row.h"

namespace reprise {

namespace {

/// The elements that stand at one place of each array, in a column.
class Elements {
 public:
  virtual ~Elements() = default;
  /// Adds the bytes of each row's element besides those that all have.
  virtual void AddBytes(std::span<int64_t> sizes) const = 0;
  /// Writes the element of a row to `fixed`, and what it refers to, if anything, `offset` bytes
  /// behind the array's start; gives the bytes written there.
  virtual int64_t Write(int64_t row, uint8_t* array, uint8_t* fixed, int64_t offset) const = 0;
};

template <typename T>
class FixedElements final : public Elements {
 public:
  explicit FixedElements(const arrow::Array& column) : values_(RowsOf<T>(column)) {}
  void AddBytes(std::span<int64_t>) const override {}
  int64_t Write(int64_t row, uint8_t*, uint8_t* fixed, int64_t) const override {
    StoreAs<T>(fixed, values_[row]);
    return 0;
  }

 private:
  Rows<T> values_;
};

class BooleanElements final : public Elements {
 public:
  explicit BooleanElements(const arrow::Array& column)
      : values_{column.data()->buffers[1]->data(), column.offset()} {}
  void AddBytes(std::span<int64_t>) const override {}
  int64_t Write(int64_t row, uint8_t*, uint8_t* fixed, int64_t) const override {
    *fixed = values_[row] ? 1 : 0;
    return 0;
  }

 private:
  BitRows values_;
};

class LongDecimalElements final : public Elements {
 public:
  explicit LongDecimalElements(const arrow::Array& column)
      : column_(column), values_(RowsOf<Int128Cell>(column)) {}
  void AddBytes(std::span<int64_t> sizes) const override {
    for (int64_t row = 0; row < std::ssize(sizes); ++row) {
      if (column_.IsNull(row)) continue;
      sizes[static_cast<size_t>(row)] += LongDecimalElementBytes(static_cast<Int128>(values_[row]));
    }
  }
  int64_t Write(int64_t row, uint8_t* array, uint8_t* fixed, int64_t offset) const override {
    return StoreLongDecimalElement(static_cast<Int128>(values_[row]), array, fixed, offset);
  }

 private:
  const arrow::Array& column_;
  Rows<Int128Cell> values_;
};

class BytesElements final : public Elements {
 public:
  explicit BytesElements(const arrow::Array& column)
      : column_(column), values_(StringsOf(column)) {}
  void AddBytes(std::span<int64_t> sizes) const override {
    for (int64_t row = 0; row < std::ssize(sizes); ++row) {
      if (column_.IsNull(row)) continue;
      sizes[static_cast<size_t>(row)] += RoundUpToWord(static_cast<int64_t>(values_[row].size()));
    }
  }
  int64_t Write(int64_t row, uint8_t* array, uint8_t* fixed, int64_t offset) const override {
    const std::string_view value = values_[row];
    if (!value.empty()) std::memcpy(array + offset, value.data(), value.size());
    StoreAs<uint64_t>(fixed, static_cast<uint64_t>(offset) << 32 | value.size());
    return RoundUpToWord(static_cast<int64_t>(value.size()));
  }

 private:
  const arrow::Array& column_;
  StringRows values_;
};

Result<std::unique_ptr<Elements>> ElementsIn(const arrow::Array& column, const NestedType& type) {
  using Made = Result<std::unique_ptr<Elements>>;
  if (type.is_long_decimal) return std::make_unique<LongDecimalElements>(column);
  switch (type.stored) {
    case TypeKind::kBoolean:
      return std::make_unique<BooleanElements>(column);
    case TypeKind::kString:
    case TypeKind::kBinary:
      return std::make_unique<BytesElements>(column);
    default:
      return VisitStorage(DataType{type.word_kind()}, [&]<typename T>() -> Made {
        return std::make_unique<FixedElements<T>>(column);
      });
  }
}

class MadeArray final : public Expression, public ArraysByElement {
 public:
  MadeArray(FunctionCall call, NestedType element)
      : Expression(call.spec.type, AnyCanFail(call.arguments)),
        values_(std::move(call.arguments)),
        element_(std::move(element)),
        null_bits_(kRowWordBytes),
        first_(kRowWordBytes + NullBitsBytes(std::ssize(values_))),
        fixed_bytes_(first_ + RoundUpToWord(std::ssize(values_) * element_.element_bytes)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    arrow::ArrayVector columns;
    std::vector<std::unique_ptr<Elements>> elements;
    for (const auto& value : values_) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*value, input));
      ARROW_ASSIGN_OR_RAISE(column, DecodeDictionary(column, input.pool()));
      ARROW_ASSIGN_OR_RAISE(auto made, ElementsIn(*column, element_));
      columns.push_back(std::move(column));
      elements.push_back(std::move(made));
    }
    const int64_t rows = input.row_count();
    ARROW_ASSIGN_OR_RAISE(auto offsets, OffsetsOf(elements, rows, input.pool()));
    const auto* starts = reinterpret_cast<const int32_t*>(offsets->data());
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> data,
                          arrow::AllocateBuffer(starts[rows], input.pool()));
    if (starts[rows] > 0) std::memset(data->mutable_data(), 0, static_cast<size_t>(starts[rows]));
    for (int64_t row = 0; row < rows; ++row) {
      WriteArray(columns, elements, row, data->mutable_data() + starts[row]);
    }
    return Column{std::make_shared<arrow::BinaryArray>(rows, std::move(offsets), std::move(data)),
                  nullptr};
  }

  Result<FlatArrays> EvaluateElements(EvalInput& input) const override {
    const int64_t rows = input.row_count();
    const auto count = std::ssize(values_);
    FlatArrays flat;
    ARROW_ASSIGN_OR_RAISE(static_cast<FlatLists&>(flat),
                          FlattenRows(
                              rows, {}, [count](int64_t) { return count; }, input.pool()));
    std::vector<std::vector<int32_t>> places(values_.size());
    std::vector<Piece> pieces;
    for (size_t i = 0; i < values_.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*values_[i], input));
      for (int64_t row = 0; row < rows; ++row) {
        places[i].push_back(static_cast<int32_t>(row * count + static_cast<int64_t>(i)));
      }
      pieces.push_back({{std::move(column), nullptr}, places[i], /*dense=*/false});
    }
    ARROW_ASSIGN_OR_RAISE(flat.elements,
                          Scatter(values_[0]->type(), pieces, rows * count, input.pool()));
    return flat;
  }

  std::vector<std::unique_ptr<Expression>> TakeValues() { return std::move(values_); }

 private:
  Result<std::shared_ptr<arrow::Buffer>> OffsetsOf(
      const std::vector<std::unique_ptr<Elements>>& elements, int64_t rows,
      arrow::MemoryPool* pool) const {
    std::vector<int64_t> sizes(static_cast<size_t>(rows), fixed_bytes_);
    for (const auto& column : elements) column->AddBytes(sizes);
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offsets,
                          arrow::AllocateBuffer((rows + 1) * int64_t{sizeof(int32_t)}, pool));
    auto* ends = reinterpret_cast<int32_t*>(offsets->mutable_data());
    int64_t end = 0;
    ends[0] = 0;
    for (int64_t row = 0; row < rows; ++row) {
      end += sizes[static_cast<size_t>(row)];
      if (end > INT32_MAX) {
        return Status::CapacityError("arrays of ", rows, " rows have more than 2 GiB");
      }
      ends[row + 1] = static_cast<int32_t>(end);
    }
    return offsets;
  }

  void WriteArray(const arrow::ArrayVector& columns,
                  const std::vector<std::unique_ptr<Elements>>& elements, int64_t row,
                  uint8_t* array) const {
    StoreAs<int64_t>(array, std::ssize(elements));
    int64_t offset = fixed_bytes_;
    for (size_t i = 0; i < elements.size(); ++i) {
      if (columns[i]->IsNull(row)) {
        array[null_bits_ + static_cast<int64_t>(i) / 8] |= static_cast<uint8_t>(1 << (i % 8));
        continue;
      }
      uint8_t* const fixed = array + first_ + static_cast<int64_t>(i) * element_.element_bytes;
      offset += elements[i]->Write(row, array, fixed, offset);
    }
  }

  std::vector<std::unique_ptr<Expression>> values_;
  const NestedType element_;
  const int64_t null_bits_;    // where they stand
  const int64_t first_;        // where the first element stands
  const int64_t fixed_bytes_;  // before what elements refer to
};

}  // namespace

std::vector<std::unique_ptr<Expression>> TakeElements(Expression* expression) {
  auto* const made = dynamic_cast<MadeArray*>(expression);
  return made != nullptr ? made->TakeValues() : std::vector<std::unique_ptr<Expression>>();
}

MadeExpression MakeArray(FunctionCall call) {
  const auto nested = ParseNestedType(call.spec.type);
  const bool is_array = nested && nested->form == NestedType::Form::kArray;
  for (const auto& value : call.arguments) {
    if (is_array && HoldsPlainly(nested->parts[0], value->type())) continue;
    return Status::Invalid("an element of ", call.spec.type.ToString(), " is given as ",
                           value->type().ToString());
  }
  NestedType element = PlainItemType(call.arguments[0]->type());
  return std::make_unique<MadeArray>(std::move(call), std::move(element));
}

}  // namespace reprise
