// Which of Spark's expressions run natively, and how each is written as a spec: one literal table
// that drives planning, explain and the reference page alike.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "plan/spec.h"

namespace reprise {

class ExpressionTranslator;

/// A set of kinds of types.
struct TypeSet {
  uint32_t bits = 0;

  constexpr bool has(TypeKind kind) const { return (bits >> static_cast<uint32_t>(kind)) & 1; }
  bool has(const DataType& type) const { return has(type.kind); }
  constexpr TypeSet operator|(TypeSet other) const { return {bits | other.bits}; }
};

constexpr TypeSet TypesOf(std::initializer_list<TypeKind> kinds) {
  TypeSet set;
  for (const TypeKind kind : kinds) set.bits |= 1u << static_cast<uint32_t>(kind);
  return set;
}

inline constexpr TypeSet kBooleanTypes = TypesOf({TypeKind::kBoolean});
inline constexpr TypeSet kIntegralTypes =
    TypesOf({TypeKind::kByte, TypeKind::kShort, TypeKind::kInteger, TypeKind::kLong});
inline constexpr TypeSet kFloatingTypes = TypesOf({TypeKind::kFloat, TypeKind::kDouble});
inline constexpr TypeSet kDecimalTypes = TypesOf({TypeKind::kDecimal});
inline constexpr TypeSet kNumericTypes = kIntegralTypes | kFloatingTypes | kDecimalTypes;
inline constexpr TypeSet kTimeTypes = TypesOf({TypeKind::kTimestamp, TypeKind::kTimestampNtz});
inline constexpr TypeSet kAllTypes =
    kBooleanTypes | kNumericTypes | kTimeTypes |
    TypesOf({TypeKind::kString, TypeKind::kBinary, TypeKind::kDate});

/// "boolean, tinyint, … " in the order of TypeKind.
std::string TypeSetText(TypeSet types);

/// One of Spark's expressions. `write` is called with the operands already translated and of the
/// rule's types; it returns nothing after it has told the translator why.
struct ExpressionRule {
  using Writer = std::optional<ExpressionSpec> (*)(const ExpressionRule& rule,
                                                   const PlanObject& expression,
                                                   std::vector<ExpressionSpec> operands,
                                                   ExpressionTranslator& translator);
  std::string_view class_name;  ///< full
  std::string_view function;    ///< of the vocabulary of specs; "" where the expression vanishes
  TypeSet operand_types;
  Writer write;
  std::string_view notes;  ///< limits, for the reference page
  /// The second operand, a literal of whatever type, is left to the writer.
  bool second_is_literal = false;
  /// The only operand, of whatever type, is left to the writer.
  bool operand_is_left = false;
};

std::span<const ExpressionRule> ExpressionTable();

/// The rule of a class, or nullptr.
const ExpressionRule* FindExpressionRule(std::string_view class_name);

/// Why a class that the table does not have is refused: a particular reason where one is known.
std::string ReasonWithoutRule(std::string_view class_name);

/// Casts that equal Spark's: true where values of `from` can be cast to `to`.
bool IsNativeCast(const DataType& from, const DataType& to);

/// Reads Spark's evaluation mode from an expression's arguments (evalContext, evalMode,
/// failOnError): true for ANSI, false for legacy, nothing where it is TRY or cannot be read.
std::optional<bool> AnsiOf(const PlanObject& expression);

/// Why AnsiOf gave nothing.
std::string ReasonWithoutMode(const PlanObject& expression);

/// A literal of `type` from Spark's internal value (days for dates, unscaled text for decimals …);
/// Status::NotImplemented says why the value has no native form.
Result<ExpressionSpec> LiteralSpec(const PlanValue& value, const DataType& type);

/// A copy of the column as a spec.
ExpressionSpec ColumnSpec(int index, const Field& field);

}  // namespace reprise
