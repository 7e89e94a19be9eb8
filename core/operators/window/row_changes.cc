#include "operators/window/row_changes.h"

#include <cmath>

#include "operators/bytes_values.h"

namespace reprise {

namespace {

template <typename T>
bool SameValue(const T& left, const T& right) {
  if constexpr (std::is_floating_point_v<T>) {
    return left == right || (std::isnan(left) && std::isnan(right));
  } else {
    return left == right;
  }
}

/// Calls `visit` with a function that gives the values of a column of that type.
template <typename Visit>
void VisitValues(const DataType& type, const Visit& visit) {
  if (!IsFixedType(type)) {
    visit([](const arrow::Array& column) { return BytesValues(column); });
  } else {
    VisitFixedType(type, [&](auto zero) {
      visit([](const arrow::Array& column) { return FixedValues<decltype(zero)>(column); });
    });
  }
}

void MarkWithin(const DataType& type, const arrow::Array& column, uint8_t* changed) {
  const int64_t rows = column.length();
  const Validity valid(column);
  VisitValues(type, [&](const auto& reader) {
    const auto values = reader(column);
    if (valid.all()) {
      for (int64_t i = 1; i < rows; ++i) {
        changed[i] |= static_cast<uint8_t>(!SameValue(values[i], values[i - 1]));
      }
      return;
    }
    for (int64_t i = 1; i < rows; ++i) {
      const bool same =
          valid[i] == valid[i - 1] && (!valid[i] || SameValue(values[i], values[i - 1]));
      changed[i] |= static_cast<uint8_t>(!same);
    }
  });
}

/// Whether the first rows of two columns are equal.
bool IsSame(const DataType& type, const arrow::Array& left, const arrow::Array& right) {
  if (left.IsNull(0) || right.IsNull(0)) return left.IsNull(0) == right.IsNull(0);
  bool same = false;
  VisitValues(type,
              [&](const auto& reader) { same = SameValue(reader(left)[0], reader(right)[0]); });
  return same;
}

}  // namespace

Result<RowChanges> RowChanges::Make(const std::vector<ExpressionSpec>& keys,
                                    const std::vector<Field>& input) {
  RowChanges changes;
  for (const ExpressionSpec& key : keys) {
    ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(key, input));
    changes.keys_.push_back(std::move(expression));
  }
  return changes;
}

Result<arrow::ArrayVector> RowChanges::Evaluate(EvalInput& input) const {
  arrow::ArrayVector columns;
  for (const auto& key : keys_) {
    ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*key, input));
    columns.push_back(std::move(column));
  }
  return columns;
}

Status RowChanges::Mark(const arrow::ArrayVector& keys, int64_t row_count, arrow::MemoryPool* pool,
                        uint8_t* changed) {
  changed[0] |= static_cast<uint8_t>(!is_begun_);
  arrow::ArrayVector last;
  for (size_t i = 0; i < keys.size(); ++i) {
    const DataType type = StoredType(keys_[i]->type());
    const arrow::Array& column = *keys[i];
    const bool is_void = type.is(TypeKind::kNull);
    if (!is_void) MarkWithin(type, column, changed);
    if (is_begun_ && !is_void && !IsSame(type, *last_[i], column)) changed[0] = 1;
    // A copy: a slice would keep all rows.
    const auto last_row = static_cast<int32_t>(row_count - 1);
    ARROW_ASSIGN_OR_RAISE(auto kept, Gather(column, {&last_row, 1}, pool));
    last.push_back(std::move(kept));
  }
  last_ = std::move(last);
  is_begun_ = true;
  return Status::OK();
}

}  // namespace reprise
