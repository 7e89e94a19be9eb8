// width_bucket: the number of the bucket that a value falls into, where the range between two
// bounds is divided into so many of one width, as Spark's WidthBucket. Input: the value and the
// bounds as double, how many buckets as bigint. Output: bigint, from 1; 0 before the first bound,
// one more than there are from the second on. Null where the bounds are equal or not finite, the
// value is NaN, or there are no buckets.
//   width_bucket(5.3, 0.2, 10.6, 5) = 3
#include <algorithm>
#include <cmath>
#include <limits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant_chain.h"
#include "expressions/saturated.h"

namespace reprise {

namespace {

/// Whether the value is in a bucket.
bool BucketOf(double value, double first, double last, int64_t count, int64_t* bucket) {
  if (count <= 0 || count == std::numeric_limits<int64_t>::max() || std::isnan(value) ||
      first == last || !std::isfinite(first) || !std::isfinite(last)) {
    return false;
  }
  const bool ascends = first < last;
  const double from_first = ascends ? value - first : first - value;
  const double width = ascends ? last - first : first - last;
  if (ascends ? value < first : value > first) {
    *bucket = 0;
  } else if (ascends ? value >= last : value <= last) {
    *bucket = count + 1;
  } else {
    const double place = static_cast<double>(count) * from_first / width;
    *bucket = static_cast<int64_t>(static_cast<uint64_t>(Saturated<int64_t>(place)) + 1);
  }
  return true;
}

class WidthBucket final : public NullIntolerantChain {
 public:
  explicit WidthBucket(FunctionCall call)
      : NullIntolerantChain(call.spec.type, std::move(call.arguments), /*can_fail=*/false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyValues<double> values(arguments[0]);
    const AnyValues<double> first(arguments[1]);
    const AnyValues<double> last(arguments[2]);
    const AnyValues<int64_t> counts(arguments[3]);
    const auto bucket_of = [&](int64_t row, int64_t* bucket) {
      return BucketOf(values[row], first[row], last[row], counts[row], bucket);
    };
    const auto no_error = [](int64_t) { return Status::OK(); };
    ARROW_ASSIGN_OR_RAISE(
        FixedValues buckets,
        CheckedRows<int64_t>(nulls, row_count, /*raise=*/false, pool, bucket_of, no_error));
    return std::make_shared<arrow::Int64Array>(row_count, std::move(buckets.values),
                                               std::move(buckets.nulls.bits), buckets.nulls.count);
  }
};

}  // namespace

MadeExpression MakeWidthBucket(FunctionCall call) {
  return std::make_unique<WidthBucket>(std::move(call));
}

}  // namespace reprise
