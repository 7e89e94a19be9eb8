// range: rows go to the first bound that is not before them in the order.
//
// Input:   the order's keys of each row; bounds in the order, each once.
// Output:  from 0 to the number of bounds.
// Example: bounds [[10], [20]], ascending: 5 and 10 go to 0, 15 to 1, 21 to 2.
//
// As Spark's RangePartitioner, which compares rows with an ordering made of the same keys. Here one
// key after the other is compared for all rows: what is left of the bounds for a row after a key
// are those that are equal to the row so far.
#include <algorithm>

#include "exchange/partitioning.h"
#include "expressions/expression.h"
#include "expressions/ordering.h"
#include "expressions/values.h"

namespace reprise {

namespace {

/// The bounds among which a row's place still is: those before `begin` are before the row, those
/// from `end` on are after it.
struct Place {
  int32_t begin;
  int32_t end;
};

/// One key of the order.
class RangeKey {
 public:
  RangeKey(std::unique_ptr<Expression> expression, bool ascending, bool nulls_first)
      : expression_(std::move(expression)), ascending_(ascending), nulls_first_(nulls_first) {}
  virtual ~RangeKey() = default;

  const Expression& expression() const { return *expression_; }
  /// Narrows the places of all rows by this key.
  virtual void Narrow(const arrow::Array& values, std::span<Place> places) const = 0;
  void set_bounds(std::shared_ptr<arrow::Array> bounds) { bounds_ = std::move(bounds); }

 protected:
  /// `compare(row, bound)`: below 0 where the row's value is the smaller one, both not null.
  template <typename Compare>
  void NarrowBy(const arrow::Array& values, std::span<Place> places, Compare&& compare) const {
    const bool has_nulls = values.null_count() > 0 || bounds_->null_count() > 0;
    // Where the row stands to a bound in the order.
    const auto order = [&](int64_t row, int64_t bound) {
      if (has_nulls) {
        const bool row_is_null = values.IsNull(row);
        const bool bound_is_null = bounds_->IsNull(bound);
        if (row_is_null && bound_is_null) return 0;
        if (row_is_null || bound_is_null) return row_is_null == nulls_first_ ? -1 : 1;
      }
      const int compared = compare(row, bound);
      return ascending_ ? compared : -compared;
    };
    for (size_t row = 0; row < places.size(); ++row) {
      Place& place = places[row];
      const auto index = static_cast<int64_t>(row);
      const int32_t first = First(place, [&](int32_t bound) { return order(index, bound) <= 0; });
      place.end = First({first, place.end}, [&](int32_t bound) { return order(index, bound) < 0; });
      place.begin = first;
    }
  }

  const arrow::Array& bounds() const { return *bounds_; }

 private:
  /// The first bound of the place for which `is_reached` is true, else its end.
  template <typename F>
  static int32_t First(Place place, F&& is_reached) {
    while (place.begin < place.end) {
      const int32_t middle = place.begin + (place.end - place.begin) / 2;
      if (is_reached(middle)) {
        place.end = middle;
      } else {
        place.begin = middle + 1;
      }
    }
    return place.begin;
  }

  std::unique_ptr<Expression> expression_;
  bool ascending_;
  bool nulls_first_;
  std::shared_ptr<arrow::Array> bounds_;
};

template <typename A, typename B>
int CompareRows(const A& rows, const B& bounds, int64_t row, int64_t bound) {
  if (IsLess()(rows[row], bounds[bound])) return -1;
  return IsEqual()(rows[row], bounds[bound]) ? 0 : 1;
}

template <typename T>
class ValueKey final : public RangeKey {
 public:
  using RangeKey::RangeKey;
  void Narrow(const arrow::Array& values, std::span<Place> places) const override {
    const Rows<T> rows = RowsOf<T>(values);
    const Rows<T> limits = RowsOf<T>(bounds());
    NarrowBy(values, places,
             [&](int64_t row, int64_t bound) { return CompareRows(rows, limits, row, bound); });
  }
};

class BooleanKey final : public RangeKey {
 public:
  using RangeKey::RangeKey;
  void Narrow(const arrow::Array& values, std::span<Place> places) const override {
    const auto bits = [](const arrow::Array& array) {
      return BitRows{array.data()->buffers[1]->data(), array.offset()};
    };
    const BitRows rows = bits(values);
    const BitRows limits = bits(bounds());
    NarrowBy(values, places, [&](int64_t row, int64_t bound) {
      return static_cast<int>(rows[row]) - static_cast<int>(limits[bound]);
    });
  }
};

class TextKey final : public RangeKey {
 public:
  using RangeKey::RangeKey;
  void Narrow(const arrow::Array& values, std::span<Place> places) const override {
    const StringRows rows = StringsOf(values);
    const StringRows limits = StringsOf(bounds());
    NarrowBy(values, places,
             [&](int64_t row, int64_t bound) { return rows[row].compare(limits[bound]); });
  }
};

class RangePartitioning final : public Partitioning {
 public:
  RangePartitioning(int bound_count, std::vector<std::unique_ptr<RangeKey>> keys)
      : Partitioning(bound_count + 1), keys_(std::move(keys)) {}

  Status Assign(const Batch& batch, arrow::MemoryPool* pool,
                std::span<int32_t> partitions) override {
    places_.assign(partitions.size(), {0, partition_count() - 1});
    EvalInput input(batch, pool);
    for (const auto& key : keys_) {
      ARROW_ASSIGN_OR_RAISE(auto values, EvaluateToArray(key->expression(), input));
      ARROW_ASSIGN_OR_RAISE(values, DecodeDictionary(values, pool));
      key->Narrow(*values, places_);
    }
    for (size_t row = 0; row < partitions.size(); ++row) partitions[row] = places_[row].begin;
    return Status::OK();
  }

 private:
  std::vector<std::unique_ptr<RangeKey>> keys_;
  std::vector<Place> places_;
};

std::unique_ptr<RangeKey> MakeKey(std::unique_ptr<Expression> expression, bool ascending,
                                  bool nulls_first) {
  const DataType type = expression->type();
  if (type.is(TypeKind::kBoolean)) {
    return std::make_unique<BooleanKey>(std::move(expression), ascending, nulls_first);
  }
  if (type.is(TypeKind::kString) || type.is(TypeKind::kBinary)) {
    return std::make_unique<TextKey>(std::move(expression), ascending, nulls_first);
  }
  return VisitStorage(type, [&]<typename T>() -> std::unique_ptr<RangeKey> {
    return std::make_unique<ValueKey<T>>(std::move(expression), ascending, nulls_first);
  });
}

Result<bool> Flag(const nlohmann::json& order, const char* name) {
  const auto found = order.find(name);
  if (found == order.end() || !found->is_boolean()) {
    return Status::Invalid("\"", name, "\" must be a boolean");
  }
  return found->get<bool>();
}

Result<std::unique_ptr<RangeKey>> KeyOf(const nlohmann::json& order,
                                        const std::vector<Field>& input) {
  if (!order.is_object() || !order.contains("expression")) {
    return Status::Invalid("it has no \"expression\"");
  }
  ARROW_ASSIGN_OR_RAISE(const ExpressionSpec spec, ExpressionSpecFromJson(order["expression"]));
  ARROW_ASSIGN_OR_RAISE(auto expression, MakeExpression(spec, input));
  if (expression->type().is(TypeKind::kNull)) return Status::Invalid("void has no order");
  ARROW_ASSIGN_OR_RAISE(const bool ascending, Flag(order, "ascending"));
  ARROW_ASSIGN_OR_RAISE(const bool nulls_first, Flag(order, "nullsFirst"));
  return MakeKey(std::move(expression), ascending, nulls_first);
}

/// Column `index` of the rows of bounds.
Result<std::shared_ptr<arrow::Array>> BoundsColumn(const nlohmann::json& bounds, size_t index,
                                                   size_t keys, const DataType& type) {
  ARROW_ASSIGN_OR_RAISE(const auto arrow_type, ToArrow(type));
  ARROW_ASSIGN_OR_RAISE(const auto builder, arrow::MakeBuilder(arrow_type));
  const Batch one_row{arrow::schema({}), {}, 1, nullptr};
  for (const auto& row : bounds) {
    if (!row.is_array() || row.size() != keys) {
      return Status::Invalid("a bound must be an array of ", keys, " values");
    }
    const ExpressionSpec literal{"literal", type, true, {{"value", row[index]}}, {}};
    ARROW_ASSIGN_OR_RAISE(const auto expression, MakeExpression(literal, {}));
    EvalInput input(one_row, arrow::default_memory_pool());
    ARROW_ASSIGN_OR_RAISE(const Column value, expression->Evaluate(input));
    if (value.is_scalar()) {
      RETURN_NOT_OK(builder->AppendScalar(*value.scalar));
    } else {
      RETURN_NOT_OK(builder->AppendArraySlice(*value.array->data(), 0, 1));
    }
  }
  return builder->Finish();
}

}  // namespace

Result<std::unique_ptr<Partitioning>> MakeRangePartitioning(const nlohmann::json& json,
                                                            const std::vector<Field>& input) {
  const auto ordering = json.find("ordering");
  if (ordering == json.end() || !ordering->is_array() || ordering->empty()) {
    return Status::Invalid("\"ordering\" must be an array of at least one order");
  }
  const auto bounds = json.find("bounds");
  if (bounds == json.end() || !bounds->is_array()) {
    return Status::Invalid("\"bounds\" must be an array");
  }
  std::vector<std::unique_ptr<RangeKey>> keys;
  for (const auto& order : *ordering) {
    auto key = KeyOf(order, input);
    if (!key.ok()) {
      return WithPrefix(key.status(), fmt::format("order {} of \"ordering\": ", keys.size()));
    }
    auto column = BoundsColumn(*bounds, keys.size(), ordering->size(), (*key)->expression().type());
    if (!column.ok()) return WithPrefix(column.status(), "\"bounds\": ");
    (*key)->set_bounds(std::move(*column));
    keys.push_back(std::move(*key));
  }
  return std::make_unique<RangePartitioning>(static_cast<int>(bounds->size()), std::move(keys));
}

}  // namespace reprise
