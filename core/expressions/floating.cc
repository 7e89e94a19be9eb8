// normalize_nan_and_zero.
// Input: one float or double. Output: the same with every NaN the canonical one and -0.0 as 0.0, so
// that equal values have equal bits (Spark's NormalizeNaNAndZero, which stands around grouping and
// join keys).
//   normalize_nan_and_zero([-0.0, 1.5, null]) = [0.0, 1.5, null]
#include <limits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"

namespace reprise {

namespace {

template <typename T>
class NormalizeNanAndZero : public NullIntolerant {
 public:
  explicit NormalizeNanAndZero(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto values, VisitValues<T>(arguments[0], [&](auto rows) {
                            return AllRowsOf<T>(row_count, pool, [=](int64_t row) {
                              const T value = rows[row];
                              if (value != value) return std::numeric_limits<T>::quiet_NaN();
                              return value == T(0) ? T(0) : value;
                            });
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

}  // namespace

MadeExpression MakeNormalizeNanAndZero(FunctionCall call) {
  if (call.spec.type.is(TypeKind::kFloat)) {
    return std::make_unique<NormalizeNanAndZero<float>>(std::move(call));
  }
  return std::make_unique<NormalizeNanAndZero<double>>(std::move(call));
}

}  // namespace reprise
