// xxhash64: Spark's XxHash64 (HashExpression.scala, XXH64.java).
//
// Arguments: any, chained: each one's hash is the seed of the next. Attribute "seed": the first
// seed. Result: long, never null. Example: xxhash64(1) with seed 42 is -6698625589789238999.
#include <xxhash.h>

#include <algorithm>

#include "expressions/functions.h"
#include "expressions/hashed_expression.h"
#include "expressions/row_hashes.h"

namespace reprise {

namespace {

struct XxHash64Algorithm {
  using Hash = uint64_t;

  static uint64_t Int(uint32_t value, uint64_t seed) { return XXH64(&value, sizeof(value), seed); }
  static uint64_t Long(uint64_t value, uint64_t seed) { return XXH64(&value, sizeof(value), seed); }
  static uint64_t Bytes(std::string_view bytes, uint64_t seed) {
    return XXH64(bytes.data(), bytes.size(), seed);
  }
};

class XxHash64 final : public Expression {
 public:
  XxHash64(DataType type, std::vector<std::unique_ptr<Expression>> arguments, int64_t seed,
           bool can_fail)
      : Expression(std::move(type), can_fail),
        arguments_(HashedExpressions(std::move(arguments))),
        seed_(static_cast<uint64_t>(seed)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t rows = input.row_count();
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(8 * rows, input.pool()));
    const std::span<uint64_t> hashes(reinterpret_cast<uint64_t*>(buffer->mutable_data()),
                                     static_cast<size_t>(rows));
    std::ranges::fill(hashes, seed_);
    for (const auto& argument : arguments_) {
      ARROW_ASSIGN_OR_RAISE(const auto values, EvaluateToArray(*argument.expression, input));
      RETURN_NOT_OK(RowHashes<XxHash64Algorithm>::Add(*values, argument.nested_type(), hashes));
    }
    return Column{std::make_shared<arrow::Int64Array>(rows, std::move(buffer)), nullptr};
  }

 private:
  std::vector<HashedExpression> arguments_;
  uint64_t seed_;
};

}  // namespace

MadeExpression MakeXxHash64(FunctionCall call) {
  const auto seed = call.spec.attributes.find("seed");
  if (seed == call.spec.attributes.end() || !seed->is_number_integer()) {
    return Status::Invalid("xxhash64 has no integer attribute \"seed\"");
  }
  const bool can_fail = std::ranges::any_of(call.arguments, &Expression::can_fail);
  return std::make_unique<XxHash64>(call.spec.type, std::move(call.arguments), seed->get<int64_t>(),
                                    can_fail);
}

}  // namespace reprise
