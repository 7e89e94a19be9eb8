#include "scan/parquet_nested_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "scan/parquet_errors.h"

namespace reprise {

namespace {

using parquet::schema::GroupNode;
using parquet::schema::Node;

bool IsAnnotated(const Node& node) {
  return node.logical_type() != nullptr && !node.logical_type()->is_none();
}

bool IsList(const Node& node) {
  return node.is_group() && node.logical_type() != nullptr && node.logical_type()->is_list();
}

bool IsMap(const Node& node) {
  return node.is_group() && node.logical_type() != nullptr && node.logical_type()->is_map();
}

const GroupNode& GroupOf(const Node& node) { return static_cast<const GroupNode&>(node); }

/// ParquetToSparkSchemaConverter.isElementType: the repeated field of a list is the element itself,
/// not a group around it.
bool IsElement(const Node& repeated, const std::string& list_name) {
  return repeated.is_primitive() || GroupOf(repeated).field_count() > 1 ||
         repeated.name() == "array" || repeated.name() == list_name + "_tuple";
}

/// What is around a value: its own node's repetition comes on top.
struct Levels {
  int16_t definition = 0;
  int16_t repetition = 0;
  int16_t slot = 0;

  /// Of what repeats in it.
  Levels Repeated() const {
    const auto inner = static_cast<int16_t>(definition + 1);
    return {inner, static_cast<int16_t>(repetition + 1), inner};
  }
};

class NestedMatcher {
 public:
  NestedMatcher(const parquet::SchemaDescriptor& schema, const ColumnMatching& matching,
                const std::string& path)
      : schema_(schema), matching_(matching), path_(path) {}

  /// A field of a struct, or an element, a key or a value.
  Result<NestedMatch> Field(const Node& node, const NestedType& type, Levels around) const;

 private:
  using Form = NestedMatch::Form;

  /// The value at `node`, whose own repetition is in `levels`.
  Result<NestedMatch> Value(const Node& node, const NestedType& type, Levels levels) const;
  Result<NestedMatch> Leaf(const Node& node, const NestedType& type, Levels levels) const;
  Result<NestedMatch> Array(const Node& node, const NestedType& type, Levels levels) const;
  Result<NestedMatch> Map(const Node& node, const NestedType& type, Levels levels) const;
  Result<NestedMatch> Struct(const Node& node, const NestedType& type, Levels levels) const;
  int CheapestLeaf(const Node& group) const;

  Status Unlike(const Node& node, std::string_view wanted) const {
    return DataError(path_, fmt::format("field {} is asked for as {}, but is none in the file",
                                        node.path()->ToDotString(), wanted));
  }

  const parquet::SchemaDescriptor& schema_;
  const ColumnMatching& matching_;
  const std::string& path_;
};

NestedMatch AsMissing(const NestedType& type) {
  NestedMatch match;
  match.type = type.parts.empty() ? type.type : DataType{TypeKind::kBinary};
  return match;
}

NestedMatch Composed(NestedMatch::Form form, const Levels& levels) {
  NestedMatch match;
  match.form = form;
  match.type = {TypeKind::kBinary};
  match.place = {levels.definition, levels.slot, levels.repetition};
  return match;
}

bool AllMissing(const std::vector<NestedMatch>& parts) {
  return std::ranges::all_of(
      parts, [](const NestedMatch& part) { return part.form == NestedMatch::Form::kMissing; });
}

Result<NestedMatch> NestedMatcher::Field(const Node& node, const NestedType& type,
                                         Levels around) const {
  Levels levels = around;
  if (node.is_optional()) ++levels.definition;
  if (!node.is_repeated()) return Value(node, type, levels);
  // Neither in a list nor annotated as one: a list that is not null, of elements that are not.
  if (type.form != NestedType::Form::kArray) return Unlike(node, type.arrow->name());
  NestedMatch match = Composed(Form::kArray, levels);
  ARROW_ASSIGN_OR_RAISE(auto element, Value(node, type.parts[0], levels.Repeated()));
  if (element.form == Form::kMissing) return AsMissing(type);
  match.parts = {std::move(element)};
  return match;
}

Result<NestedMatch> NestedMatcher::Value(const Node& node, const NestedType& type,
                                         Levels levels) const {
  switch (type.form) {
    case NestedType::Form::kArray:
      return Array(node, type, levels);
    case NestedType::Form::kMap:
      return Map(node, type, levels);
    case NestedType::Form::kStruct:
      return Struct(node, type, levels);
    default:
      return Leaf(node, type, levels);
  }
}

Result<NestedMatch> NestedMatcher::Leaf(const Node& node, const NestedType& type,
                                        Levels levels) const {
  if (!node.is_primitive()) return Unlike(node, type.type.ToString());
  NestedMatch match = Composed(Form::kLeaf, levels);
  match.type = type.type;
  match.leaf = schema_.ColumnIndex(node);
  return match;
}

Result<NestedMatch> NestedMatcher::Array(const Node& node, const NestedType& type,
                                         Levels levels) const {
  if (!IsList(node)) return Unlike(node, "an array");
  const GroupNode& list = GroupOf(node);
  if (list.field_count() != 1 || !list.field(0)->is_repeated()) return Unlike(node, "an array");
  const Node& repeated = *list.field(0);
  NestedMatch match = Composed(Form::kArray, levels);
  const Levels inner = levels.Repeated();
  const bool is_element = IsElement(repeated, node.name());
  if (!is_element && GroupOf(repeated).field_count() == 0) return Unlike(node, "an array");
  ARROW_ASSIGN_OR_RAISE(auto element,
                        is_element ? Value(repeated, type.parts[0], inner)
                                   : Field(*GroupOf(repeated).field(0), type.parts[0], inner));
  if (element.form == Form::kMissing) return AsMissing(type);
  match.parts = {std::move(element)};
  return match;
}

Result<NestedMatch> NestedMatcher::Map(const Node& node, const NestedType& type,
                                       Levels levels) const {
  if (!IsMap(node)) return Unlike(node, "a map");
  const GroupNode& map = GroupOf(node);
  if (map.field_count() != 1 || !map.field(0)->is_repeated() || !map.field(0)->is_group() ||
      GroupOf(*map.field(0)).field_count() != 2) {
    return Unlike(node, "a map");
  }
  const GroupNode& entry = GroupOf(*map.field(0));
  NestedMatch match = Composed(Form::kMap, levels);
  const Levels inner = levels.Repeated();
  for (int i = 0; i < 2; ++i) {
    ARROW_ASSIGN_OR_RAISE(auto part,
                          Field(*entry.field(i), type.parts[static_cast<size_t>(i)], inner));
    match.parts.push_back(std::move(part));
  }
  if (AllMissing(match.parts)) return AsMissing(type);
  return match;
}

Result<NestedMatch> NestedMatcher::Struct(const Node& node, const NestedType& type,
                                          Levels levels) const {
  if (!node.is_group() || IsAnnotated(node)) return Unlike(node, "a struct");
  const GroupNode& group = GroupOf(node);
  NestedMatch match = Composed(Form::kStruct, levels);
  std::vector<WantedField> wanted;
  for (size_t i = 0; i < type.parts.size(); ++i) {
    wanted.push_back({type.arrow->field(static_cast<int>(i))->name(), type.FieldId(i)});
  }
  ARROW_ASSIGN_OR_RAISE(const auto found, FindFields(group, wanted, matching_, path_));
  for (size_t i = 0; i < type.parts.size(); ++i) {
    const auto& field = *type.arrow->field(static_cast<int>(i));
    if (found[i].empty()) {
      if (!field.nullable()) {
        return MissingColumnError(path_, node.path()->ToDotString() + "." + field.name());
      }
      match.parts.push_back(AsMissing(type.parts[i]));
      continue;
    }
    ARROW_ASSIGN_OR_RAISE(auto part, Field(*found[i].front(), type.parts[i], levels));
    match.parts.push_back(std::move(part));
  }
  if (!AllMissing(match.parts)) return match;
  if (matching_.null_structs) return AsMissing(type);
  match.witness = CheapestLeaf(node);
  return match.witness < 0 ? AsMissing(type) : match;
}

/// Of the fewest levels, and then the least bytes.
int NestedMatcher::CheapestLeaf(const Node& group) const {
  int best = -1;
  std::tuple<int, int> best_cost;
  for (int i = 0; i < schema_.num_columns(); ++i) {
    const auto& column = *schema_.Column(i);
    const Node* above = column.schema_node().get();
    while (above != nullptr && above != &group) above = above->parent();
    if (above == nullptr) continue;
    const bool is_bytes = column.physical_type() == parquet::Type::BYTE_ARRAY ||
                          column.physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY;
    const int bytes = is_bytes ? 32 : parquet::GetTypeByteSize(column.physical_type());
    const std::tuple<int, int> cost(column.max_repetition_level(), bytes);
    if (best >= 0 && best_cost <= cost) continue;
    best = i;
    best_cost = cost;
  }
  return best;
}

void AddLeaves(const NestedMatch& match, std::vector<int>* leaves) {
  if (match.leaf >= 0) leaves->push_back(match.leaf);
  if (match.witness >= 0) leaves->push_back(match.witness);
  for (const NestedMatch& part : match.parts) AddLeaves(part, leaves);
}

}  // namespace

Result<NestedMatch> MatchNested(const parquet::SchemaDescriptor& schema, const Node& node,
                                const NestedType& type, const ColumnMatching& matching,
                                const std::string& path) {
  return NestedMatcher(schema, matching, path).Field(node, type, {});
}

std::vector<int> LeavesOf(const NestedMatch& match) {
  std::vector<int> leaves;
  AddLeaves(match, &leaves);
  return leaves;
}

}  // namespace reprise
