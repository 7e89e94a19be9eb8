#include "expressions/query_context.h"

#include <string>

#include "base/error_context.h"

namespace reprise {

namespace {

class InContext : public Expression {
 public:
  InContext(std::unique_ptr<Expression> expression, std::string context)
      : Expression(expression->type(), true),
        expression_(std::move(expression)),
        context_(std::move(context)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    return Placed(expression_->Evaluate(input));
  }

  Result<int64_t> Select(const Batch& batch, RowSet rows, arrow::MemoryPool* pool,
                         int32_t* out) const override {
    return Placed(expression_->Select(batch, rows, pool, out));
  }

 private:
  template <typename T>
  Result<T> Placed(Result<T> result) const {
    if (result.ok()) return result;
    return WithContext(result.status(), context_);
  }

  std::unique_ptr<Expression> expression_;
  std::string context_;
};

}  // namespace

std::unique_ptr<Expression> WithQueryContext(std::unique_ptr<Expression> expression,
                                             const ExpressionSpec& spec) {
  if (!expression->can_fail()) return expression;
  const auto context = spec.attributes.find("context");
  const bool known = context != spec.attributes.end() && context->is_string();
  return std::make_unique<InContext>(std::move(expression),
                                     known ? context->get<std::string>() : "");
}

}  // namespace reprise
