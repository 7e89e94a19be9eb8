#include "sql/sql_predicate.h"

#include "expressions/expression.h"
#include "sql/sql_parser.h"

namespace reprise {

Result<ExpressionSpec> ParseSqlPredicate(std::string_view sql, const std::vector<Field>& input) {
  ARROW_ASSIGN_OR_RAISE(std::vector<SqlToken> tokens, SqlTokens(sql));
  ARROW_ASSIGN_OR_RAISE(ExpressionSpec predicate, SqlParser(std::move(tokens), input).Parse());
  RETURN_NOT_OK(MakeExpression(predicate, input));
  return predicate;
}

}  // namespace reprise
