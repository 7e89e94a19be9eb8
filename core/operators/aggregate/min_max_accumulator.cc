// min and max, as Spark's Min and Max: null where no value has come; of equal values the first
// stays, which shows for -0.0 and 0.0. Doubles in Spark's order: NaN equals NaN and is greater than
// all else. Strings and binary are compared as unsigned bytes, false is less than true. Buffer
// [value]. Example: max over 1.0, NaN, null is NaN; min over "b", "ab" is "ab".
#include <cmath>

#include "operators/aggregate/accumulator.h"
#include "operators/bytes_values.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

template <typename T>
bool Less(const T& left, const T& right) {
  if constexpr (std::is_floating_point_v<T>) {
    return left < right || (std::isnan(right) && !std::isnan(left));
  } else {
    return left < right;
  }
}

template <bool kMax, typename T>
bool Replaces(const T& value, const T& best) {
  return kMax ? Less(best, value) : Less(value, best);
}

template <bool kMax, typename T>
class FixedMinMax final : public Accumulator {
 public:
  FixedMinMax(const DataType& type, arrow::MemoryPool* pool) : type_(type), states_(pool) {}

  Status Grow(int32_t group_count) override { return states_.Resize(group_count); }

  Status KeepOnly(int32_t group) override {
    states_[0] = states_[group];
    return states_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    return Add(rows, *inputs[0].array);
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    return Add(rows, *buffers[0]);
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto values, Results(begin, end, pool));
    return arrow::ArrayVector{std::move(values)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return MakeFixedColumn<T>(
        type_, end - begin, pool, [&](int64_t i) { return states_[begin + i].has_value; },
        [&](int64_t i) { return states_[begin + i].best; });
  }

 private:
  struct State {
    T best;
    bool has_value;
  };

  Status Add(const GroupRows& rows, const arrow::Array& column) {
    const FixedValues<T> values(column);
    ForEachValid(rows, Validity(column), states_.data(), [&](State& state, int64_t row) {
      const T value = values[row];
      if (!state.has_value || Replaces<kMax>(value, state.best)) state.best = value;
      state.has_value = true;
    });
    return Status::OK();
  }

  DataType type_;
  PoolVector<State> states_;
};

template <bool kMax>
class BytesMinMax final : public Accumulator {
 public:
  BytesMinMax(const DataType& type, arrow::MemoryPool* pool)
      : type_(type), states_(pool), bytes_(pool) {}

  Status Grow(int32_t group_count) override { return states_.Resize(group_count); }

  Status KeepOnly(int32_t group) override {
    State& kept = states_[0];
    kept = states_[group];
    if (kept.length > 0) {
      std::memmove(bytes_.data(), bytes_.data() + kept.offset, static_cast<size_t>(kept.length));
    }
    kept.offset = 0;
    kept.capacity = kept.length;
    RETURN_NOT_OK(bytes_.Resize(kept.length));
    return states_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    return Add(rows, *inputs[0].array);
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    return Add(rows, *buffers[0]);
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto values, Results(begin, end, pool));
    return arrow::ArrayVector{std::move(values)};
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    int64_t bytes = 0;
    for (int32_t group = begin; group < end; ++group) bytes += states_[group].length;
    return bytes;
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return MakeBytesColumn(
        type_, end - begin, pool, [&](int64_t i) { return states_[begin + i].has_value; },
        [&](int64_t i) { return Best(states_[begin + i]); });
  }

 private:
  // The best value lies in bytes_, in a place that it may outgrow; the old place is then left
  // unused.
  struct State {
    int64_t offset;
    int64_t length;
    int64_t capacity;
    bool has_value;
  };

  std::string_view Best(const State& state) const {
    return {bytes_.data() + state.offset, static_cast<size_t>(state.length)};
  }

  Status Add(const GroupRows& rows, const arrow::Array& column) {
    const BytesValues values(column);
    const Validity valid(column);
    for (int64_t row = 0; row < rows.row_count; ++row) {
      State& state = states_[rows.groups == nullptr ? 0 : rows.groups[row]];
      if (rows.Carries(row)) {
        state = states_[rows.groups[row] - 1];
        state.capacity = 0;  // its place stays the other group's
      }
      if (!valid[row]) continue;
      const std::string_view value = values[row];
      if (state.has_value && !Replaces<kMax>(value, Best(state))) continue;
      RETURN_NOT_OK(Store(value, &state));
    }
    return Status::OK();
  }

  Status Store(std::string_view value, State* state) {
    const int64_t length = static_cast<int64_t>(value.size());
    if (length > state->capacity) {
      // At least double, so that the places left unused are never more than those in use.
      state->capacity = std::max(length, 2 * state->capacity);
      state->offset = bytes_.size();
      RETURN_NOT_OK(bytes_.ResizeUninitialised(bytes_.size() + state->capacity));
    }
    if (length > 0) std::memcpy(bytes_.data() + state->offset, value.data(), value.size());
    state->length = length;
    state->has_value = true;
    return Status::OK();
  }

  DataType type_;
  PoolVector<State> states_;
  PoolVector<char> bytes_;
};

// Over values of type void, of which there are none but null.
class VoidMinMax final : public Accumulator {
 public:
  Status Grow(int32_t) override { return Status::OK(); }
  Status KeepOnly(int32_t) override { return Status::OK(); }
  Status Update(const GroupRows&, std::span<const Column>) override { return Status::OK(); }
  Status Merge(const GroupRows&, const arrow::ArrayVector&) override { return Status::OK(); }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto values, Results(begin, end, pool));
    return arrow::ArrayVector{std::move(values)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return arrow::MakeArrayOfNull(arrow::null(), end - begin, pool);
  }
};

template <bool kMax>
std::unique_ptr<Accumulator> MakeExtreme(const DataType& type, arrow::MemoryPool* pool) {
  if (type.is(TypeKind::kNull)) return std::make_unique<VoidMinMax>();
  if (!IsFixedType(type)) return std::make_unique<BytesMinMax<kMax>>(type, pool);
  return VisitFixedType(type, [&](auto zero) -> std::unique_ptr<Accumulator> {
    return std::make_unique<FixedMinMax<kMax, decltype(zero)>>(type, pool);
  });
}

}  // namespace

std::unique_ptr<Accumulator> MakeMinMax(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  return spec.function == AggregateFunction::kMax ? MakeExtreme<true>(spec.input_type, pool)
                                                  : MakeExtreme<false>(spec.input_type, pool);
}

}  // namespace reprise
