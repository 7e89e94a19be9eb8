#include "rules/leaf_text.h"

#include <algorithm>

#include "plan/spec.h"

namespace reprise {

using Json = nlohmann::json;

std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string LeafText(std::string_view kind, std::string_view name,
                     const std::vector<Field>& columns) {
  OperatorSpec spec;
  spec.kind = kind;
  spec.name = name;
  spec.output = columns;
  return TextOf(ToJson(spec));
}

/// Whether a cache keeps values of the type as rows do. A variant's two parts stand there one by
/// one, and a user type may be one below its name.
static bool IsCachedAsInRows(const DataType& type) {
  return type.text != "variant" && type.text.find("\"udt\"") == std::string::npos;
}

/// Whether an operator of Spark's is read by columns. What has children of its own is not Spark's
/// idea. Of a cached table those are read that the cache keeps: what Spark makes of them stays in
/// memory until the task's end.
static bool GivesColumns(const PlanNode& node, const std::vector<Field>& columns) {
  if (!node.children.empty()) return false;
  if (!node.cache) return node.columnar;
  return std::ranges::all_of(columns,
                             [](const Field& column) { return IsCachedAsInRows(column.type); });
}

std::string InputText(const PlanOperator& subject, size_t index, const std::vector<Field>& columns,
                      const OperatorTree& tree) {
  const PlanNode& child = tree.input(subject, index);
  const PlanOperator* native = tree.find(child);
  if (native != nullptr && !(native->replaceable && native->mark == '*')) native = nullptr;
  const bool is_exchange = native != nullptr && !native->judgement.native->read_kind.empty();
  if (child.blocks || is_exchange) {
    return IsBroadcast(child) ? LeafText(kBroadcastReadKind, kBroadcastReadName, columns)
                              : LeafText(kShuffleReadKind, kShuffleReadName, columns);
  }
  // What ends in a stage of its own gives rows.
  const bool is_own_stage =
      native != nullptr && !native->judgement.native->local_arguments.is_null();
  if (native != nullptr && !is_own_stage) return "null";
  if (GivesColumns(child, columns)) {
    return LeafText(kColumnInputKind, kColumnsToNative, columns);
  }
  return LeafText(kRowInputKind, kRowToNative, columns);
}

}  // namespace reprise
