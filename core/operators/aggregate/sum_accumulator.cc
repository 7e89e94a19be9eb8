// sum of integers (into long) and of float and double (into double), as Spark's Sum. Buffer [sum],
// null until a value has come. A long that overflows is ARITHMETIC_OVERFLOW under ANSI and wraps
// otherwise. Example: sum over 1, null, 2 is 3; over null alone it is null.
#include "operators/aggregate/accumulator.h"
#include "operators/aggregate/aggregate_errors.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

// Total is int64_t or double; In is the type of the argument, Total itself when merging.
template <typename In, typename Total>
class Sum final : public Accumulator {
 public:
  Sum(const AggregateSpec& spec, arrow::MemoryPool* pool)
      : type_(spec.result), ansi_(spec.ansi), states_(pool) {}

  Status Grow(int32_t group_count) override { return states_.Resize(group_count); }

  Status KeepOnly(int32_t group) override {
    states_[0] = states_[group];
    return states_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    return Add<In>(rows, *inputs[0].array);
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    return Add<Total>(rows, *buffers[0]);
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto sums, Results(begin, end, pool));
    return arrow::ArrayVector{std::move(sums)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return MakeFixedColumn<Total>(
        type_, end - begin, pool, [&](int64_t i) { return states_[begin + i].has_value; },
        [&](int64_t i) { return states_[begin + i].total; });
  }

 private:
  struct State {
    Total total;
    bool has_value;
  };

  template <typename From>
  Status Add(const GroupRows& rows, const arrow::Array& column) {
    const FixedValues<From> values(column);
    bool overflow = false;
    ForEachValid(rows, Validity(column), states_.data(), [&](State& state, int64_t row) {
      const Total value = static_cast<Total>(values[row]);
      if constexpr (std::is_same_v<Total, double>) {
        state.total += value;
      } else {
        overflow |= __builtin_add_overflow(state.total, value, &state.total);
      }
      state.has_value = true;
    });
    return overflow && ansi_ ? LongOverflowInSum() : Status::OK();
  }

  DataType type_;
  bool ansi_;
  PoolVector<State> states_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeSum(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  return VisitFixedType(spec.input_type, [&](auto zero) -> std::unique_ptr<Accumulator> {
    using In = decltype(zero);
    using Total = std::conditional_t<std::is_floating_point_v<In>, double, int64_t>;
    return std::make_unique<Sum<In, Total>>(spec, pool);
  });
}

}  // namespace reprise
