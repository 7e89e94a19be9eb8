// equal, less, less_or_equal, greater, greater_or_equal, equal_null_safe.
// Input: two arguments of one type. Output: boolean.
//   less([1, null], 2) = [true, null];  equal_null_safe([1, null], null) = [false, true]
// Strings and binary are compared byte by byte, unsigned (UTF8_BINARY).
#include <arrow/array/array_dict.h>
#include <arrow/util/bitmap_ops.h>

#include "expressions/functions.h"
#include "expressions/leaves.h"
#include "expressions/null_intolerant.h"
#include "expressions/ordering.h"
#include "expressions/values.h"

namespace reprise {

namespace {

bool IsDictionary(const Column& column) {
  return !column.is_scalar() && column.array->type_id() == arrow::Type::DICTIONARY;
}

// A bitmap as one byte a row.
std::vector<uint8_t> BytesOfBits(const Column& column, int64_t row_count) {
  std::vector<uint8_t> bytes(row_count);
  if (column.is_scalar()) {
    std::fill(bytes.begin(), bytes.end(), ConstantOf<bool>(*column.scalar));
    return bytes;
  }
  const uint8_t* bits = column.array->data()->buffers[1]->data();
  const int64_t offset = column.array->offset();
  for (int64_t row = 0; row < row_count; ++row) {
    bytes[row] = arrow::bit_util::GetBit(bits, offset + row);
  }
  return bytes;
}

// Calls f with the rows of a utf8 or binary column, or its constant.
template <typename F>
Status VisitStrings(const Column& column, F&& f) {
  if (column.is_scalar()) return f(Constant<std::string_view>{StringOf(*column.scalar)});
  return f(StringsOf(*column.array));
}

// One byte an entry of the dictionary: whether it compares so with the constant.
template <typename Op, bool kConstantIsLeft>
std::vector<uint8_t> DictionaryTable(const arrow::Array& dictionary, std::string_view constant) {
  std::vector<uint8_t> table(std::max<int64_t>(dictionary.length(), 1));
  const StringRows entries = StringsOf(dictionary);
  for (int64_t i = 0; i < dictionary.length(); ++i) {
    table[i] = kConstantIsLeft ? Op()(constant, entries[i]) : Op()(entries[i], constant);
  }
  return table;
}

// Calls f(test) where test(row) says whether the row compares so; nulls are not looked at. A
// dictionary is compared with a constant once, entry by entry.
template <typename Op, typename F>
Status VisitTest(const DataType& type, Column left, Column right, int64_t row_count,
                 arrow::MemoryPool* pool, F&& f) {
  if ((IsDictionary(left) && right.is_scalar()) || (IsDictionary(right) && left.is_scalar())) {
    const bool swapped = left.is_scalar();
    const auto& encoded =
        static_cast<const arrow::DictionaryArray&>(swapped ? *right.array : *left.array);
    const auto constant = StringOf(swapped ? *left.scalar : *right.scalar);
    const auto table = swapped ? DictionaryTable<Op, true>(*encoded.dictionary(), constant)
                               : DictionaryTable<Op, false>(*encoded.dictionary(), constant);
    const DictionaryRows rows{RowsOf<int32_t>(encoded).data, table.data(),
                              static_cast<uint32_t>(table.size())};
    return f([=](int64_t row) { return rows[row]; });
  }
  if (type.is(TypeKind::kBoolean)) {
    const auto l = BytesOfBits(left, row_count);
    const auto r = BytesOfBits(right, row_count);
    const uint8_t* a = l.data();
    const uint8_t* b = r.data();
    return f([=](int64_t row) { return Op()(a[row], b[row]); });
  }
  if (type.is(TypeKind::kString) || type.is(TypeKind::kBinary)) {
    if (left.array) {
      ARROW_ASSIGN_OR_RAISE(left.array, DecodeDictionary(left.array, pool));
    }
    if (right.array) {
      ARROW_ASSIGN_OR_RAISE(right.array, DecodeDictionary(right.array, pool));
    }
    return VisitStrings(left, [&](auto a) {
      return VisitStrings(
          right, [&](auto b) { return f([=](int64_t row) { return Op()(a[row], b[row]); }); });
    });
  }
  return VisitStorage(type, [&]<typename T>() {
    return VisitPair<T, T>(left, right, [&](auto a, auto b) {
      return f([=](int64_t row) { return Op()(a[row], b[row]); });
    });
  });
}

template <typename Op>
Result<std::shared_ptr<arrow::Buffer>> CompareToBits(const DataType& type, const Column& left,
                                                     const Column& right, int64_t row_count,
                                                     arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                        arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), pool));
  RETURN_NOT_OK(VisitTest<Op>(type, left, right, row_count, pool, [&](auto test) {
    WriteBits(row_count, bits->mutable_data(), test);
    return Status::OK();
  }));
  return bits;
}

// `kSwapped`: the operator holds for (right, left): greater is less with the sides exchanged. The
// sides are still evaluated in their order.
template <typename Op, bool kSwapped>
class Comparison : public NullIntolerant {
 public:
  explicit Comparison(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

  Result<int64_t> Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                         int32_t* out) const override {
    Column left = LeafOf(argument(0), batch);
    Column right = LeafOf(argument(1), batch);
    const bool in_place =
        (left.array || right.array) && (left.array || left.scalar) && (right.array || right.scalar);
    if (!in_place) return Expression::Select(batch, rows, pool, out);
    if (IsNullScalar(left) || IsNullScalar(right)) return 0;
    if (kSwapped) std::swap(left, right);
    const Column columns[] = {left, right};
    ARROW_ASSIGN_OR_RAISE(Nulls nulls, UnionOfNulls(columns, batch.row_count, pool));
    int64_t count = 0;
    RETURN_NOT_OK(
        VisitTest<Op>(argument(0).type(), left, right, batch.row_count, pool, [&](auto test) {
          if (nulls.bits == nullptr) {
            count = WriteSelection(rows, out, test);
          } else {
            const uint8_t* valid = nulls.bits->data();
            count = WriteSelection(rows, out, [=](int64_t row) {
              return static_cast<bool>(test(row)) & arrow::bit_util::GetBit(valid, row);
            });
          }
          return Status::OK();
        }));
    return count;
  }

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const Column& left = arguments[kSwapped ? 1 : 0];
    const Column& right = arguments[kSwapped ? 0 : 1];
    ARROW_ASSIGN_OR_RAISE(auto bits,
                          CompareToBits<Op>(argument(0).type(), left, right, row_count, pool));
    return ToArray(std::move(bits), nulls, row_count);
  }
};

// True where both are equal or both are null; never null.
class EqualNullSafe : public Expression {
 public:
  explicit EqualNullSafe(FunctionCall call)
      : Expression(call.spec.type, call.arguments[0]->can_fail() || call.arguments[1]->can_fail()),
        left_(std::move(call.arguments[0])),
        right_(std::move(call.arguments[1])) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t row_count = input.row_count();
    if (row_count == 0) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(Column left, left_->Evaluate(input));
    ARROW_ASSIGN_OR_RAISE(Column right, right_->Evaluate(input));
    std::shared_ptr<arrow::Buffer> bits;
    if (IsNullScalar(left) || IsNullScalar(right)) {
      ARROW_ASSIGN_OR_RAISE(bits, arrow::AllocateEmptyBitmap(row_count, input.pool()));
    } else {
      ARROW_ASSIGN_OR_RAISE(
          bits, CompareToBits<IsEqual>(left_->type(), left, right, row_count, input.pool()));
    }
    if (HasNulls(left) || HasNulls(right)) {
      for (int64_t row = 0; row < row_count; ++row) {
        const bool left_valid = IsValidAt(left, row);
        const bool right_valid = IsValidAt(right, row);
        if (left_valid && right_valid) continue;
        arrow::bit_util::SetBitTo(bits->mutable_data(), row, left_valid == right_valid);
      }
    }
    return Column{std::make_shared<arrow::BooleanArray>(row_count, std::move(bits)), nullptr};
  }

 private:
  std::unique_ptr<Expression> left_;
  std::unique_ptr<Expression> right_;
};

}  // namespace

MadeExpression MakeEqual(FunctionCall call) {
  return std::make_unique<Comparison<IsEqual, false>>(std::move(call));
}
MadeExpression MakeLess(FunctionCall call) {
  return std::make_unique<Comparison<IsLess, false>>(std::move(call));
}
MadeExpression MakeLessOrEqual(FunctionCall call) {
  return std::make_unique<Comparison<IsLessOrEqual, false>>(std::move(call));
}
MadeExpression MakeGreater(FunctionCall call) {
  return std::make_unique<Comparison<IsLess, true>>(std::move(call));
}
MadeExpression MakeGreaterOrEqual(FunctionCall call) {
  return std::make_unique<Comparison<IsLessOrEqual, true>>(std::move(call));
}
MadeExpression MakeEqualNullSafe(FunctionCall call) {
  return std::make_unique<EqualNullSafe>(std::move(call));
}

}  // namespace reprise
