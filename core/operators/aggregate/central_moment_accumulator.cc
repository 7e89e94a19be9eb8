// var_pop, var_samp, stddev_pop, stddev_samp of doubles, as Spark's CentralMomentAgg: the count,
// the mean and the sum of squared distances from it, in one pass. Buffer [n double, avg double, m2
// double]; null where no value is there, and for one value where a sample is meant.
// Example: var_samp over 1, null, 3 is 2.
#include <cmath>

#include "operators/aggregate/accumulator.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

struct Moments {
  double n;
  double avg;
  double m2;
};

class CentralMoment final : public Accumulator {
 public:
  CentralMoment(AggregateFunction function, arrow::MemoryPool* pool)
      : sample_(function == AggregateFunction::kVarSamp ||
                function == AggregateFunction::kStddevSamp),
        root_(function == AggregateFunction::kStddevPop ||
              function == AggregateFunction::kStddevSamp),
        states_(pool) {}

  Status Grow(int32_t group_count) override { return states_.Resize(group_count); }

  Status KeepOnly(int32_t group) override {
    states_[0] = states_[group];
    return states_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    const arrow::Array& column = *inputs[0].array;
    const FixedValues<double> values(column);
    ForEachValid(rows, Validity(column), states_.data(), [&](Moments& state, int64_t row) {
      const double n = state.n + 1.0;
      const double delta = values[row] - state.avg;
      const double delta_n = delta / n;
      state.m2 = state.m2 + delta * (delta - delta_n);
      state.avg = state.avg + delta_n;
      state.n = n;
    });
    return Status::OK();
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    const FixedValues<double> counts(*buffers[0]);
    const FixedValues<double> averages(*buffers[1]);
    const FixedValues<double> squares(*buffers[2]);
    ForEachValid(rows, Validity(*buffers[0]), states_.data(), [&](Moments& left, int64_t row) {
      const double n = left.n + counts[row];
      const double delta = averages[row] - left.avg;
      const double delta_n = n == 0.0 ? 0.0 : delta / n;
      left.m2 = left.m2 + squares[row] + delta * delta_n * left.n * counts[row];
      left.avg = left.avg + delta_n * counts[row];
      left.n = n;
    });
    return Status::OK();
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    arrow::ArrayVector buffers;
    for (double Moments::*member : {&Moments::n, &Moments::avg, &Moments::m2}) {
      ARROW_ASSIGN_OR_RAISE(
          auto column,
          MakeFixedColumn<double>(
              DataType{TypeKind::kDouble}, end - begin, pool, [](int64_t) { return true; },
              [&](int64_t i) { return states_[begin + i].*member; }));
      buffers.push_back(std::move(column));
    }
    return buffers;
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return MakeFixedColumn<double>(
        DataType{TypeKind::kDouble}, end - begin, pool,
        [&](int64_t i) {
          const double n = states_[begin + i].n;
          return n != 0.0 && !(sample_ && n == 1.0);
        },
        [&](int64_t i) {
          const Moments& state = states_[begin + i];
          const double variance = state.m2 / (sample_ ? state.n - 1.0 : state.n);
          return root_ ? std::sqrt(variance) : variance;
        });
  }

 private:
  bool sample_;
  bool root_;
  PoolVector<Moments> states_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeCentralMoment(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  return std::make_unique<CentralMoment>(spec.function, pool);
}

}  // namespace reprise
