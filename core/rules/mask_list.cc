#include "rules/mask_list.h"

#include "plan/mask_kind.h"

namespace reprise {

namespace {

constexpr std::string_view kMaskKey = "spark.reprise.lore.mask";

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

Status Wrong(std::string_view text, size_t at, std::string_view what) {
  return Status::Invalid(kMaskKey, ": ", what, " at character ", at + 1, " of \"", text,
                         "\"; expected column:hash, column:null or column:shuffle, separated by "
                         "commas");
}

// The end of an entry: the next comma outside of backticks.
size_t EndOfEntry(std::string_view text, size_t at) {
  bool quoted = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '`') quoted = !quoted;
    if (text[at] == ',' && !quoted) break;
  }
  return at;
}

void AddColumnsNamed(std::string_view name, const PlanNode& node, std::vector<Attribute>* columns) {
  for (const PlanValue& value : node.output) {
    const auto column = AttributeOf(value);
    if (column && SameColumnName(column->name, name)) columns->push_back(*column);
  }
}

/// Whether the files that the node reads have a column of the name, wanted or not.
bool IsInFilesOf(const PlanNode& node, std::string_view name) {
  const PlanValue* relation = node.argument("relation");
  if (relation == nullptr || relation->object == nullptr) return false;
  for (const std::string_view schema : {"dataSchema", "partitionSchema"}) {
    const PlanValue* columns = relation->object->argument(schema);
    if (columns == nullptr || columns->data_type == nullptr) continue;
    const auto& fields = columns->data_type->fields;
    if (std::ranges::any_of(
            fields, [&](const StructField& field) { return SameColumnName(field.name, name); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

Result<nlohmann::json> ParseMasks(std::string_view text) {
  nlohmann::json masks = nlohmann::json::object();
  if (Trimmed(text).empty()) return masks;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = EndOfEntry(text, at);
    const std::string_view entry = Trimmed(text.substr(at, end - at));
    const size_t colon = entry.rfind(':');
    if (colon == std::string_view::npos) return Wrong(text, at, "a mask without a colon");
    std::string_view name = Trimmed(entry.substr(0, colon));
    const std::string_view kind = Trimmed(entry.substr(colon + 1));
    if (name.size() > 2 && name.front() == '`' && name.back() == '`') {
      name = name.substr(1, name.size() - 2);
    }
    if (name.empty()) return Wrong(text, at, "a mask without a column");
    if (!MaskKindOf(kind)) return Wrong(text, at, fmt::format("the unknown mask \"{}\"", kind));
    if (masks.contains(name)) return Wrong(text, at, fmt::format("column {} again", name));
    masks[std::string(name)] = kind;
    at = end + 1;
  }
  return masks;
}

Status CheckMasks(const nlohmann::json& masks, const OperatorTree& tree) {
  for (const auto& [name, kind] : masks.items()) {
    if (MaskKindOf(kind.get<std::string>()) != MaskKind::kHash) continue;
    std::vector<Attribute> columns;
    for (const PlanOperator* subject : tree.operators()) {
      AddColumnsNamed(name, *subject->node, &columns);
    }
    for (const Attribute& column : columns) {
      if (CanHash(column.type)) continue;
      return Status::Invalid(kMaskKey, ": column ", name, " has type ", column.type.ToString(),
                             ", whose values cannot be hashed; use null or shuffle");
    }
  }
  return Status::OK();
}

std::string WhyMasksUnfit(const nlohmann::json& masks, const PlanDocument& plan) {
  for (const auto& [name, kind] : masks.items()) {
    std::vector<Attribute> columns;
    bool is_known = false;
    for (const PlanNode* node : plan.nodes()) {
      AddColumnsNamed(name, *node, &columns);
      is_known |= IsInFilesOf(*node, name);
    }
    if (is_known || !columns.empty()) continue;
    return fmt::format(
        "{}: nothing of the query is dumped, because none of its operators has a column {}: what "
        "that mask is to hide may stand there under another name",
        kMaskKey, name);
  }
  return "";
}

}  // namespace reprise
