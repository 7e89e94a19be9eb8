#include "rules/expression_table.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "rules/expression_translation.h"

namespace reprise {

namespace {

using Operands = std::vector<ExpressionSpec>;
using Written = std::optional<ExpressionSpec>;

ExpressionSpec Spec(const ExpressionRule& rule, const PlanObject& expression, Operands operands) {
  ExpressionSpec spec;
  spec.function = rule.function;
  spec.type = *expression.type;
  spec.nullable = expression.nullable;
  spec.arguments = std::move(operands);
  return spec;
}

Written Plain(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  if (operands.empty()) return translator.Refuse(expression, "it has no operands");
  return Spec(rule, expression, std::move(operands));
}

/// Aliases and markers: the operand itself.
Written Vanish(const ExpressionRule&, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator) {
  if (operands.size() != 1) return translator.Refuse(expression, "it has not one operand");
  return std::move(operands[0]);
}

Written Column(const ExpressionRule&, const PlanObject& expression, Operands,
               ExpressionTranslator& translator) {
  const auto attribute = AttributeOf(expression);
  const int index = attribute ? translator.binding().IndexOf(attribute->expr_id) : -1;
  if (index < 0) return translator.Refuse(expression, "it is not a column of the input");
  const Field& field = translator.binding().fields()[static_cast<size_t>(index)];
  if (field.type != attribute->type) {
    return translator.Refuse(
        expression, fmt::format("its type is {}, but {} in the input", TypeText(attribute->type),
                                TypeText(field.type)));
  }
  return ColumnSpec(index, field);
}

Written Literal(const ExpressionRule&, const PlanObject& expression, Operands,
                ExpressionTranslator& translator) {
  const PlanValue* value = expression.argument("value");
  if (value == nullptr) return translator.Refuse(expression, "its value is not known");
  auto literal = LiteralSpec(*value, *expression.type);
  if (!literal.ok()) return translator.Refuse(expression, literal.status().message());
  return std::move(*literal);
}

/// Two operands of one type. Spark's analyzer has made them so; anything else is not what this
/// table knows.
Written SameTypes(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator) {
  if (operands.size() != 2) return translator.Refuse(expression, "it has not two operands");
  if (operands[0].type != operands[1].type) {
    return translator.Refuse(expression,
                             fmt::format("operands of {} and {} are not supported natively",
                                         TypeText(operands[0].type), TypeText(operands[1].type)));
  }
  return Spec(rule, expression, std::move(operands));
}

/// Arithmetic that overflows by Spark's evaluation mode; decimals may differ in precision and
/// scale.
Written Arithmetic(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                   ExpressionTranslator& translator) {
  const auto ansi = AnsiOf(expression);
  if (!ansi) return translator.Refuse(expression, ReasonWithoutMode(expression));
  const bool decimals = std::ranges::all_of(
      operands, [](const ExpressionSpec& o) { return o.type.is(TypeKind::kDecimal); });
  if (operands.size() == 2 && !decimals && operands[0].type != operands[1].type) {
    return SameTypes(rule, expression, std::move(operands), translator);
  }
  if (operands.empty() || operands.size() > 2) {
    return translator.Refuse(expression, "it has not one or two operands");
  }
  ExpressionSpec spec = Spec(rule, expression, std::move(operands));
  spec.attributes["ansi"] = *ansi;
  return spec;
}

Written Cast(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
             ExpressionTranslator& translator) {
  if (operands.size() != 1) return translator.Refuse(expression, "it has not one operand");
  const auto ansi = AnsiOf(expression);
  if (!ansi) return translator.Refuse(expression, ReasonWithoutMode(expression));
  if (operands[0].type == *expression.type) return std::move(operands[0]);
  if (!IsNativeCast(operands[0].type, *expression.type)) {
    return translator.Refuse(
        expression, fmt::format("{} to {} is not supported natively", TypeText(operands[0].type),
                                TypeText(*expression.type)));
  }
  ExpressionSpec spec = Spec(rule, expression, std::move(operands));
  spec.attributes["ansi"] = *ansi;
  return spec;
}

Written In(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
           ExpressionTranslator& translator) {
  if (operands.empty()) return translator.Refuse(expression, "it has no operands");
  for (size_t i = 1; i < operands.size(); ++i) {
    if (operands[i].function != "literal") {
      return translator.Refuse(expression,
                               "a list with more than literals is not supported natively");
    }
    if (operands[i].type != operands[0].type) {
      return translator.Refuse(expression,
                               fmt::format("{} in a list of {} is not supported natively",
                                           TypeText(operands[0].type), TypeText(operands[i].type)));
    }
  }
  return Spec(rule, expression, std::move(operands));
}

/// InSet(child, hset): the optimizer's form of a long IN list; its values are Spark's internal
/// ones.
Written InSet(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  const PlanValue* set = expression.argument("hset");
  if (operands.size() != 1 || set == nullptr || !set->is(PlanValue::Kind::kList)) {
    return translator.Refuse(expression, "its set of values is not part of the plan");
  }
  const DataType type = operands[0].type;
  for (const PlanValue& value : set->items) {
    auto literal = LiteralSpec(value, type);
    if (!literal.ok()) return translator.Refuse(expression, literal.status().message());
    operands.push_back(std::move(*literal));
  }
  return Spec(rule, expression, std::move(operands));
}

/// The branches have the type of the whole; conditions are boolean.
Written Branches(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                 ExpressionTranslator& translator) {
  const bool is_coalesce = rule.function == "coalesce";
  const bool is_if = rule.function == "if";
  if (operands.empty() || (is_if && operands.size() != 3)) {
    return translator.Refuse(expression, "it has a wrong number of operands");
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool last_alone = i + 1 == operands.size() && i % 2 == 0;
    const bool is_condition = !is_coalesce && (is_if ? i == 0 : i % 2 == 0 && !last_alone);
    const DataType expected = is_condition ? DataType{TypeKind::kBoolean} : *expression.type;
    if (operands[i].type == expected) continue;
    return translator.Refuse(
        expression, fmt::format("a branch of {} where {} is expected is not supported natively",
                                TypeText(operands[i].type), TypeText(expected)));
  }
  return Spec(rule, expression, std::move(operands));
}

/// MakeDecimal and CheckOverflow: null or an error where the value does not fit, as
/// `nullOnOverflow` says.
Written OverflowChecked(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                        ExpressionTranslator& translator) {
  const PlanValue* null_on_overflow = expression.argument("nullOnOverflow");
  if (operands.size() != 1 || null_on_overflow == nullptr ||
      !null_on_overflow->is(PlanValue::Kind::kBoolean)) {
    return translator.Refuse(expression, "what it does on overflow is not known");
  }
  ExpressionSpec spec = Spec(rule, expression, std::move(operands));
  spec.attributes["null_on_overflow"] = null_on_overflow->boolean;
  return spec;
}

constexpr TypeSet kLong = TypesOf({TypeKind::kLong});
constexpr TypeSet kDivisible = TypesOf({TypeKind::kDouble, TypeKind::kDecimal});

#define CATALYST "org.apache.spark.sql.catalyst."
#define EXPRESSIONS CATALYST "expressions."

constexpr ExpressionRule kTable[] = {
    {EXPRESSIONS "AttributeReference", "column", kAllTypes, Column, ""},
    {EXPRESSIONS "Literal", "literal", kAllTypes, Literal, ""},
    {EXPRESSIONS "Alias", "", kAllTypes, Vanish, ""},
    {EXPRESSIONS "KnownNotNull", "", kAllTypes, Vanish, ""},
    {EXPRESSIONS "KnownNullable", "", kAllTypes, Vanish, ""},
    {EXPRESSIONS "KnownFloatingPointNormalized", "", kAllTypes, Vanish, ""},
    {EXPRESSIONS "UnaryPositive", "", kNumericTypes, Vanish, ""},
    {EXPRESSIONS "And", "and", kBooleanTypes, SameTypes, ""},
    {EXPRESSIONS "Or", "or", kBooleanTypes, SameTypes, ""},
    {EXPRESSIONS "Not", "not", kBooleanTypes, Plain, ""},
    {EXPRESSIONS "IsNull", "is_null", kAllTypes, Plain, ""},
    {EXPRESSIONS "IsNotNull", "is_not_null", kAllTypes, Plain, ""},
    {EXPRESSIONS "EqualTo", "equal", kAllTypes, SameTypes, ""},
    {EXPRESSIONS "EqualNullSafe", "equal_null_safe", kAllTypes, SameTypes, ""},
    {EXPRESSIONS "LessThan", "less", kAllTypes, SameTypes, ""},
    {EXPRESSIONS "LessThanOrEqual", "less_or_equal", kAllTypes, SameTypes, ""},
    {EXPRESSIONS "GreaterThan", "greater", kAllTypes, SameTypes, ""},
    {EXPRESSIONS "GreaterThanOrEqual", "greater_or_equal", kAllTypes, SameTypes, ""},
    {EXPRESSIONS "In", "in", kAllTypes, In, "the list holds literals only"},
    {EXPRESSIONS "InSet", "in", kAllTypes, InSet, ""},
    {EXPRESSIONS "Add", "add", kNumericTypes, Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Subtract", "subtract", kNumericTypes, Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Multiply", "multiply", kNumericTypes, Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Divide", "divide", kDivisible, Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Remainder", "remainder", kNumericTypes, Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "IntegralDivide", "integral_divide", kLong | kDecimalTypes, Arithmetic,
     "not in TRY mode"},
    {EXPRESSIONS "UnaryMinus", "negate", kNumericTypes, Arithmetic, ""},
    {EXPRESSIONS "Abs", "abs", kNumericTypes, Arithmetic, ""},
    {EXPRESSIONS "Cast", "cast", kAllTypes, Cast, "see Casts; not in TRY mode"},
    {EXPRESSIONS "If", "if", kAllTypes, Branches, ""},
    {EXPRESSIONS "CaseWhen", "case_when", kAllTypes, Branches, ""},
    {EXPRESSIONS "Coalesce", "coalesce", kAllTypes, Branches, ""},
    {CATALYST "optimizer.NormalizeNaNAndZero", "normalize_nan_and_zero", kFloatingTypes, Plain, ""},
    {EXPRESSIONS "UnscaledValue", "unscaled_value", kDecimalTypes, Plain, ""},
    {EXPRESSIONS "MakeDecimal", "make_decimal", kLong, OverflowChecked, ""},
    {EXPRESSIONS "CheckOverflow", "check_overflow", kDecimalTypes, OverflowChecked, ""},
};

struct KnownReason {
  std::string_view class_name;
  std::string_view reason;
};

constexpr std::string_view kSubquery = "subqueries are not run natively yet";
constexpr std::string_view kNondeterministic = "nondeterministic expressions are not run natively";
constexpr std::string_view kForeignCode = "code of the user's is not run natively";
constexpr std::string_view kInputFile =
    "the name and place of the file being read are not known natively";

constexpr KnownReason kReasons[] = {
    {"org.apache.spark.sql.execution.ScalarSubquery", kSubquery},
    {"org.apache.spark.sql.execution.InSubqueryExec", kSubquery},
    {EXPRESSIONS "ScalarSubquery", kSubquery},
    {EXPRESSIONS "InSubquery", kSubquery},
    {EXPRESSIONS "Exists", kSubquery},
    {EXPRESSIONS "DynamicPruningExpression", kSubquery},
    {EXPRESSIONS "BloomFilterMightContain", kSubquery},
    {EXPRESSIONS "Rand", kNondeterministic},
    {EXPRESSIONS "Randn", kNondeterministic},
    {EXPRESSIONS "RandStr", kNondeterministic},
    {EXPRESSIONS "Uniform", kNondeterministic},
    {EXPRESSIONS "Uuid", kNondeterministic},
    {EXPRESSIONS "Shuffle", kNondeterministic},
    {EXPRESSIONS "MonotonicallyIncreasingID", kNondeterministic},
    {EXPRESSIONS "SparkPartitionID", kNondeterministic},
    {EXPRESSIONS "CallMethodViaReflection", kForeignCode},
    {EXPRESSIONS "ScalaUDF", kForeignCode},
    {EXPRESSIONS "PythonUDF", kForeignCode},
    {"org.apache.spark.sql.hive.HiveSimpleUDF", kForeignCode},
    {"org.apache.spark.sql.hive.HiveGenericUDF", kForeignCode},
    {EXPRESSIONS "InputFileName", kInputFile},
    {EXPRESSIONS "InputFileBlockStart", kInputFile},
    {EXPRESSIONS "InputFileBlockLength", kInputFile},
};

#undef EXPRESSIONS
#undef CATALYST

bool IsNumericOrBoolean(const DataType& type) {
  return kNumericTypes.has(type) || type.is(TypeKind::kBoolean);
}

}  // namespace

std::span<const ExpressionRule> ExpressionTable() { return kTable; }

const ExpressionRule* FindExpressionRule(std::string_view class_name) {
  static const auto* const by_class = [] {
    auto* map = new std::unordered_map<std::string_view, const ExpressionRule*>();
    for (const ExpressionRule& rule : kTable) map->emplace(rule.class_name, &rule);
    return map;
  }();
  const auto found = by_class->find(class_name);
  return found == by_class->end() ? nullptr : found->second;
}

std::string ReasonWithoutRule(std::string_view class_name) {
  const auto known = std::ranges::find(kReasons, class_name, &KnownReason::class_name);
  if (known != std::end(kReasons)) return std::string(known->reason);
  return "it is not supported natively";
}

bool IsNativeCast(const DataType& from, const DataType& to) {
  // Floating-point numbers become decimals and text through the digits that Java prints, and text
  // becomes such numbers by rules of Java's own.
  if (from.is_floating() && to.is(TypeKind::kDecimal)) return false;
  if (IsNumericOrBoolean(from) && IsNumericOrBoolean(to)) return true;
  if (from.is(TypeKind::kString)) return to.is_integral() || to.is(TypeKind::kDate);
  return to.is(TypeKind::kString) && (from.is_integral() || from.is(TypeKind::kDecimal) ||
                                      from.is(TypeKind::kBoolean) || from.is(TypeKind::kDate));
}

std::optional<bool> AnsiOf(const PlanObject& expression) {
  if (const PlanValue* fail = expression.argument("failOnError")) {
    if (fail->is(PlanValue::Kind::kBoolean)) return fail->boolean;
  }
  const PlanValue* context = expression.argument("evalContext");
  const PlanValue* mode = context != nullptr && context->object != nullptr
                              ? context->object->argument("evalMode")
                              : expression.argument("evalMode");
  if (mode == nullptr || !mode->is(PlanValue::Kind::kEnum)) return std::nullopt;
  if (mode->text == "ANSI") return true;
  if (mode->text == "LEGACY") return false;
  return std::nullopt;
}

std::string ReasonWithoutMode(const PlanObject& expression) {
  const PlanValue* context = expression.argument("evalContext");
  const PlanValue* mode = context != nullptr && context->object != nullptr
                              ? context->object->argument("evalMode")
                              : expression.argument("evalMode");
  if (mode != nullptr && mode->text == "TRY") return "TRY mode is not supported natively";
  return "its evaluation mode is not known";
}

ExpressionSpec ColumnSpec(int index, const Field& field) {
  ExpressionSpec spec;
  spec.function = "column";
  spec.type = field.type;
  spec.nullable = field.nullable;
  spec.attributes["index"] = index;
  return spec;
}

std::string TypeSetText(TypeSet types) {
  if (types.bits == kAllTypes.bits) return "all";
  std::string text;
  for (int kind = 0; kind < static_cast<int>(TypeKind::kOther); ++kind) {
    if (!types.has(static_cast<TypeKind>(kind))) continue;
    if (!text.empty()) text += ", ";
    text += kind == static_cast<int>(TypeKind::kDecimal)
                ? "decimal"
                : DataType{static_cast<TypeKind>(kind)}.ToString();
  }
  return text;
}

}  // namespace reprise
