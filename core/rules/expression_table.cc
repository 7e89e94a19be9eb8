#include "rules/expression_table.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "rules/expression_translation.h"
#include "rules/expression_writers.h"

namespace reprise {

namespace {

constexpr TypeSet kLong = TypesOf({TypeKind::kLong});
constexpr TypeSet kString = TypesOf({TypeKind::kString});
constexpr TypeSet kBytes = TypesOf({TypeKind::kString, TypeKind::kBinary});
constexpr TypeSet kDate = TypesOf({TypeKind::kDate});
constexpr TypeSet kTimestamp = TypesOf({TypeKind::kTimestamp});
constexpr TypeSet kDateAndInteger = TypesOf({TypeKind::kDate, TypeKind::kInteger});
constexpr TypeSet kDateAndDays = kDateAndInteger | TypesOf({TypeKind::kByte, TypeKind::kShort});
constexpr TypeSet kTimestampAndString = TypesOf({TypeKind::kTimestamp, TypeKind::kString});
constexpr TypeSet kTimestampAndBoolean = TypesOf({TypeKind::kTimestamp, TypeKind::kBoolean});
constexpr TypeSet kDateAndString = TypesOf({TypeKind::kDate, TypeKind::kString});
constexpr TypeSet kStringAndInteger = TypesOf({TypeKind::kString, TypeKind::kInteger});
constexpr TypeSet kDouble = TypesOf({TypeKind::kDouble});
constexpr TypeSet kWholeable = kLong | kDouble | kDecimalTypes;
constexpr TypeSet kIntegerAndLong = TypesOf({TypeKind::kInteger, TypeKind::kLong});
constexpr TypeSet kDivisible = TypesOf({TypeKind::kDouble, TypeKind::kDecimal});

#define CATALYST "org.apache.spark.sql.catalyst."
#define EXPRESSIONS CATALYST "expressions."
#define EXECUTION "org.apache.spark.sql.execution."

constexpr ExpressionRule kExpressions[] = {
    {EXPRESSIONS "AttributeReference", "column", kAllTypes, writers::Column, ""},
    {EXPRESSIONS "Literal", "literal", kAllTypes, writers::Literal, ""},
    {EXPRESSIONS "Alias", "", kAllTypes, writers::Vanish, ""},
    {EXPRESSIONS "KnownNotNull", "", kAllTypes, writers::Vanish, ""},
    {EXPRESSIONS "KnownNullable", "", kAllTypes, writers::Vanish, ""},
    {EXPRESSIONS "KnownFloatingPointNormalized", "", kAllTypes, writers::Vanish, ""},
    {EXPRESSIONS "UnaryPositive", "", kNumericTypes, writers::Vanish, ""},
    {EXPRESSIONS "And", "and", kBooleanTypes, writers::SameTypes, ""},
    {EXPRESSIONS "Or", "or", kBooleanTypes, writers::SameTypes, ""},
    {EXPRESSIONS "Not", "not", kBooleanTypes, writers::Plain, ""},
    {EXPRESSIONS "IsNull", "is_null", kAllTypes, writers::Plain, ""},
    {EXPRESSIONS "IsNotNull", "is_not_null", kAllTypes, writers::Plain, ""},
    {EXPRESSIONS "IsNaN", "is_nan", kFloatingTypes, writers::Plain, ""},
    {EXPRESSIONS "EqualTo", "equal", kAllTypes, writers::SameTypes, ""},
    {EXPRESSIONS "EqualNullSafe", "equal_null_safe", kAllTypes, writers::SameTypes, ""},
    {EXPRESSIONS "LessThan", "less", kAllTypes, writers::SameTypes, ""},
    {EXPRESSIONS "LessThanOrEqual", "less_or_equal", kAllTypes, writers::SameTypes, ""},
    {EXPRESSIONS "GreaterThan", "greater", kAllTypes, writers::SameTypes, ""},
    {EXPRESSIONS "GreaterThanOrEqual", "greater_or_equal", kAllTypes, writers::SameTypes, ""},
    {EXPRESSIONS "In", "in", kAllTypes, writers::In, "the list holds literals only"},
    {EXPRESSIONS "InSet", "in", kAllTypes, writers::InSet, ""},
    {EXECUTION "InSubqueryExec", "in", kAllTypes, writers::InSubquery, "one column"},
    {EXECUTION "ScalarSubquery", "runtime_value", kAllTypes, writers::ScalarSubquery, ""},
    {EXPRESSIONS "GetStructField", "runtime_value", kAllTypes, writers::FieldOfSubquery,
     "of the result of a scalar subquery", false, true},
    {EXPRESSIONS "DynamicPruningExpression", "", kBooleanTypes, writers::Vanish, ""},
    {EXPRESSIONS "StartsWith", "starts_with", kString, writers::SameTypes, ""},
    {EXPRESSIONS "EndsWith", "ends_with", kString, writers::SameTypes, ""},
    {EXPRESSIONS "Contains", "contains", kString, writers::SameTypes, ""},
    {EXPRESSIONS "Like", "like", kString, writers::LikeLiteral, "the pattern is a literal"},
    {EXPRESSIONS "Substring", "substring", kStringAndInteger, writers::Substring,
     "not of binary; position and length are literals or columns"},
    {EXPRESSIONS "StringTrim", "trim", kString, writers::Plain, ""},
    {EXPRESSIONS "StringTrimLeft", "trim_left", kString, writers::Plain, ""},
    {EXPRESSIONS "StringTrimRight", "trim_right", kString, writers::Plain, ""},
    {EXPRESSIONS "Reverse", "reverse", kString, writers::Plain, ""},
    {EXPRESSIONS "StringRepeat", "repeat", kStringAndInteger, writers::Plain, ""},
    {EXPRESSIONS "StringReplace", "replace", kString, writers::Plain, ""},
    {EXPRESSIONS "StringLPad", "pad_left", kStringAndInteger, writers::Plain, ""},
    {EXPRESSIONS "StringRPad", "pad_right", kStringAndInteger, writers::Plain, ""},
    {EXPRESSIONS "Concat", "concat", kString, writers::Plain, ""},
    {EXPRESSIONS "ConcatWs", "concat_ws", kString, writers::Plain, ""},
    {EXPRESSIONS "Length", "length", kBytes, writers::Plain, ""},
    {EXPRESSIONS "OctetLength", "octet_length", kBytes, writers::Plain, ""},
    {EXPRESSIONS "BitLength", "bit_length", kBytes, writers::Plain, ""},
    {EXPRESSIONS "StringInstr", "position", kString, writers::Plain, ""},
    {EXPRESSIONS "StringLocate", "locate", kStringAndInteger, writers::Located,
     "the start is a literal"},
    {EXPRESSIONS "Year", "year", kDate, writers::Plain, ""},
    {EXPRESSIONS "Quarter", "quarter", kDate, writers::Plain, ""},
    {EXPRESSIONS "Month", "month", kDate, writers::Plain, ""},
    {EXPRESSIONS "DayOfMonth", "day_of_month", kDate, writers::Plain, ""},
    {EXPRESSIONS "DayOfYear", "day_of_year", kDate, writers::Plain, ""},
    {EXPRESSIONS "DayOfWeek", "day_of_week", kDate, writers::Plain, ""},
    {EXPRESSIONS "WeekDay", "week_day", kDate, writers::Plain, ""},
    {EXPRESSIONS "WeekOfYear", "week_of_year", kDate, writers::Plain, ""},
    {EXPRESSIONS "Hour", "hour", kTimeTypes, writers::Zoned, ""},
    {EXPRESSIONS "Minute", "minute", kTimeTypes, writers::Zoned, ""},
    {EXPRESSIONS "Second", "second", kTimeTypes, writers::Zoned, ""},
    {EXPRESSIONS "SecondWithFraction", "second_with_fraction", kTimeTypes, writers::Zoned, ""},
    {EXPRESSIONS "UnixSeconds", "unix_seconds", kTimestamp, writers::Plain, ""},
    {EXPRESSIONS "UnixMillis", "unix_millis", kTimestamp, writers::Plain, ""},
    {EXPRESSIONS "UnixMicros", "unix_micros", kTimestamp, writers::Plain, ""},
    {EXPRESSIONS "TruncTimestamp", "truncate_timestamp", kTimestampAndString, writers::Truncated,
     "the unit is a literal"},
    {EXPRESSIONS "TruncDate", "truncate_date", kDateAndString, writers::Truncated,
     "the unit is a literal"},
    {EXPRESSIONS "TimestampAddInterval", "timestamp_add", kTimeTypes, writers::IntervalAdded,
     "the interval is a literal of days to seconds", true},
    {EXPRESSIONS "TimestampAddYMInterval", "timestamp_add", kTimeTypes, writers::IntervalAdded,
     "the interval is a literal of years to months", true},
    {EXPRESSIONS "DateAddYMInterval", "add_months", kDate, writers::IntervalAdded,
     "the interval is a literal of years to months", true},
    {EXPRESSIONS "DateAdd", "date_add", kDateAndDays, writers::Plain, ""},
    {EXPRESSIONS "DateSub", "date_sub", kDateAndDays, writers::Plain, ""},
    {EXPRESSIONS "DateDiff", "date_diff", kDate, writers::Plain, ""},
    {EXPRESSIONS "AddMonths", "add_months", kDateAndInteger, writers::Plain, ""},
    {EXPRESSIONS "LastDay", "last_day", kDate, writers::Plain, ""},
    {EXPRESSIONS "NextDay", "next_day", kDate, writers::NextDay, "the day of the week is a literal",
     true},
    {EXPRESSIONS "MonthsBetween", "months_between", kTimestampAndBoolean, writers::MonthsBetween,
     "whether to round is a literal"},
    {EXPRESSIONS "Add", "add", kNumericTypes, writers::Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Subtract", "subtract", kNumericTypes, writers::Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Multiply", "multiply", kNumericTypes, writers::Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Divide", "divide", kDivisible, writers::Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "Remainder", "remainder", kNumericTypes, writers::Arithmetic, "not in TRY mode"},
    {EXPRESSIONS "IntegralDivide", "integral_divide", kLong | kDecimalTypes, writers::Arithmetic,
     "not in TRY mode"},
    {EXPRESSIONS "Pmod", "pmod", kIntegralTypes | kFloatingTypes, writers::Arithmetic,
     "not in TRY mode"},
    {EXPRESSIONS "Ceil", "ceil", kWholeable, writers::Plain, ""},
    {EXPRESSIONS "Floor", "floor", kWholeable, writers::Plain, ""},
    {EXPRESSIONS "RoundCeil", "ceil", kDecimalTypes, writers::Rounded, "the scale is a literal",
     true},
    {EXPRESSIONS "RoundFloor", "floor", kDecimalTypes, writers::Rounded, "the scale is a literal",
     true},
    {EXPRESSIONS "Round", "round", kDecimalTypes, writers::Rounded, "the scale is a literal", true},
    {EXPRESSIONS "BRound", "bround", kDecimalTypes, writers::Rounded, "the scale is a literal",
     true},
    {EXPRESSIONS "BitwiseAnd", "bit_and", kIntegralTypes, writers::SameTypes, ""},
    {EXPRESSIONS "BitwiseOr", "bit_or", kIntegralTypes, writers::SameTypes, ""},
    {EXPRESSIONS "BitwiseXor", "bit_xor", kIntegralTypes, writers::SameTypes, ""},
    {EXPRESSIONS "BitwiseNot", "bit_not", kIntegralTypes, writers::Plain, ""},
    {EXPRESSIONS "ShiftLeft", "shift_left", kIntegerAndLong, writers::Plain, ""},
    {EXPRESSIONS "ShiftRight", "shift_right", kIntegerAndLong, writers::Plain, ""},
    {EXPRESSIONS "ShiftRightUnsigned", "shift_right_unsigned", kIntegerAndLong, writers::Plain, ""},
    {EXPRESSIONS "Sqrt", "square_root", kDouble, writers::Plain, ""},
    {EXPRESSIONS "Signum", "signum", kDouble, writers::Plain, ""},
    {EXPRESSIONS "Greatest", "greatest", kAllTypes, writers::Alike, ""},
    {EXPRESSIONS "Least", "least", kAllTypes, writers::Alike, ""},
    {EXPRESSIONS "UnaryMinus", "negate", kNumericTypes, writers::Arithmetic, ""},
    {EXPRESSIONS "Abs", "abs", kNumericTypes, writers::Arithmetic, ""},
    {EXPRESSIONS "Cast", "cast", kAllTypes, writers::Cast, "see Casts; not in TRY mode"},
    {EXPRESSIONS "If", "if", kAllTypes, writers::Branches, ""},
    {EXPRESSIONS "CaseWhen", "case_when", kAllTypes, writers::Branches, ""},
    {EXPRESSIONS "Coalesce", "coalesce", kAllTypes, writers::Branches, ""},
    {CATALYST "optimizer.NormalizeNaNAndZero", "normalize_nan_and_zero", kFloatingTypes,
     writers::Plain, ""},
    {EXPRESSIONS "UnscaledValue", "unscaled_value", kDecimalTypes, writers::Plain, ""},
    {EXPRESSIONS "MakeDecimal", "make_decimal", kLong, writers::OverflowChecked, ""},
    {EXPRESSIONS "Murmur3Hash", "murmur3_hash", kAllTypes, writers::Seeded, ""},
    {EXPRESSIONS "XxHash64", "xxhash64", kAllTypes, writers::Seeded, ""},
    {EXPRESSIONS "CheckOverflow", "check_overflow", kDecimalTypes, writers::OverflowChecked, ""},
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
    {EXPRESSIONS "ScalarSubquery", kSubquery},
    {EXPRESSIONS "InSubquery", kSubquery},
    {EXPRESSIONS "Exists", kSubquery},
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

#undef EXECUTION
#undef EXPRESSIONS
#undef CATALYST

bool IsNumericOrBoolean(const DataType& type) {
  return kNumericTypes.has(type) || type.is(TypeKind::kBoolean);
}

}  // namespace

std::span<const ExpressionRule> ExpressionTable() { return kExpressions; }

const ExpressionRule* FindExpressionRule(std::string_view class_name) {
  static const auto* const by_class = [] {
    auto* map = new std::unordered_map<std::string_view, const ExpressionRule*>();
    for (const ExpressionRule& rule : kExpressions) map->emplace(rule.class_name, &rule);
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
  if (kTimeTypes.has(from)) {
    return to.is(TypeKind::kString) || to.is(TypeKind::kDate) || kTimeTypes.has(to) ||
           (from.is(TypeKind::kTimestamp) && (to.is_integral() || to.is_floating()));
  }
  if (kTimeTypes.has(to)) {
    return from.is(TypeKind::kDate) || (to.is(TypeKind::kTimestamp) && from.is_integral());
  }
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
