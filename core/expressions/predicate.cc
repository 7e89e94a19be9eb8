#include <algorithm>
#include <set>

#include "expressions/expression.h"

namespace reprise {

namespace {

using Specs = std::vector<ExpressionSpec>;

void CollectConjuncts(const ExpressionSpec& condition, Specs* conjuncts) {
  if (condition.function != "and") {
    conjuncts->push_back(condition);
    return;
  }
  for (const auto& argument : condition.arguments) CollectConjuncts(argument, conjuncts);
}

void CollectColumns(const ExpressionSpec& expression, std::set<int64_t>* columns) {
  if (expression.function == "column") {
    columns->insert(expression.attributes.at("index").get<int64_t>());
  }
  for (const auto& argument : expression.arguments) CollectColumns(argument, columns);
}

// Null wherever one of its columns is (NullIntolerant, all the way down).
bool IsNullWithColumns(const ExpressionSpec& expression) {
  static constexpr std::string_view kNullIntolerant[] = {"column",    "cast",
                                                         "add",       "subtract",
                                                         "multiply",  "divide",
                                                         "remainder", "pmod",
                                                         "equal",     "greater",
                                                         "less",      "negate",
                                                         "abs",       "integral_divide",
                                                         "substring", "not",
                                                         "length",    "less_or_equal",
                                                         "trim",      "greater_or_equal"};
  return std::ranges::find(kNullIntolerant, expression.function) != std::end(kNullIntolerant) &&
         std::ranges::all_of(expression.arguments, IsNullWithColumns);
}

bool IsNotNullTest(const ExpressionSpec& conjunct) {
  return conjunct.function == "is_not_null" && IsNullWithColumns(conjunct.arguments[0]);
}

bool HasCheckedColumns(const ExpressionSpec& expression) {
  if (expression.function == "column") return expression.attributes.value("checked", false);
  return std::ranges::any_of(expression.arguments, HasCheckedColumns);
}

ExpressionSpec IsNotNull(int64_t column, const std::vector<Field>& input, bool is_checked) {
  const DataType& type = input[static_cast<size_t>(column)].type;
  return {"is_not_null",
          {TypeKind::kBoolean},
          false,
          {},
          {{"column", type, true, {{"index", column}, {"checked", is_checked}}, {}}}};
}

// The order of FilterExec's generated code: before each conjunct those of its columns are tested
// that must not be null and have not been tested yet; what else must not be null comes last.
Specs InOrderOfFilter(const Specs& conjuncts, const std::vector<Field>& input) {
  std::set<int64_t> must_be_valid;
  for (const auto& conjunct : conjuncts) {
    if (IsNotNullTest(conjunct)) CollectColumns(conjunct, &must_be_valid);
  }
  Specs ordered;
  for (const auto& conjunct : conjuncts) {
    if (IsNotNullTest(conjunct)) continue;
    std::set<int64_t> columns;
    CollectColumns(conjunct, &columns);
    for (const int64_t column : columns) {
      if (must_be_valid.erase(column) > 0) {
        ordered.push_back(IsNotNull(column, input, HasCheckedColumns(conjunct)));
      }
    }
    ordered.push_back(conjunct);
  }
  std::ranges::copy_if(conjuncts, std::back_inserter(ordered), IsNotNullTest);
  return ordered;
}

// A conjunct all of whose columns are read before it, as FilterExec's generated code does.
class ColumnsFirst final : public Expression {
 public:
  ColumnsFirst(std::unique_ptr<Expression> conjunct, const std::set<int64_t>& columns)
      : Expression(conjunct->type(), true), conjunct_(std::move(conjunct)), columns_(columns) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    for (const int64_t column : columns_) RETURN_NOT_OK(input.ErrorIn(static_cast<int>(column)));
    return conjunct_->Evaluate(input);
  }

 private:
  const std::unique_ptr<Expression> conjunct_;
  const std::set<int64_t> columns_;
};

Result<std::vector<std::unique_ptr<Expression>>> MakeConjuncts(const Specs& specs,
                                                               const std::vector<Field>& input) {
  std::vector<std::unique_ptr<Expression>> conjuncts;
  for (const auto& spec : specs) {
    ARROW_ASSIGN_OR_RAISE(auto conjunct, MakeExpression(spec, input));
    if (!conjunct->type().is(TypeKind::kBoolean)) {
      return Status::Invalid("a condition must be boolean, but ", spec.function, " is ",
                             spec.type.ToString());
    }
    if (HasCheckedColumns(spec)) {
      std::set<int64_t> columns;
      CollectColumns(spec, &columns);
      conjunct = std::make_unique<ColumnsFirst>(std::move(conjunct), columns);
    }
    conjuncts.push_back(std::move(conjunct));
  }
  return conjuncts;
}

}  // namespace

Result<std::unique_ptr<Predicate>> Predicate::Make(const ExpressionSpec& condition,
                                                   const std::vector<Field>& input,
                                                   Conjunction conjunction) {
  if (!condition.type.is(TypeKind::kBoolean)) {
    return Status::Invalid("a condition must be boolean, but ", condition.function, " is ",
                           condition.type.ToString());
  }
  Specs specs;
  CollectConjuncts(condition, &specs);
  auto predicate = std::make_unique<Predicate>();
  ARROW_ASSIGN_OR_RAISE(predicate->conjuncts_, MakeConjuncts(specs, input));
  // Where nothing can fail any order selects the same rows.
  const bool can_fail =
      std::ranges::any_of(predicate->conjuncts_, [](const auto& each) { return each->can_fail(); });
  if (!can_fail || specs.size() == 1) return predicate;
  specs = conjunction == Conjunction::kOfFilter ? InOrderOfFilter(specs, input) : Specs{condition};
  ARROW_ASSIGN_OR_RAISE(predicate->conjuncts_, MakeConjuncts(specs, input));
  return predicate;
}

Result<std::shared_ptr<arrow::Buffer>> Predicate::Select(const Batch& batch,
                                                         arrow::MemoryPool* pool) const {
  RowSet rows{nullptr, batch.row_count};
  if (batch.has_selection()) rows = {batch.selected().data(), batch.selected_count()};
  const int64_t bytes = rows.count * static_cast<int64_t>(sizeof(int32_t));
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::ResizableBuffer> buffer,
                        arrow::AllocateResizableBuffer(bytes, pool));
  int32_t* out = reinterpret_cast<int32_t*>(buffer->mutable_data());
  for (const auto& conjunct : conjuncts_) {
    if (rows.count == 0) break;
    ARROW_ASSIGN_OR_RAISE(int64_t count, conjunct->Select(batch, rows, pool, out));
    // All rows of a batch without selection still qualify: the next conjunct keeps the faster,
    // dense way.
    if (rows.indices == nullptr && count == rows.count) continue;
    rows = {out, count};
  }
  if (rows.indices == nullptr) return nullptr;
  RETURN_NOT_OK(buffer->Resize(rows.count * static_cast<int64_t>(sizeof(int32_t)),
                               /*shrink_to_fit=*/false));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

}  // namespace reprise
