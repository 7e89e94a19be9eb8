// first and last, as Spark's First and Last: the value of the first or last row, null included;
// with
// "_not_null" of those rows that have a value. Buffer [value, whether a row has come boolean].
// Example: first over null, "b" is null, first_not_null is "b".
#include "operators/aggregate/accumulator.h"
#include "operators/bytes_values.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

/// What the two kinds of values have in common: which rows are taken. `Values` reads a column,
/// keeps values in groups' states and makes columns of them.
template <typename Values>
class FirstLast final : public Accumulator {
 public:
  FirstLast(const AggregateSpec& spec, arrow::MemoryPool* pool)
      : last_(spec.function == AggregateFunction::kLast ||
              spec.function == AggregateFunction::kLastNotNull),
        skips_nulls_(spec.function == AggregateFunction::kFirstNotNull ||
                     spec.function == AggregateFunction::kLastNotNull),
        values_(spec.input_type, pool),
        states_(pool) {}

  Status Grow(int32_t group_count) override {
    RETURN_NOT_OK(values_.Resize(group_count));
    return states_.Resize(group_count);
  }

  Status KeepOnly(int32_t group) override {
    RETURN_NOT_OK(values_.KeepOnly(group));
    states_[0] = states_[group];
    return states_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    const arrow::Array& column = *inputs[0].array;
    const Validity valid(column);
    return Add(rows, column, valid, [&](int64_t row) { return !skips_nulls_ || valid[row]; });
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    const FixedValues<bool> is_set(*buffers[1]);
    const Validity valid(*buffers[0]);
    return Add(rows, *buffers[0], valid, [&](int64_t row) { return is_set[row]; });
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    return values_.StringBytes(begin, end);
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto values, Results(begin, end, pool));
    ARROW_ASSIGN_OR_RAISE(auto is_set, MakeFixedColumn<bool>(
                                           DataType{TypeKind::kBoolean}, end - begin, pool,
                                           [](int64_t) { return true; },
                                           [&](int64_t i) { return states_[begin + i].is_set; }));
    return arrow::ArrayVector{std::move(values), std::move(is_set)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return values_.Make(begin, end, pool, [&](int64_t i) { return states_[begin + i].has_value; });
  }

 private:
  struct State {
    bool is_set;
    bool has_value;
  };

  template <typename Counts>
  Status Add(const GroupRows& rows, const arrow::Array& column, const Validity& valid,
             Counts&& counts) {
    const typename Values::Reader reader(column);
    for (int64_t row = 0; row < rows.row_count; ++row) {
      const int32_t group = rows.groups == nullptr ? 0 : rows.groups[row];
      State& state = states_[group];
      if (rows.Carries(row)) {
        state = states_[group - 1];
        values_.Carry(group);
      }
      if (!counts(row) || (state.is_set && !last_)) continue;
      state = {true, valid[row]};
      if (state.has_value) RETURN_NOT_OK(values_.Store(group, reader[row]));
    }
    return Status::OK();
  }

  bool last_;
  bool skips_nulls_;
  Values values_;
  PoolVector<State> states_;
};

template <typename T>
class FixedStates {
 public:
  using Reader = FixedValues<T>;

  FixedStates(const DataType& type, arrow::MemoryPool* pool) : type_(type), values_(pool) {}
  Status Resize(int32_t count) { return values_.Resize(count); }
  /// The group has the value of the one before it.
  void Carry(int32_t group) { values_[group] = values_[group - 1]; }
  Status KeepOnly(int32_t group) {
    values_[0] = values_[group];
    return values_.Resize(1);
  }
  int64_t StringBytes(int32_t, int32_t) const { return 0; }
  Status Store(int32_t group, T value) {
    values_[group] = value;
    return Status::OK();
  }
  template <typename Valid>
  Result<std::shared_ptr<arrow::Array>> Make(int32_t begin, int32_t end, arrow::MemoryPool* pool,
                                             Valid&& valid) const {
    return MakeFixedColumn<T>(type_, end - begin, pool, valid,
                              [&](int64_t i) { return values_[begin + i]; });
  }

 private:
  DataType type_;
  PoolVector<T> values_;
};

class BytesStates {
 public:
  using Reader = BytesValues;

  BytesStates(const DataType& type, arrow::MemoryPool* pool)
      : type_(type), places_(pool), bytes_(pool) {}
  Status Resize(int32_t count) { return places_.Resize(count); }
  void Carry(int32_t group) {
    places_[group] = places_[group - 1];
    places_[group].capacity = 0;  // its place stays the other group's
  }
  Status KeepOnly(int32_t group) {
    const Place kept = places_[group];
    if (kept.length > 0) {
      std::memmove(bytes_.data(), bytes_.data() + kept.offset, static_cast<size_t>(kept.length));
    }
    places_[0] = {0, kept.length, kept.length};
    RETURN_NOT_OK(bytes_.Resize(kept.length));
    return places_.Resize(1);
  }
  int64_t StringBytes(int32_t begin, int32_t end) const {
    int64_t bytes = 0;
    for (int32_t group = begin; group < end; ++group) bytes += places_[group].length;
    return bytes;
  }
  Status Store(int32_t group, std::string_view value) {
    Place& place = places_[group];
    place.length = static_cast<int64_t>(value.size());
    if (place.length > place.capacity) {
      // At least double, so that the places left unused are never more than those in use.
      place.capacity = std::max(place.length, 2 * place.capacity);
      place.offset = bytes_.size();
      RETURN_NOT_OK(bytes_.ResizeUninitialised(bytes_.size() + place.capacity));
    }
    if (!value.empty()) std::memcpy(bytes_.data() + place.offset, value.data(), value.size());
    return Status::OK();
  }
  template <typename Valid>
  Result<std::shared_ptr<arrow::Array>> Make(int32_t begin, int32_t end, arrow::MemoryPool* pool,
                                             Valid&& valid) const {
    return MakeBytesColumn(type_, end - begin, pool, valid, [&](int64_t i) {
      const Place& place = places_[begin + i];
      return std::string_view(bytes_.data() + place.offset, static_cast<size_t>(place.length));
    });
  }

 private:
  struct Place {
    int64_t offset;
    int64_t length;
    int64_t capacity;
  };

  DataType type_;
  PoolVector<Place> places_;
  PoolVector<char> bytes_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeFirstLast(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  const DataType stored = StoredType(spec.input_type);
  if (!IsFixedType(stored)) return std::make_unique<FirstLast<BytesStates>>(spec, pool);
  return VisitFixedType(stored, [&](auto zero) -> std::unique_ptr<Accumulator> {
    return std::make_unique<FirstLast<FixedStates<decltype(zero)>>>(spec, pool);
  });
}

}  // namespace reprise
