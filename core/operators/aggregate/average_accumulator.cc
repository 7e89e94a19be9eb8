// avg of integers, float and double, as Spark's Average: a double sum over a count. Buffer [sum
// double, count long]; null where the count is 0. Example: avg over 1, null, 2 is 1.5.
#include "operators/aggregate/accumulator.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

template <typename In>
class Average final : public Accumulator {
 public:
  explicit Average(arrow::MemoryPool* pool) : states_(pool) {}

  Status Grow(int32_t group_count) override { return states_.Resize(group_count); }

  Status KeepOnly(int32_t group) override {
    states_[0] = states_[group];
    return states_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    const arrow::Array& column = *inputs[0].array;
    const FixedValues<In> values(column);
    ForEachValid(rows, Validity(column), states_.data(), [&](State& state, int64_t row) {
      state.sum += static_cast<double>(values[row]);
      state.count += 1;
    });
    return Status::OK();
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    const FixedValues<double> sums(*buffers[0]);
    const FixedValues<int64_t> counts(*buffers[1]);
    ForEachValid(rows, Validity(*buffers[0]), states_.data(), [&](State& state, int64_t row) {
      state.sum += sums[row];
      state.count += counts[row];
    });
    return Status::OK();
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    const auto valid = [](int64_t) { return true; };
    ARROW_ASSIGN_OR_RAISE(
        auto sums, MakeFixedColumn<double>(DataType{TypeKind::kDouble}, end - begin, pool, valid,
                                           [&](int64_t i) { return states_[begin + i].sum; }));
    ARROW_ASSIGN_OR_RAISE(
        auto counts, MakeFixedColumn<int64_t>(DataType{TypeKind::kLong}, end - begin, pool, valid,
                                              [&](int64_t i) { return states_[begin + i].count; }));
    return arrow::ArrayVector{std::move(sums), std::move(counts)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return MakeFixedColumn<double>(
        DataType{TypeKind::kDouble}, end - begin, pool,
        [&](int64_t i) { return states_[begin + i].count != 0; },
        [&](int64_t i) {
          const State& state = states_[begin + i];
          return state.sum / static_cast<double>(state.count);
        });
  }

 private:
  struct State {
    double sum;
    int64_t count;
  };

  PoolVector<State> states_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeAverage(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  return VisitFixedType(spec.input_type, [&](auto zero) -> std::unique_ptr<Accumulator> {
    return std::make_unique<Average<decltype(zero)>>(pool);
  });
}

}  // namespace reprise
