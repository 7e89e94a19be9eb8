// Which of Spark's expressions run natively, and how each is written as a spec: the rows of the
// vocabulary, which drive planning, explain and the reference page alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "plan/spec.h"
#include "vocabulary/signature.h"

namespace reprise {

class ExpressionTranslator;

/// One of Spark's expressions. `write` is called with the operands already translated and of types
/// that the signature has at their places, those aside that it says are literals; it returns
/// nothing after it has told the translator why.
struct ExpressionRule {
  using Writer = std::optional<ExpressionSpec> (*)(const ExpressionRule& rule,
                                                   const PlanObject& expression,
                                                   std::vector<ExpressionSpec> operands,
                                                   ExpressionTranslator& translator);
  std::string_view class_name;  ///< full
  std::string_view function;    ///< of the vocabulary; "" where the expression vanishes
  std::string_view signature_text;
  Writer write;
  std::string_view limits;  ///< for the reference page
  bool is_tried;            ///< it leaves some values in doubt, for Spark to evaluate
  Signature signature;
};

std::span<const ExpressionRule> ExpressionTable();

/// The rule of a class, or nullptr: of one that is always native.
const ExpressionRule* FindExpressionRule(std::string_view class_name);

/// The same of a class that is tried where it is a guest's.
const ExpressionRule* FindTriedRule(std::string_view class_name);

/// Why a class that the table does not have is refused: a particular reason where one is known.
std::string ReasonWithoutRule(std::string_view class_name);

/// Whether that reason is that the class is not deterministic.
bool IsNondeterministic(std::string_view class_name);

/// Reads Spark's evaluation mode from an expression's arguments (evalContext, evalMode,
/// failOnError): true for ANSI, false for legacy, nothing where it is TRY or cannot be read.
std::optional<bool> AnsiOf(const PlanObject& expression);

/// Why AnsiOf gave nothing.
std::string ReasonWithoutMode(const PlanObject& expression);

/// A literal of `type` from Spark's internal value (days for dates, unscaled text for decimals …);
/// Status::NotImplemented says why the value has no native form.
Result<ExpressionSpec> LiteralSpec(const PlanValue& value, const DataType& type);

/// A double as a plan writes it, by Java's toString. Nothing where the text is none.
std::optional<double> ParseDouble(std::string_view text);

/// A copy of the column as a spec.
ExpressionSpec ColumnSpec(int index, const Field& field);

}  // namespace reprise
