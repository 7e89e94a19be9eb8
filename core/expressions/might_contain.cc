// might_contain: whether a Bloom filter of Spark's may hold a number (BloomFilterMightContain).
//
// Arguments: binary, the filter as org.apache.spark.util.sketch.BloomFilter writes it, one for all
// rows; long. Result: boolean, null where either is null.
#include <arrow/util/bit_util.h>

#include <vector>

#include "expressions/bloom_filter.h"
#include "expressions/functions.h"
#include "expressions/murmur3_hash.h"
#include "expressions/values.h"

namespace reprise {

namespace {

class MightContain final : public Expression {
 public:
  explicit MightContain(FunctionCall call)
      : Expression(call.spec.type, call.arguments[0]->can_fail() || call.arguments[1]->can_fail()),
        filter_(std::move(call.arguments[0])),
        value_(std::move(call.arguments[1])) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(const Column bytes, filter_->Evaluate(input));
    if (!bytes.is_scalar()) return Status::Invalid("its Bloom filter is no constant");
    if (!bytes.scalar->is_valid) {
      return Column{nullptr, arrow::MakeNullScalar(arrow::boolean())};
    }
    ARROW_ASSIGN_OR_RAISE(const BloomFilter filter, BloomFilter::Read(StringOf(*bytes.scalar)));
    ARROW_ASSIGN_OR_RAISE(const auto values, EvaluateToArray(*value_, input));
    const int64_t rows = values->length();
    std::vector<int32_t> high(static_cast<size_t>(rows), filter.shape().seed);
    RETURN_NOT_OK(AddMurmur3(*values, nullptr, high));
    std::vector<int32_t> low = high;
    RETURN_NOT_OK(AddMurmur3(*values, nullptr, low));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateEmptyBitmap(rows, input.pool()));
    ARROW_ASSIGN_OR_RAISE(auto validity, arrow::AllocateEmptyBitmap(rows, input.pool()));
    for (int64_t row = 0; row < rows; ++row) {
      if (values->IsNull(row)) continue;
      arrow::bit_util::SetBit(validity->mutable_data(), row);
      const auto place = static_cast<size_t>(row);
      if (filter.Holds(high[place], low[place])) {
        arrow::bit_util::SetBit(bits->mutable_data(), row);
      }
    }
    return Column{std::make_shared<arrow::BooleanArray>(rows, std::move(bits), std::move(validity)),
                  nullptr};
  }

 private:
  std::unique_ptr<Expression> filter_;
  std::unique_ptr<Expression> value_;
};

}  // namespace

MadeExpression MakeMightContain(FunctionCall call) {
  return std::make_unique<MightContain>(std::move(call));
}

}  // namespace reprise
