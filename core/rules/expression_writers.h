// How one of Spark's expressions becomes a specification: the writers that the rows of the
// vocabulary name. What they get has the rule's signature.
#pragma once

#include <optional>
#include <vector>

#include "rules/expression_table.h"
#include "rules/expression_translation.h"

namespace reprise::writers {

using Operands = std::vector<ExpressionSpec>;
using Written = std::optional<ExpressionSpec>;

Written Plain(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator);
Written Vanish(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written Column(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written Literal(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator);
Written Arithmetic(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                   ExpressionTranslator& translator);
Written Zoned(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator);
Written Truncated(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator);
Written NextDay(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator);
Written MonthsAdded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                    ExpressionTranslator& translator);
Written IntervalAdded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator);
Written Rounded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator);
Written Whole(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator);
Written Cast(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
             ExpressionTranslator& translator);
Written FormatLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator);
Written ParsedLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator);
Written TextCast(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                 ExpressionTranslator& translator);
Written Shown(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator);
Written In(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
           ExpressionTranslator& translator);
Written InSet(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
              ExpressionTranslator& translator);
Written OverflowChecked(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                        ExpressionTranslator& translator);
Written Seeded(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written LikeLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                    ExpressionTranslator& translator);
Written PatternLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                       ExpressionTranslator& translator);
Written JsonPathLiteral(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                        ExpressionTranslator& translator);
Written Evaluated(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator);
Written FromJson(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                 ExpressionTranslator& translator);
Written ToJson(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written Substring(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator);
Written ScalarSubquery(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                       ExpressionTranslator& translator);
Written LambdaVariable(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                       ExpressionTranslator& translator);
Written Lambda(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written Exists(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written MapOfLiterals(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                      ExpressionTranslator& translator);
Written MapValueOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                   ExpressionTranslator& translator);
Written ElementAt(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                  ExpressionTranslator& translator);
Written ContainedIn(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                    ExpressionTranslator& translator);
Written OfItems(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator);
Written FieldOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                ExpressionTranslator& translator);
Written ItemOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written SizeOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
               ExpressionTranslator& translator);
Written InSubquery(const ExpressionRule& rule, const PlanObject& expression, Operands operands,
                   ExpressionTranslator& translator);

/// The number by which a subquery's result is found when the query runs.
std::optional<int64_t> SubqueryNumber(const PlanObject& expression);

/// The spec of a rule's function over these operands, with the type of the expression.
ExpressionSpec SpecOf(const ExpressionRule& rule, const PlanObject& expression, Operands operands);

/// The value of the operand that the rule's signature calls a literal. Null where what stands there
/// is none.
const PlanValue* LiteralOf(const ExpressionRule& rule, const PlanObject& expression);

/// Refuses an expression whose literal operand is none: "its start is no literal".
std::nullopt_t RefuseLiteral(const ExpressionRule& rule, const PlanObject& expression,
                             ExpressionTranslator& translator);

/// The spec with the rules of the expression's time zone; refused where the plan does not say them.
Written InZone(ExpressionSpec spec, const PlanObject& expression, ExpressionTranslator& translator);

}  // namespace reprise::writers
