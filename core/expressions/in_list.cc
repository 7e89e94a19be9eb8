// in: whether a value is among literals.
// Input: the value, then literals of its type. Output: boolean; null where the value is null, and
// where it is not found and a literal is null (Spark's In and InSet).
//   in([1, 3], 1, null) = [true, null]
#include <arrow/array/array_dict.h>

#include <algorithm>
#include <unordered_set>

#include "expressions/functions.h"
#include "expressions/leaves.h"
#include "expressions/null_intolerant.h"
#include "expressions/ordering.h"
#include "expressions/values.h"

namespace reprise {

namespace {

// The literals of a fixed width: a few are compared one after another, many are searched in order.
template <typename T>
class ValueList {
 public:
  void Add(const arrow::Scalar& scalar) { values_.push_back(ConstantOf<T>(scalar)); }
  void Seal() { std::sort(values_.begin(), values_.end(), IsLess()); }
  bool Contains(const T& value) const {
    if (values_.size() > kScanMax) {
      const auto found = std::lower_bound(values_.begin(), values_.end(), value, IsLess());
      return found != values_.end() && IsEqual()(*found, value);
    }
    bool found = false;
    for (const T& each : values_) found |= IsEqual()(each, value);
    return found;
  }

 private:
  static constexpr size_t kScanMax = 8;
  std::vector<T> values_;
};

class StringList {
 public:
  void Add(const arrow::Scalar& scalar) { values_.emplace(StringOf(scalar)); }
  void Seal() {}
  bool Contains(std::string_view value) const { return values_.find(value) != values_.end(); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> values_;
};

template <typename List>
class In : public Expression {
 public:
  In(const ExpressionSpec& spec, std::unique_ptr<Expression> value, List list, bool has_null)
      : Expression(spec.type, value->can_fail()),
        value_(std::move(value)),
        list_(std::move(list)),
        has_null_(has_null) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    if (input.row_count() == 0) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(Column value, value_->Evaluate(input));
    if (IsNullScalar(value)) return NullColumn(type());
    const int64_t row_count = value.is_scalar() ? 1 : input.row_count();
    ARROW_ASSIGN_OR_RAISE(Nulls nulls, UnionOfNulls(std::span(&value, 1), row_count, input.pool()));
    ARROW_ASSIGN_OR_RAISE(
        std::shared_ptr<arrow::Buffer> bits,
        arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), input.pool()));
    VisitTest(value, [&](auto test) { WriteBits(row_count, bits->mutable_data(), test); });
    if (has_null_) {
      std::vector<int32_t> unknown;
      for (int64_t row = 0; row < row_count; ++row) {
        if (nulls.IsValid(row) && !arrow::bit_util::GetBit(bits->data(), row)) {
          unknown.push_back(static_cast<int32_t>(row));
        }
      }
      ARROW_ASSIGN_OR_RAISE(nulls, WithNullAt(nulls, unknown, row_count, input.pool()));
    }
    auto array =
        std::make_shared<arrow::BooleanArray>(row_count, std::move(bits), nulls.bits, nulls.count);
    if (value.is_scalar()) return ToScalar(*array);
    return Column{std::move(array), nullptr};
  }

  Result<int64_t> Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                         int32_t* out) const override {
    const Column leaf = LeafOf(*value_, batch);
    if (!leaf.array) return Expression::Select(batch, rows, pool, out);
    const uint8_t* valid = leaf.array->null_count() > 0 ? leaf.array->null_bitmap_data() : nullptr;
    const int64_t offset = leaf.array->offset();
    int64_t count = 0;
    VisitTest(leaf, [&](auto test) {
      count = WriteSelection(rows, out, [&](int64_t row) {
        return (valid == nullptr || arrow::bit_util::GetBit(valid, offset + row)) && test(row);
      });
    });
    return count;
  }

 private:
  // Calls f(test) where test(row) says whether the row's value is in the list; nulls are not looked
  // at. A dictionary is looked up once, entry by entry.
  template <typename F>
  void VisitTest(const Column& value, F&& f) const {
    if constexpr (std::is_same_v<List, StringList>) {
      if (value.is_scalar()) {
        const bool found = list_.Contains(StringOf(*value.scalar));
        return f([=](int64_t) { return found; });
      }
      if (value.array->type_id() == arrow::Type::DICTIONARY) {
        const auto& encoded = static_cast<const arrow::DictionaryArray&>(*value.array);
        const StringRows entries = StringsOf(*encoded.dictionary());
        std::vector<uint8_t> table(std::max<int64_t>(encoded.dictionary()->length(), 1));
        for (int64_t i = 0; i < encoded.dictionary()->length(); ++i) {
          table[i] = list_.Contains(entries[i]);
        }
        const DictionaryRows rows{RowsOf<int32_t>(encoded).data, table.data(),
                                  static_cast<uint32_t>(table.size())};
        return f([=](int64_t row) { return rows[row] != 0; });
      }
      const StringRows rows = StringsOf(*value.array);
      return f([=, this](int64_t row) { return list_.Contains(rows[row]); });
    } else {
      VisitFixed(value, f);
    }
  }

  template <typename F>
  void VisitFixed(const Column& value, F&& f) const {
    if constexpr (std::is_same_v<List, ValueList<uint8_t>>) {  // no other type is stored so
      if (value.is_scalar()) {
        const bool found = list_.Contains(ConstantOf<uint8_t>(*value.scalar));
        return f([=](int64_t) { return found; });
      }
      const uint8_t* bits = value.array->data()->buffers[1]->data();
      const int64_t offset = value.array->offset();
      return f([=, this](int64_t row) {
        return list_.Contains(arrow::bit_util::GetBit(bits, offset + row));
      });
    }
    return VisitStorage(value_->type(), [&]<typename T>() {
      if constexpr (std::is_same_v<List, ValueList<T>>) {
        VisitValues<T>(value, [&](auto rows) {
          f([=, this](int64_t row) { return list_.Contains(rows[row]); });
        });
      }
    });
  }

  std::unique_ptr<Expression> value_;
  List list_;
  bool has_null_;
};

template <typename List>
MadeExpression MakeInOf(FunctionCall call) {
  List list;
  bool has_null = false;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const auto* literal = dynamic_cast<const Literal*>(call.arguments[i].get());
    if (literal == nullptr) {
      return Status::NotImplemented("in: argument ", i, " is ", call.spec.arguments[i].function,
                                    "; only literals are supported in the list");
    }
    if (literal->value()->is_valid) {
      list.Add(*literal->value());
    } else {
      has_null = true;
    }
  }
  list.Seal();
  return std::make_unique<In<List>>(call.spec, std::move(call.arguments[0]), std::move(list),
                                    has_null);
}

}  // namespace

MadeExpression MakeIn(FunctionCall call) {
  const DataType& type = call.arguments[0]->type();
  if (type.is(TypeKind::kString) || type.is(TypeKind::kBinary)) {
    return MakeInOf<StringList>(std::move(call));
  }
  if (type.is(TypeKind::kBoolean)) return MakeInOf<ValueList<uint8_t>>(std::move(call));
  return VisitStorage(type, [&]<typename T>() { return MakeInOf<ValueList<T>>(std::move(call)); });
}

}  // namespace reprise
