#include "cli/operator_text.h"

#include <fmt/ranges.h>

#include "operators/fragment_spec.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

std::string JsonExpressionText(const Json& json, const std::vector<Field>& input) {
  const auto expression = ExpressionSpecFromJson(json);
  return expression.ok() ? ToString(*expression, input) : json.dump();
}

std::vector<std::string> ExpressionTexts(const Json& list, const std::vector<Field>& input) {
  std::vector<std::string> texts;
  for (const auto& expression : list) texts.push_back(JsonExpressionText(expression, input));
  return texts;
}

const Json& MemberOrNull(const Json& object, const char* member) {
  static const Json null;
  const auto found = object.find(member);
  return found == object.end() ? null : *found;
}

std::string AggregateText(const Json& aggregate, const std::vector<Field>& input) {
  if (!aggregate.is_object()) return aggregate.dump();
  const auto inputs = ExpressionTexts(MemberOrNull(aggregate, "inputs"), input);
  std::string text = fmt::format("{} {}({})", aggregate.value("mode", ""),
                                 aggregate.value("function", ""), fmt::join(inputs, ", "));
  const Json& filter = MemberOrNull(aggregate, "filter");
  if (!filter.is_null()) text += " filter " + JsonExpressionText(filter, input);
  return text;
}

// The row to which an aggregate's results are bound: its keys, then each aggregate's result.
std::vector<Field> ResultRow(const OperatorSpec& spec, const std::vector<Field>& input) {
  std::vector<Field> row;
  for (const auto& text : ExpressionTexts(MemberOrNull(spec.arguments, "keys"), input)) {
    row.push_back({text, {}});
  }
  for (const auto& aggregate : MemberOrNull(spec.arguments, "aggregates")) {
    row.push_back({AggregateText(aggregate, input), {}});
  }
  return row;
}

std::string NamesText(const Json& fields) {
  const auto parsed = FieldsFromJson(fields);
  return parsed.ok() ? SchemaText(*parsed) : fields.dump();
}

std::string JsonListText(const Json& list, const std::vector<Field>& input) {
  if (!list.is_array()) return JsonExpressionText(list, input);
  return fmt::format("{}", fmt::join(ExpressionTexts(list, input), ", "));
}

std::string AggregatesText(const Json& aggregates, const std::vector<Field>& input) {
  std::vector<std::string> texts;
  for (const auto& aggregate : aggregates) texts.push_back(AggregateText(aggregate, input));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// A line each: what stands below feeds what is above.
std::vector<std::pair<std::string, std::string>> FragmentLines(const OperatorSpec& spec) {
  const auto operators = OperatorsOfFragment(spec);
  if (!operators.ok()) return {{"operators", operators.status().message()}};
  std::vector<std::pair<std::string, std::string>> lines;
  for (const FragmentOperator& one : *operators) {
    lines.emplace_back(
        lines.empty() ? "operators" : "",
        fmt::format("{:{}}{} [loreId={}]", "", one.depth * 2, one.spec.name, one.spec.lore_id));
  }
  return lines;
}

}  // namespace

std::string SchemaText(const std::vector<Field>& fields) {
  if (fields.empty()) return "no columns";
  std::vector<std::string> texts;
  for (const Field& field : fields) {
    texts.push_back(fmt::format("{} {}{}", field.name, field.type.ToString(),
                                field.nullable ? "" : " not null"));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string OperatorLabel(const OperatorSpec& spec) {
  if (spec.kind != kFragmentKind) return spec.occurrence;
  const auto operators = OperatorsOfFragment(spec);
  if (!operators.ok()) return spec.occurrence;
  return fmt::format("{} and {} below", spec.occurrence, operators->size() - 1);
}

std::vector<std::pair<std::string, std::string>> ArgumentLines(const OperatorSpec& spec) {
  const std::vector<Field> input = spec.inputs.empty() ? spec.output : spec.inputs[0];
  std::vector<std::pair<std::string, std::string>> lines;
  if (spec.kind == kFragmentKind) return FragmentLines(spec);
  for (const auto& [name, value] : spec.arguments.items()) {
    if (name == "condition" || name == "expressions" || name == "keys" || name == "pruning") {
      lines.emplace_back(name, JsonListText(value, input));
    } else if (name == "aggregates") {
      lines.emplace_back(name, AggregatesText(value, input));
    } else if (name == "results") {
      lines.emplace_back(name, JsonListText(value, ResultRow(spec, input)));
    } else if (name == "columns" || name == "partitionColumns") {
      lines.emplace_back(name, NamesText(value));
    } else {
      lines.emplace_back(name, value.dump());
    }
  }
  return lines;
}

}  // namespace reprise
