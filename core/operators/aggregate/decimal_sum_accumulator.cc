// sum and avg of decimals, as Spark's Sum and Average. Buffer of sum [sum decimal(min(38, p + 10),
// s), isEmpty boolean], of avg [sum of the same type, count long]. Example: avg
// over 1.00, 1.01, 1.01 is 1.006667.
//
// An addition itself is not checked (DecimalAddNoOverflowCheck); a sum that is too large becomes
// null where Spark puts it into an UnsafeRow. Where the buffers are UnsafeRows that is at every
// row: once too large, a sum stays null even if later values would bring it back. Where the sum is
// an object in a variable or in another kind of row, only the final value counts. Which it is the
// spec says (`bounded_sums`). At the evaluation null is ARITHMETIC_OVERFLOW under ANSI.
#include <arrow/util/decimal.h>

#include "operators/aggregate/accumulator.h"
#include "operators/aggregate/aggregate_errors.h"
#include "operators/aggregate/decimal_average.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

// In an UnsafeRow: checked at every addition.
struct BoundedState {
  Int128 sum;
  int64_t count;  // values added; avg's merge adds the buffers' counts
  bool overflow;

  // `limit` is 10^precision of the sum's type.
  void Add(Int128 value, Int128 limit) {
    Int128 total = 0;
    if (__builtin_add_overflow(sum, value, &total) || total >= limit || total <= -limit) {
      overflow = true;
    } else {
      sum = total;
    }
  }
  arrow::Decimal256 Total() const { return Widen(sum); }
};

// An object: wide enough for any number of rows.
struct UnboundedState {
  Int128 sum;  // low part, moved to `high` before it would overflow
  arrow::Decimal256 high;
  int64_t count;
  bool overflow;

  void Add(Int128 value, Int128) {
    if (__builtin_add_overflow(sum, value, &sum)) [[unlikely]] {
      // The wrapped sum is off by 2^128; undo, move and add again.
      sum = static_cast<Int128>(static_cast<UInt128>(sum) - static_cast<UInt128>(value));
      high += Widen(sum);
      sum = value;
    }
  }
  arrow::Decimal256 Total() const {
    arrow::Decimal256 total = high;
    total += Widen(sum);
    return total;
  }
};

template <typename State>
class DecimalSum final : public Accumulator {
 public:
  DecimalSum(const AggregateSpec& spec, arrow::MemoryPool* pool)
      : average_(spec.function == AggregateFunction::kAvg),
        ansi_(spec.ansi),
        input_type_(spec.input_type),
        sum_type_(BufferTypes(spec)[0]),
        result_type_(spec.result),
        limit_(PowerOfTen(sum_type_.precision)),
        unchecked_rows_max_(
            static_cast<int64_t>(PowerOfTen(sum_type_.precision - spec.input_type.precision))),
        states_(pool) {}

  Status Grow(int32_t group_count) override { return states_.Resize(group_count); }

  Status KeepOnly(int32_t group) override {
    states_[0] = states_[group];
    return states_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    const arrow::Array& column = *inputs[0].array;
    if (rows.row_count == 0) return Status::OK();
    if (input_type_.is_short_decimal()) {
      AddValues<int64_t>(rows, column);
    } else {
      AddValues<Int128>(rows, column);
    }
    return Status::OK();
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    if (sum_type_.is_short_decimal()) {
      MergeSums<int64_t>(rows, buffers);
    } else {
      MergeSums<Int128>(rows, buffers);
    }
    return Status::OK();
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    const auto sum = [&](int64_t i) { return Sum(begin + i); };
    const auto has_sum = [&](int64_t i) { return Sum(begin + i).has_value(); };
    ARROW_ASSIGN_OR_RAISE(auto sums, MakeDecimals(sum_type_, end - begin, pool, has_sum, sum));
    const auto valid = [](int64_t) { return true; };
    std::shared_ptr<arrow::Array> second;
    if (average_) {
      ARROW_ASSIGN_OR_RAISE(
          second, MakeFixedColumn<int64_t>(DataType{TypeKind::kLong}, end - begin, pool, valid,
                                           [&](int64_t i) { return states_[begin + i].count; }));
    } else {
      ARROW_ASSIGN_OR_RAISE(
          second, MakeFixedColumn<bool>(DataType{TypeKind::kBoolean}, end - begin, pool, valid,
                                        [&](int64_t i) { return states_[begin + i].count == 0; }));
    }
    return arrow::ArrayVector{std::move(sums), std::move(second)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    std::vector<std::optional<Int128>> results(end - begin);
    for (int32_t i = 0; i < end - begin; ++i) {
      ARROW_ASSIGN_OR_RAISE(results[i], Evaluate(states_[begin + i]));
    }
    return MakeDecimals(
        result_type_, end - begin, pool, [&](int64_t i) { return results[i].has_value(); },
        [&](int64_t i) { return results[i]; });
  }

 private:
  template <typename In>
  void AddValues(const GroupRows& rows, const arrow::Array& column) {
    const FixedValues<In> values(column);
    const Validity valid(column);
    if (CannotOverflow(values, rows.row_count)) {
      ForEachValid(rows, valid, states_.data(), [&](State& state, int64_t row) {
        state.sum += values[row];
        state.count += 1;
      });
      return;
    }
    ForEachValid(rows, valid, states_.data(), [&](State& state, int64_t row) {
      state.Add(values[row], limit_);
      state.count += 1;
    });
  }

  // True where no group's sum can have left its type, whatever the groups: so few values of the
  // argument's precision cannot, nor can values that all happen to be small. Looking at all values
  // costs less than checking all sums.
  template <typename In>
  bool CannotOverflow(const FixedValues<In>& values, int64_t row_count) {
    const int64_t rows_before = rows_seen_;
    rows_seen_ += row_count;
    if (rows_seen_ < unchecked_rows_max_) return true;
    if (rows_before < unchecked_rows_max_) {
      magnitude_sum_max_ = rows_before * PowerOfTen(input_type_.precision);
    }
    if (magnitude_sum_max_ >= limit_) return false;
    if constexpr (std::is_same_v<In, int64_t>) {
      magnitude_sum_max_ = limit_;
    } else {
      UInt128 bits = 0;  // 2^k - 1 at least, where 2^k is above all magnitudes
      for (int64_t row = 0; row < row_count; ++row) {
        const Int128 value = values[row];
        bits |= static_cast<UInt128>(value ^ (value >> 127));
      }
      // Two's complement: a negative value's magnitude is one more than its complement.
      const UInt128 largest = 2 * bits + 1;
      const UInt128 room = static_cast<UInt128>(limit_ - magnitude_sum_max_);
      magnitude_sum_max_ = largest > room / static_cast<UInt128>(row_count)
                               ? limit_
                               : magnitude_sum_max_ + static_cast<Int128>(largest * row_count);
    }
    return magnitude_sum_max_ < limit_;
  }

  template <typename In>
  void MergeSums(const GroupRows& rows, const arrow::ArrayVector& buffers) {
    const FixedValues<In> sums(*buffers[0]);
    const Validity has_sum(*buffers[0]);
    const Validity has_second(*buffers[1]);
    // Of avg the count, of sum isEmpty.
    const auto add = [&](State& state, int64_t row, int64_t count) {
      state.count += count;
      if (has_sum[row]) {
        state.Add(sums[row], limit_);
      } else if (average_ || count > 0) {
        state.overflow = true;
      }
    };
    if (average_) {
      const FixedValues<int64_t> counts(*buffers[1]);
      ForEachValid(rows, has_second, states_.data(),
                   [&](State& state, int64_t row) { add(state, row, counts[row]); });
    } else {
      const FixedValues<bool> is_empty(*buffers[1]);
      ForEachValid(rows, has_second, states_.data(),
                   [&](State& state, int64_t row) { add(state, row, is_empty[row] ? 0 : 1); });
    }
  }

  // The sum as it stands in the buffer: nothing where it has become too large.
  std::optional<Int128> Sum(int64_t group) const {
    const State& state = states_[group];
    if (state.overflow) return std::nullopt;
    const std::optional<Int128> total = Narrow(state.Total());
    if (!total.has_value() || *total >= limit_ || *total <= -limit_) return std::nullopt;
    return total;
  }

  Result<std::optional<Int128>> Evaluate(const State& state) const {
    if (state.count == 0) return std::nullopt;
    if (state.overflow) {
      if (!ansi_) return std::nullopt;
      return OverflowInSumOfDecimals(average_ ? "try_avg" : "try_sum");
    }
    const arrow::Decimal256 total = state.Total();
    if (average_) {
      return AverageDecimals(total, sum_type_.scale, state.count, result_type_, ansi_);
    }
    const std::optional<Int128> sum = Narrow(total);
    if (sum.has_value() && *sum<limit_&& * sum> - limit_) return sum;
    if (!ansi_) return std::nullopt;
    return DecimalOutOfRange(total.ToString(sum_type_.scale), result_type_);
  }

  template <typename Valid, typename Value>
  static Result<std::shared_ptr<arrow::Array>> MakeDecimals(const DataType& type, int64_t count,
                                                            arrow::MemoryPool* pool,
                                                            const Valid& valid,
                                                            const Value& value) {
    const auto plain = [&](int64_t i) { return *value(i); };
    if (type.is_short_decimal()) return MakeFixedColumn<int64_t>(type, count, pool, valid, plain);
    return MakeFixedColumn<Int128>(type, count, pool, valid, plain);
  }

  bool average_;
  bool ansi_;
  DataType input_type_;
  DataType sum_type_;
  DataType result_type_;
  Int128 limit_;
  int64_t unchecked_rows_max_;
  int64_t rows_seen_ = 0;
  Int128 magnitude_sum_max_ = 0;  // no sum's magnitude is above; limit_: not known any more
  PoolVector<State> states_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeDecimalSum(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  if (spec.bounded_sums) return std::make_unique<DecimalSum<BoundedState>>(spec, pool);
  return std::make_unique<DecimalSum<UnboundedState>>(spec, pool);
}

}  // namespace reprise
