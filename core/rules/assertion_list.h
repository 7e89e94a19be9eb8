// The assertions over operators that a user has written down.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "plan/spec.h"
#include "rules/lore_selection.h"

namespace reprise {

/// The setting that has them.
inline constexpr char kAssertKey[] = "spark.reprise.assert";

/// Reads an SQL predicate over columns. The rules know no SQL: whoever calls the planner does
/// (sql/sql_predicate.h). Errors may begin with "character 12: ".
using PredicateReader =
    std::function<Result<ExpressionSpec>(std::string_view sql, const std::vector<Field>& columns)>;

enum class AssertionKind { kForall, kExists, kNoNulls, kUnique, kSorted, kCount };

/// A column in brackets: of unique, no_nulls or sorted.
struct AssertedColumn {
  std::string name;
  size_t begin = 0;  ///< its first byte in the setting
  bool ascending = true;
  bool nulls_first = true;
};

/// One assertion, as it was written.
struct WrittenAssertion {
  LoreChoice choice;
  AssertionKind kind = AssertionKind::kForall;
  std::string text;  ///< behind the operator
  std::string predicate;
  size_t predicate_begin = 0;  ///< its first byte in the setting
  std::vector<AssertedColumn> columns;
  int64_t count_min = 0;
  int64_t count_max = 0;
};

/// Parses spark.reprise.assert: assertions separated by semicolons, which end with the text.
///
///   assertion = operator [ "@output" ] ":" what
///   operator  = id | name "#" occurrence | fingerprint
///   what      = predicate | "forall(" predicate ")" | "exists(" predicate ")"
///             | "unique(" column { "," column } ")" | "no_nulls(" [ column { "," column } ] ")"
///             | "sorted(" column [ "asc" | "desc" ] [ "nulls" ( "first" | "last" ) ] { "," … } ")"
///             | "count" "between" number "and" number
///
/// Words of the grammar are read in any case; columns may stand in backticks. Status::Invalid shows
/// the text with a caret under the character.
Result<std::vector<WrittenAssertion>> ParseAssertions(std::string_view text);

/// The assertion over an operator's columns, as core/operators/output_assertions.h reads it.
/// `setting` is the text that it was parsed from. Status::Invalid points at a column that the
/// operator does not give, that several have the name of, or whose type has no order, and at what
/// the predicate's reader does not take.
Result<nlohmann::json> BindAssertion(const WrittenAssertion& assertion, std::string_view setting,
                                     const std::vector<Field>& output,
                                     const PredicateReader& predicates);

}  // namespace reprise
