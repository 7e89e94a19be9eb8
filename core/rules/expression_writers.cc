#include "rules/expression_writers.h"

#include <algorithm>

#include "plan/decimal_form.h"
#include "plan/java_pattern.h"
#include "plan/json_path.h"
#include "plan/json_tree.h"
#include "plan/like_pattern.h"
#include "plan/string_literal.h"
#include "plan/value_form.h"
#include "vocabulary/casts.h"
#include "vocabulary/text_types.h"

namespace reprise::writers {

namespace {

/// Spark casts some decimals by another rule than others, and of this one only its rows could tell.
bool IsRoundedByRow(const ExpressionSpec& operand, const DataType& to) {
  return operand.type.is(TypeKind::kDecimal) && to.is_integral() && !to.is(TypeKind::kLong) &&
         operand.type.scale > 0 && operand.type.precision > kFormlessDigits &&
         DecimalFormOf(operand).kind == DecimalForm::Kind::kMixed;
}

/// The cast, of a pair of types that CanCast knows, under the evaluation mode and in the
/// expression's zone.
Written CastUnder(bool ansi, ExpressionSpec cast, const PlanObject& expression,
                  ExpressionTranslator& translator) {
  const DataType& from = cast.arguments[0].type;
  if (from.is(TypeKind::kDate) && cast.type.is(TypeKind::kString) &&
      translator.has_legacy_dates()) {
    return translator.Refuse(expression,
                             "spark.sql.legacy.timeParserPolicy=LEGACY is not supported natively");
  }
  cast.attributes["ansi"] = ansi;
  if (!kTimeTypes.has(from) && !kTimeTypes.has(cast.type)) return cast;
  return InZone(std::move(cast), expression, translator);
}

/// The value of a string that is a literal and not null.
std::optional<std::string> LiteralBytes(const ExpressionSpec& operand) {
  if (operand.function != "literal") return std::nullopt;
  return StringLiteralBytes(operand.attributes.at("value"));
}

bool IsShortInteger(const DataType& type) {
  return type.is(TypeKind::kByte) || type.is(TypeKind::kShort);
}

}  // namespace

std::optional<int64_t> SubqueryNumber(const PlanObject& expression) {
  const PlanValue* id = expression.argument("exprId");
  if (id != nullptr && id->is(PlanValue::Kind::kInteger)) return id->integer;
  return std::nullopt;
}

ExpressionSpec SpecOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands) {
  ExpressionSpec spec;
  spec.function = rule.function;
  spec.type = *expression.type;
  spec.nullable = expression.nullable;
  const PlanValue* context = expression.argument("context");
  if (context != nullptr) spec.attributes["context"] = context->text;
  spec.arguments = std::move(operands);
  return spec;
}

const PlanValue* LiteralOf(const ExpressionRule& rule, const PlanObject& expression) {
  const auto place = rule.signature.literal();
  const PlanObject* child = place ? expression.child(place->first) : nullptr;
  if (child == nullptr || ShortClassName(child->class_name) != "Literal") return nullptr;
  return child->argument("value");
}

std::nullopt_t RefuseLiteral(const ExpressionRule& rule, const PlanObject& expression,
                             ExpressionTranslator& translator) {
  const auto place = rule.signature.literal();
  return translator.Refuse(expression,
                           fmt::format("its {} is no literal", place ? place->second : "value"));
}

/// The function over its operands. A literal operand is an attribute by its name.
Written Plain(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  const auto place = rule.signature.literal();
  if (!place) return spec;
  const PlanValue* value = LiteralOf(rule, expression);
  nlohmann::json& attribute = spec.attributes[std::string(place->second)];
  if (value != nullptr && value->is(PlanValue::Kind::kInteger)) {
    attribute = value->integer;
  } else if (value != nullptr && value->is(PlanValue::Kind::kBoolean)) {
    attribute = value->boolean;
  } else {
    return RefuseLiteral(rule, expression, translator);
  }
  return spec;
}

/// Aliases and markers: the operand itself.
Written Vanish(const ExpressionRule&, const PlanObject&, Operands operands, ExpressionTranslator&) {
  return std::move(operands[0]);
}

Written Column(const ExpressionRule&, const PlanObject& expression, Operands,
               ExpressionTranslator& translator) {
  const auto attribute = AttributeOf(expression);
  const int index = attribute ? translator.binding().IndexOf(attribute->expr_id) : -1;
  if (index < 0) return translator.Refuse(expression, "it is not a column of the input");
  const Field& field = translator.binding().fields()[static_cast<size_t>(index)];
  if (!HaveSameForm(field.type, attribute->type)) {
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

/// Arithmetic, or what else fails by Spark's evaluation mode.
Written Arithmetic(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                   ExpressionTranslator& translator) {
  const auto ansi = AnsiOf(expression);
  if (!ansi) return translator.Refuse(expression, ReasonWithoutMode(expression));
  const bool is_sign = rule.function == "negate" || rule.function == "abs";
  if (*ansi && is_sign && translator.is_before_spark_4() && IsShortInteger(operands[0].type)) {
    return translator.Refuse(expression, "before Spark 4 its overflow is another error");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["ansi"] = *ansi;
  return spec;
}

Written Cast(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
             ExpressionTranslator& translator) {
  const auto ansi = AnsiOf(expression);
  if (!ansi) return translator.Refuse(expression, ReasonWithoutMode(expression));
  if (operands[0].type == *expression.type) return std::move(operands[0]);
  if (!CanCast(operands[0].type, *expression.type)) {
    return translator.Refuse(
        expression, fmt::format("{} to {} is not supported natively", TypeText(operands[0].type),
                                TypeText(*expression.type)));
  }
  if (!*ansi && translator.is_before_spark_4() && operands[0].type.is(TypeKind::kTimestamp) &&
      expression.type->is_integral() && !expression.type->is(TypeKind::kLong)) {
    return translator.Refuse(
        expression,
        "before Spark 4 seconds that do not fit are wrapped, which is not done natively");
  }
  if (*ansi && IsRoundedByRow(operands[0], *expression.type)) {
    return translator.Refuse(expression, "whether Spark rounds it differs from row to row");
  }
  return CastUnder(*ansi, SpecOf(rule, expression, std::move(operands)), expression, translator);
}

/// A cast of a string that is tried: whatever the mode, what cannot be cast is left to Spark.
Written TextCast(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                 ExpressionTranslator& translator) {
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  const bool is_instant = expression.type->is(TypeKind::kTimestamp);
  return is_instant ? InZone(std::move(spec), expression, translator) : std::optional(spec);
}

/// ToPrettyString(child): the text of a cast with decimals in plain digits, as a cast under ANSI
/// mode gives them, and NULL for null: what Dataset.show() prints.
Written Shown(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  ExpressionSpec text = std::move(operands[0]);
  if (text.type != *expression.type) {
    if (!CanCast(text.type, *expression.type)) {
      return translator.Refuse(
          expression, fmt::format("text of {} is not supported natively", TypeText(text.type)));
    }
    ExpressionSpec cast;
    cast.function = "cast";
    cast.type = *expression.type;
    cast.nullable = text.nullable;
    cast.arguments.push_back(std::move(text));
    Written plain = CastUnder(true, std::move(cast), expression, translator);
    if (!plain) return std::nullopt;
    text = std::move(*plain);
  }
  if (!text.nullable) return text;
  ExpressionSpec null_text;
  null_text.function = "literal";
  null_text.type = *expression.type;
  null_text.nullable = false;
  null_text.attributes["value"] = "NULL";
  return SpecOf(rule, expression, {std::move(text), std::move(null_text)});
}

Written In(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
           ExpressionTranslator& translator) {
  for (size_t i = 1; i < operands.size(); ++i) {
    if (operands[i].function == "literal") continue;
    return translator.Refuse(expression,
                             "a list with more than literals is not supported natively");
  }
  return SpecOf(rule, expression, std::move(operands));
}

/// InSet(child, hset): the optimizer's form of a long IN list; its values are Spark's internal
/// ones.
Written InSet(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator) {
  const PlanValue* set = expression.argument("hset");
  if (set == nullptr || !set->is(PlanValue::Kind::kList)) {
    return translator.Refuse(expression, "its set of values is not part of the plan");
  }
  const DataType type = operands[0].type;
  for (const PlanValue& value : set->items) {
    auto literal = LiteralSpec(value, type);
    if (!literal.ok()) return translator.Refuse(expression, literal.status().message());
    operands.push_back(std::move(*literal));
  }
  return SpecOf(rule, expression, std::move(operands));
}

/// MakeDecimal and CheckOverflow: null or an error where the value does not fit, as
/// `nullOnOverflow` says.
Written OverflowChecked(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                        ExpressionTranslator& translator) {
  const PlanValue* null_on_overflow = expression.argument("nullOnOverflow");
  if (null_on_overflow == nullptr || !null_on_overflow->is(PlanValue::Kind::kBoolean)) {
    return translator.Refuse(expression, "what it does on overflow is not known");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["null_on_overflow"] = null_on_overflow->boolean;
  return spec;
}

/// Hashes, and the seed of the first.
Written Seeded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator) {
  for (const ExpressionSpec& operand : operands) {
    if (IsHashable(operand.type)) continue;
    return translator.Refuse(expression,
                             TypeText(operand.type) + " operands are not supported natively");
  }
  const PlanValue* seed = expression.argument("seed");
  if (seed == nullptr || !seed->is(PlanValue::Kind::kInteger)) {
    return translator.Refuse(expression, "its seed is not known");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["seed"] = seed->integer;
  return spec;
}

/// Like(left, right, escapeChar) with a pattern that Spark takes.
Written LikeLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                    ExpressionTranslator& translator) {
  const PlanValue* escape = expression.argument("escapeChar");
  if (escape == nullptr || !escape->is(PlanValue::Kind::kString)) {
    return translator.Refuse(expression, "its escape character is not part of the plan");
  }
  const auto value = LiteralBytes(operands[1]);
  if (!value) {
    return translator.Refuse(expression, "a pattern that is no literal is not supported natively");
  }
  const auto pattern = LikePattern::Parse(*value, escape->text);
  if (!pattern.ok()) return translator.Refuse(expression, pattern.status().message());
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  spec.attributes["escape"] = escape->text;
  return spec;
}

/// A regular expression as the second operand, which Java and PCRE2 read alike.
Written PatternLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                       ExpressionTranslator& translator) {
  const auto value = LiteralBytes(operands[1]);
  const auto pattern = value ? JavaPattern::Read(*value) : std::nullopt;
  if (!pattern || (rule.function == "split" && pattern->can_be_empty)) {
    return translator.Refuse(expression, "it is not sure what Java finds by its pattern");
  }
  return SpecOf(rule, expression, std::move(operands));
}

namespace {

bool HasNoOptions(const PlanObject& object) {
  const PlanValue* options = object.argument("options");
  return options != nullptr && options->is(PlanValue::Kind::kMap) && options->items.empty();
}

}  // namespace

/// StructsToJson(options, child, timeZoneId), or an evaluator with the same options.
Written ToJson(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator) {
  const PlanValue* evaluator = LiteralOf(rule, expression);
  const bool is_invoked = evaluator != nullptr && evaluator->object != nullptr;
  if (!HasNoOptions(is_invoked ? *evaluator->object : expression)) {
    return translator.Refuse(expression, "its options are not supported natively");
  }
  const auto type = WrittenJsonTree(operands[0].type);
  if (!type || type->form != NestedType::Form::kStruct) {
    return translator.Refuse(expression,
                             TypeText(operands[0].type) + " of it is not supported natively");
  }
  return SpecOf(rule, expression, std::move(operands));
}

/// A method of an object that evaluates a function and knows no more than the operands say.
Written Evaluated(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator&) {
  return SpecOf(rule, expression, std::move(operands));
}

/// JsonToStructs(schema, options, child, timeZoneId, …): without options, into a struct of types
/// whose values are sure. A column for what cannot be read would be another field to Spark.
Written FromJson(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                 ExpressionTranslator& translator) {
  if (!HasNoOptions(expression)) {
    return translator.Refuse(expression, "its options are not supported natively");
  }
  const auto type = JsonTextTree(*expression.type);
  if (!type || type->form != NestedType::Form::kStruct ||
      static_cast<const arrow::StructType&>(*type->arrow)
              .GetFieldIndex(std::string(translator.name_of_corrupt_records())) >= 0) {
    return translator.Refuse(expression,
                             TypeText(*expression.type) + " of it is not supported natively");
  }
  ExpressionSpec spec = SpecOf(rule, expression, std::move(operands));
  const auto is_no_time = [](const NestedType& leaf) {
    return !leaf.type.is(TypeKind::kDate) && !kTimeTypes.has(leaf.type);
  };
  if (ConsistsOf(*type, is_no_time)) return spec;
  if (translator.has_legacy_dates()) {
    return translator.Refuse(expression,
                             "spark.sql.legacy.timeParserPolicy=LEGACY is not supported natively");
  }
  return InZone(std::move(spec), expression, translator);
}

/// A path into JSON as the second operand, of names and indexes.
Written JsonPathLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                        ExpressionTranslator& translator) {
  const auto value = LiteralBytes(operands[1]);
  if (!value || !ReadJsonPath(*value)) {
    return translator.Refuse(expression, "its path has more than names and indexes");
  }
  return SpecOf(rule, expression, std::move(operands));
}

/// Substring(str, pos, len) of a string.
Written Substring(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator) {
  for (size_t i = 1; i < 3; ++i) {
    if (operands[i].function == "literal" || operands[i].function == "column") continue;
    return translator.Refuse(expression, "position and length must be integer columns or literals");
  }
  return SpecOf(rule, expression, std::move(operands));
}

/// execution.ScalarSubquery: a literal once the subquery has run.
Written ScalarSubquery(const ExpressionRule& rule, const PlanObject& expression, Operands,
                       ExpressionTranslator& translator) {
  const auto number = SubqueryNumber(expression);
  if (!number) return translator.Refuse(expression, "its number is not part of the plan");
  ExpressionSpec spec = SpecOf(rule, expression, {});
  spec.attributes["id"] = *number;
  return spec;
}

/// InSubqueryExec(child, plan, exprId): a list of literals once the subquery has run.
Written InSubquery(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                   ExpressionTranslator& translator) {
  const auto number = SubqueryNumber(expression);
  if (!number) return translator.Refuse(expression, "its number is not part of the plan");
  ExpressionSpec values;
  values.function = "runtime_values";
  values.type = operands[0].type;
  values.attributes["id"] = *number;
  operands.push_back(std::move(values));
  return SpecOf(rule, expression, std::move(operands));
}

}  // namespace reprise::writers
