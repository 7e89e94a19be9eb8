#include "rules/guest_expressions.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_set>

#include "rules/class_names.h"
#include "rules/expression_table.h"

namespace reprise {

namespace {

/// Spark runs them in operators of their own, or does not evaluate them at all; or their value
/// depends on what the task's thread has read last.
constexpr std::string_view kNoGuests[] = {"AggregateExpression",
                                          "Alias",
                                          "AttributeReference",
                                          "DynamicPruningExpression",
                                          "DynamicPruningSubquery",
                                          "InputFileBlockLength",
                                          "InputFileBlockStart",
                                          "InputFileName",
                                          "OuterReference",
                                          "PythonUDAF",
                                          "PythonUDF",
                                          "SortOrder",
                                          "WindowExpression"};

/// Code of the user's that may not be deterministic, beside what never is.
constexpr std::string_view kOfOtherRows[] = {"CallMethodViaReflection", "HiveGenericUDF",
                                             "HiveSimpleUDF"};

bool SaysItIsNotDeterministic(const PlanObject& function) {
  const PlanValue* deterministic = function.argument("udfDeterministic");
  return deterministic != nullptr && deterministic->is(PlanValue::Kind::kBoolean) &&
         !deterministic->boolean;
}

/// May call code of the user's.
constexpr std::string_view kCalls[] = {"ApplyFunctionExpression", "Invoke", "ScalaUDF",
                                       "StaticInvoke"};

constexpr std::string_view kCatalystExpressions = "org.apache.spark.sql.catalyst.expressions.";

/// Their operands behind the first are evaluated only where the ones before have not decided, or
/// for the elements of the first.
constexpr std::string_view kConditional[] = {"And",
                                             "ArrayAggregate",
                                             "ArrayExists",
                                             "ArrayFilter",
                                             "ArrayForAll",
                                             "ArraySort",
                                             "ArrayTransform",
                                             "CaseWhen",
                                             "Coalesce",
                                             "If",
                                             "In",
                                             "LambdaFunction",
                                             "MapFilter",
                                             "MapZipWith",
                                             "Or",
                                             "TransformKeys",
                                             "TransformValues",
                                             "ZipWith"};

/// All their operands are evaluated, null or not.
constexpr std::string_view kEager[] = {"CreateArray", "CreateMap", "CreateNamedStruct",
                                       "Murmur3Hash", "XxHash64"};

/// Their second operand is evaluated before the first one.
constexpr std::string_view kDivisorFirst[] = {"Divide", "IntegralDivide", "Pmod", "Remainder"};

/// The attributes that an expression reads, found in a graph whose parts may be shared.
class ReadColumns {
 public:
  explicit ReadColumns(const Binding& input) : input_(input) {}

  /// False where something below cannot be evaluated over these columns.
  bool Add(const PlanObject& object) {
    if (!seen_.insert(&object).second) return true;
    const std::string_view name = ShortClassName(object.class_name);
    if (name == "AttributeReference") return AddColumn(object);
    if (Has(kNoGuests, name) && name != "Alias") return false;
    return std::ranges::all_of(object.children, [&](const PlanValue& child) {
      return child.object == nullptr || Add(*child.object);
    });
  }

  std::vector<int> columns() const { return {columns_.begin(), columns_.end()}; }

 private:
  bool AddColumn(const PlanObject& object) {
    const auto attribute = AttributeOf(object);
    const int index = attribute ? input_.IndexOf(attribute->expr_id) : -1;
    if (index >= 0) columns_.insert(index);
    return index >= 0;
  }

  const Binding& input_;
  std::unordered_set<const PlanObject*> seen_;
  std::set<int> columns_;
};

}  // namespace

std::optional<std::vector<int>> ColumnsOfGuest(const PlanObject& expression, const Binding& input) {
  if (!expression.id || !expression.type || !CanTravel(*expression.type)) return std::nullopt;
  if (Has(kNoGuests, ShortClassName(expression.class_name))) return std::nullopt;
  ReadColumns reads(input);
  if (!reads.Add(expression)) return std::nullopt;
  return reads.columns();
}

Conditions ConditionsOf(const PlanValue& condition) {
  if (condition.object == nullptr) return {};
  if (ShortClassName(condition.object->class_name) != "And") return {condition.object};
  Conditions all;
  for (const PlanValue& child : condition.object->children) {
    const Conditions some = ConditionsOf(child);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

ExpressionSpec Both(ExpressionSpec left, ExpressionSpec right) {
  ExpressionSpec both;
  both.function = "and";
  both.type = left.type;
  both.nullable = left.nullable || right.nullable;
  both.arguments = {std::move(left), std::move(right)};
  return both;
}

bool MaySeeOtherRows(const PlanValue& expression) {
  std::unordered_set<const PlanObject*> seen;
  const std::function<bool(const PlanValue&)> sees = [&](const PlanValue& value) {
    const PlanObject* object = value.object;
    if (object == nullptr || !seen.insert(object).second) return false;
    return IsNondeterministic(object->class_name) ||
           Has(kOfOtherRows, ShortClassName(object->class_name)) ||
           SaysItIsNotDeterministic(*object) || std::ranges::any_of(object->children, sees);
  };
  return sees(expression);
}

bool IsRowwiseCodeOfSparks(const PlanObject& expression) {
  const std::string_view name = ShortClassName(expression.class_name);
  return expression.class_name.starts_with(kCatalystExpressions) && !Has(kNoGuests, name) &&
         !Has(kOfOtherRows, name) && !Has(kCalls, name) &&
         !IsNondeterministic(expression.class_name);
}

bool IsAlwaysEvaluated(const PlanObject& expression, size_t index) {
  const auto is_never_null = [](const PlanValue& operand) {
    return operand.object != nullptr && !operand.object->nullable;
  };
  const std::string_view name = ShortClassName(expression.class_name);
  if (Has(kDivisorFirst, name)) return index > 0 || is_never_null(expression.children.back());
  if (index == 0 || Has(kEager, name)) return true;
  if (Has(kConditional, name)) return false;
  // Most expressions leave out what stands behind a null.
  return std::ranges::all_of(expression.children.first(index), is_never_null);
}

}  // namespace reprise
