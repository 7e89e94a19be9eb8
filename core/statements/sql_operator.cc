#include "statements/sql_operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "operators/join/join_spec.h"
#include "operators/spec_members.h"
#include "statements/sql_aggregate.h"
#include "statements/sql_expression.h"
#include "statements/sql_value.h"
#include "statements/sql_window.h"

namespace reprise {

namespace {

using Texts = std::vector<std::string>;
using Inputs = std::vector<SqlInput>;

// Its rows, with the names of the output, which may have fewer columns.
std::string Handed(const OperatorSpec& spec, const SqlInput& input) {
  Texts columns = input.columns;
  columns.resize(std::min(columns.size(), spec.output.size()));
  return fmt::format("SELECT {}\nFROM {}", SqlItems(columns, spec.output), input.name);
}

Result<std::string> OfFilter(const OperatorSpec& spec, const Inputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const auto condition, ExpressionMember(spec.arguments, "condition"));
  ARROW_ASSIGN_OR_RAISE(const std::string text, SqlOfExpression(condition, inputs[0].columns));
  return Handed(spec, inputs[0]) + "\nWHERE " + text;
}

Result<std::string> Projected(const std::vector<ExpressionSpec>& expressions,
                              const OperatorSpec& spec, const SqlInput& input) {
  ARROW_ASSIGN_OR_RAISE(const Texts items, SqlOfExpressions(expressions, input.columns));
  return fmt::format("SELECT {}\nFROM {}", SqlItems(items, spec.output), input.name);
}

Result<std::string> OfProject(const OperatorSpec& spec, const Inputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const auto expressions, ExpressionsMember(spec.arguments, "expressions"));
  return Projected(expressions, spec, inputs[0]);
}

Result<std::string> OfAggregate(const OperatorSpec& spec, const Inputs& inputs) {
  return SqlOfAggregate(spec, inputs[0]);
}

Result<std::string> OfWindow(const OperatorSpec& spec, const Inputs& inputs) {
  return SqlOfWindow(spec, inputs[0]);
}

Result<std::string> OfGroupLimit(const OperatorSpec& spec, const Inputs& inputs) {
  return SqlOfGroupLimit(spec, inputs[0]);
}

Result<std::string> OrderOf(const OperatorSpec& spec, const SqlInput& input) {
  ARROW_ASSIGN_OR_RAISE(const auto keys, OrderKeysMember(spec.arguments, "ordering"));
  ARROW_ASSIGN_OR_RAISE(const std::string order, SqlOfOrder(keys, input.columns));
  return order.empty() ? "" : "\nORDER BY " + order;
}

Result<std::string> OfSort(const OperatorSpec& spec, const Inputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const std::string order, OrderOf(spec, inputs[0]));
  return fmt::format(
      "SELECT {}\nFROM (\n  SELECT *\n  FROM {}{}\n)",
      SqlItems({inputs[0].columns.begin(),
                inputs[0].columns.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                spec.output.size(), inputs[0].columns.size()))},
               spec.output),
      inputs[0].name, order);
}

// "LIMIT 3 OFFSET 2": of the first five rows those behind the second.
Result<std::string> LimitOf(const OperatorSpec& spec) {
  ARROW_ASSIGN_OR_RAISE(const int64_t limit, IntegerMember(spec.arguments, "limit"));
  ARROW_ASSIGN_OR_RAISE(const int64_t offset, IntegerMember(spec.arguments, "offset"));
  std::string text;
  if (limit >= 0) text = fmt::format("\nLIMIT {}", std::max<int64_t>(limit - offset, 0));
  if (offset > 0) text += fmt::format("\nOFFSET {}", offset);
  return text;
}

Result<std::string> OfLimit(const OperatorSpec& spec, const Inputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const std::string limit, LimitOf(spec));
  return Handed(spec, inputs[0]) + limit;
}

Result<std::string> OfTakeOrdered(const OperatorSpec& spec, const Inputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const std::string order, OrderOf(spec, inputs[0]));
  ARROW_ASSIGN_OR_RAISE(const std::string limit, LimitOf(spec));
  const std::string rows = fmt::format("(\nSELECT *\nFROM {}{}{}\n)", inputs[0].name, order, limit);
  if (spec.arguments.value("project", nlohmann::json()).is_null()) {
    return Handed(spec, {rows, inputs[0].columns});
  }
  ARROW_ASSIGN_OR_RAISE(const auto project, ExpressionsMember(spec.arguments, "project"));
  return Projected(project, spec, {rows, inputs[0].columns});
}

Result<std::string> OfExpand(const OperatorSpec& spec, const Inputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const auto* projections, ArrayMember(spec.arguments, "projections"));
  Texts statements;
  for (const auto& json : *projections) {
    std::vector<ExpressionSpec> projection;
    for (const auto& item : json) {
      ARROW_ASSIGN_OR_RAISE(projection.emplace_back(), ExpressionSpecFromJson(item));
    }
    ARROW_ASSIGN_OR_RAISE(statements.emplace_back(), Projected(projection, spec, inputs[0]));
  }
  return fmt::format("{}", fmt::join(statements, "\nUNION ALL\n"));
}

struct GivesFunction {
  std::string_view gives;
  bool has_position;
  std::string_view function;
};

constexpr GivesFunction kGivesFunctions[] = {
    {"elements", false, "explode"}, {"elements", true, "posexplode"},
    {"entries", false, "explode"},  {"entries", true, "posexplode"},
    {"fields", false, "inline"},
};

Result<std::string> OfGenerate(const OperatorSpec& spec, const Inputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const auto collection, ExpressionMember(spec.arguments, "collection"));
  ARROW_ASSIGN_OR_RAISE(const std::string text, SqlOfExpression(collection, inputs[0].columns));
  ARROW_ASSIGN_OR_RAISE(const std::string gives, StringMember(spec.arguments, "gives"));
  ARROW_ASSIGN_OR_RAISE(const bool has_position, BooleanMember(spec.arguments, "position"));
  ARROW_ASSIGN_OR_RAISE(const bool is_outer, BooleanMember(spec.arguments, "outer"));
  ARROW_ASSIGN_OR_RAISE(const auto numbers,
                        ColumnNumbersMember(spec.arguments, "columns", inputs[0].columns.size()));
  const auto* function = std::ranges::find_if(kGivesFunctions, [&](const GivesFunction& candidate) {
    return candidate.gives == gives && candidate.has_position == has_position;
  });
  if (function == std::end(kGivesFunctions)) {
    return Status::NotImplemented("fields with their numbers have no form in Spark's SQL");
  }
  Texts items;
  for (const int number : numbers) items.push_back(inputs[0].columns[static_cast<size_t>(number)]);
  Texts names;
  for (size_t i = numbers.size(); i < spec.output.size(); ++i) {
    names.push_back(fmt::format("item_{}", i - numbers.size()));
    items.push_back(names.back());
  }
  return fmt::format("SELECT {}\nFROM {} LATERAL VIEW {}{}({}) items AS {}",
                     SqlItems(items, spec.output), inputs[0].name, is_outer ? "OUTER " : "",
                     function->function, text, fmt::join(names, ", "));
}

Result<std::string> OfUnion(const OperatorSpec& spec, const Inputs& inputs) {
  Texts statements;
  for (const SqlInput& input : inputs) statements.push_back(Handed(spec, input));
  return fmt::format("{}", fmt::join(statements, "\nUNION ALL\n"));
}

// Its rows with the numbers of the partitions to which Spark sends them.
Result<std::string> OfShuffle(const OperatorSpec& spec, const Inputs& inputs) {
  if (!spec.arguments.contains("tellsPartitions")) return OfUnion(spec, inputs);
  ARROW_ASSIGN_OR_RAISE(const auto* partitioning, Member(spec.arguments, "partitioning"));
  ARROW_ASSIGN_OR_RAISE(const int64_t count, IntegerMember(spec.arguments, "numPartitions"));
  ARROW_ASSIGN_OR_RAISE(const std::string type, StringMember(*partitioning, "type"));
  std::string number = "0";
  if (type == "hash") {
    ARROW_ASSIGN_OR_RAISE(const auto keys, ExpressionsMember(*partitioning, "expressions"));
    ARROW_ASSIGN_OR_RAISE(const Texts texts, SqlOfExpressions(keys, inputs[0].columns));
    number = fmt::format("pmod(hash({}), {})", fmt::join(texts, ", "), count);
  } else if (type != "single") {
    return Status::NotImplemented("to which partition a row of a ", type,
                                  " partitioning goes has no form in SQL");
  }
  Texts items = inputs[0].columns;
  items.resize(spec.output.size() - 1);
  items.push_back(std::move(number));
  return fmt::format("SELECT {}\nFROM {}", SqlItems(items, spec.output), inputs[0].name);
}

// "l.`a`": the columns of one side of a join.
Texts Qualified(std::string_view side, const Texts& columns) {
  Texts texts;
  for (const std::string& column : columns) texts.push_back(fmt::format("{}.{}", side, column));
  return texts;
}

struct Sides {
  Texts left;
  Texts right;
};

// What rows match by; "" where all do.
Result<std::string> MatchOf(const JoinSpec& join, const Sides& sides) {
  ARROW_ASSIGN_OR_RAISE(const Texts left, SqlOfExpressions(join.left_keys, sides.left));
  ARROW_ASSIGN_OR_RAISE(const Texts right, SqlOfExpressions(join.right_keys, sides.right));
  Texts conditions;
  for (size_t i = 0; i < left.size(); ++i) {
    conditions.push_back(fmt::format("{} = {}", left[i], right[i]));
  }
  if (join.condition) {
    Texts both = sides.left;
    both.insert(both.end(), sides.right.begin(), sides.right.end());
    ARROW_ASSIGN_OR_RAISE(conditions.emplace_back(), SqlOfExpression(*join.condition, both));
  }
  return fmt::format("{}", fmt::join(conditions, " AND "));
}

std::string_view WordOf(JoinType type) {
  switch (type) {
    case JoinType::kLeft:
      return "LEFT";
    case JoinType::kRight:
      return "RIGHT";
    case JoinType::kFull:
      return "FULL";
    case JoinType::kSemi:
      return "LEFT SEMI";
    case JoinType::kAnti:
      return "LEFT ANTI";
    default:
      return "INNER";
  }
}

Result<std::string> OfJoin(const OperatorSpec& spec, const Inputs& inputs, bool keyed) {
  ARROW_ASSIGN_OR_RAISE(const JoinSpec join, ReadJoinSpec(spec, keyed));
  if (join.guest) {
    return Status::NotImplemented("its condition is one that Spark's own code evaluates");
  }
  const Sides sides{Qualified("l", inputs[0].columns), Qualified("r", inputs[1].columns)};
  ARROW_ASSIGN_OR_RAISE(const std::string match, MatchOf(join, sides));
  Texts items = sides.left;
  items.resize(items.size() - join.dropped[0]);
  if (!join.is_membership()) {
    items.insert(items.end(), sides.right.begin(),
                 sides.right.end() - static_cast<std::ptrdiff_t>(join.dropped[1]));
  }
  const std::string_view condition = match.empty() ? "true" : std::string_view(match);
  if (join.type == JoinType::kExistence) {
    items.push_back(fmt::format("EXISTS (SELECT 1 FROM {} r WHERE {})", inputs[1].name, condition));
    return fmt::format("SELECT {}\nFROM {} l", SqlItems(items, spec.output), inputs[0].name);
  }
  if (join.null_aware) {
    ARROW_ASSIGN_OR_RAISE(const Texts left, SqlOfExpressions(join.left_keys, sides.left));
    ARROW_ASSIGN_OR_RAISE(const Texts right, SqlOfExpressions(join.right_keys, sides.right));
    return fmt::format("SELECT {}\nFROM {} l\nWHERE {} NOT IN (SELECT {} FROM {} r)",
                       SqlItems(items, spec.output), inputs[0].name, left[0], right[0],
                       inputs[1].name);
  }
  return fmt::format("SELECT {}\nFROM {} l {} JOIN {} r\nON {}", SqlItems(items, spec.output),
                     inputs[0].name, WordOf(join.type), inputs[1].name, condition);
}

Result<std::string> OfHashJoin(const OperatorSpec& spec, const Inputs& inputs) {
  return OfJoin(spec, inputs, true);
}
Result<std::string> OfNestedLoopJoin(const OperatorSpec& spec, const Inputs& inputs) {
  return OfJoin(spec, inputs, false);
}

struct KindForm {
  std::string_view kind;
  size_t inputs;
  Result<std::string> (*write)(const OperatorSpec& spec, const Inputs& inputs);
};

constexpr KindForm kKindForms[] = {
    {"filter", 1, OfFilter},
    {"project", 1, OfProject},
    {"hash_aggregate", 1, OfAggregate},
    {"hash_join", 2, OfHashJoin},
    {"nested_loop_join", 2, OfNestedLoopJoin},
    {"sort", 1, OfSort},
    {"take_ordered", 1, OfTakeOrdered},
    {"limit", 1, OfLimit},
    {"window", 1, OfWindow},
    {"window_group_limit", 1, OfGroupLimit},
    {"expand", 1, OfExpand},
    {"generate", 1, OfGenerate},
    {"union", 1, OfUnion},
    {"coalesce", 1, OfUnion},
    {"shuffle_write", 1, OfShuffle},
    {"parquet_write", 1, OfUnion},
};

struct KindReason {
  std::string_view kind;
  std::string_view reason;
};

constexpr KindReason kReasons[] = {
    {"spark", "Spark's own code runs it, and the dump holds its objects, no expressions"},
    {"sample", "which rows it draws depends on their order and on Java's random numbers"},
    {"matched_rows", "it numbers the rows of one side that have a match"},
    {"unmatched_rows", "it reads the numbers of the rows that have a match"},
    {"fragment", "it is several operators: dump the one that you want"},
    {"guest_project", "Spark's own code computes its columns"},
    {"python_batches", "Python computes its columns"},
};

}  // namespace

Result<std::string> SqlOfOperator(const OperatorSpec& spec, const Inputs& inputs) {
  const auto* reason = std::ranges::find(kReasons, spec.kind, &KindReason::kind);
  if (reason != std::end(kReasons)) return Status::NotImplemented(reason->reason);
  if (spec.inputs.empty()) return Status::NotImplemented("it reads no rows of another operator");
  const auto* form = std::ranges::find(kKindForms, spec.kind, &KindForm::kind);
  if (form == std::end(kKindForms)) {
    return Status::NotImplemented("operators of the kind ", spec.kind, " have no form in SQL");
  }
  if (inputs.size() < form->inputs) {
    return Status::Invalid("it has ", inputs.size(), " inputs; expected ", form->inputs);
  }
  return form->write(spec, inputs);
}

}  // namespace reprise
