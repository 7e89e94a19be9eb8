#include "rules/masked_columns.h"

#include <unordered_map>

#include "rules/class_names.h"
#include "rules/operator_tree.h"
#include "vocabulary/aggregates.h"

namespace reprise {

namespace {

using Kind = std::optional<MaskKind>;

/// The mask that hides more.
Kind Stronger(Kind left, Kind right) {
  if (left == MaskKind::kNull || !right) return left;
  if (right == MaskKind::kNull || !left) return right;
  return left == MaskKind::kHash ? left : right;
}

bool IsBoolean(const PlanObject& object) {
  return object.type && object.type->is(TypeKind::kBoolean);
}

bool IsExpressionClass(const PlanObject& object, std::string_view name) {
  return ShortClassName(object.class_name) == name;
}

constexpr std::string_view kCounts[] = {"Count", "Rank", "DenseRank", "PercentRank"};

/// True of counts, ranks, and predicates over values of other types.
bool TellsOnlyOfValues(const PlanObject& object) {
  if (Has(kCounts, ShortClassName(object.class_name))) return true;
  if (!IsBoolean(object) || IsExpressionClass(object, "AttributeReference")) return false;
  for (size_t i = 0; i < object.children.size(); ++i) {
    const PlanObject* child = object.child(i);
    if (child != nullptr && IsBoolean(*child)) return false;
  }
  return !object.children.empty();
}

/// Arguments of operators that no column is made of.
constexpr std::string_view kNotMadeOf[] = {"groupingExpressions", "resultExpressions",
                                           "partitionSpec", "orderSpec"};

void AddPlans(const PlanValue& value, std::vector<const PlanNode*>* plans) {
  if (value.is(PlanValue::Kind::kPlan)) plans->push_back(value.node);
  for (const PlanValue& item : value.items) AddPlans(item, plans);
  if (value.object == nullptr) return;
  for (const auto& [name, argument] : value.object->arguments) AddPlans(argument, plans);
}

}  // namespace

/// Goes through a plan from its leaves.
class MaskFollower {
 public:
  MaskFollower(const PlanDocument& plan, const MaskedColumns* before, MaskedColumns* columns)
      : plan_(plan), before_(before), columns_(*columns) {}

  void Run() {
    const auto& nodes = plan_.nodes();
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) Look(**node);
  }

 private:
  void Look(const PlanNode& node);
  /// Notes what the node's own expressions define; true where there are expressions.
  bool NoteDefinitions();
  void NoteAggregates();
  void NoteOutput(size_t index, Kind made);
  Kind MadeHere(bool has_expressions);
  Kind FromInnerPlans(std::string_view name);
  Kind AtSamePlace(size_t index);
  Kind OfOutput(const PlanNode& node, size_t index);
  Kind OfAllOutput(const PlanNode& node);
  Kind OfColumn(const Attribute& column);

  Kind Held(const PlanValue& value);
  Kind Held(const PlanObject& object);
  Kind HeldByParts(const PlanObject& object);

  void Note(int64_t id, std::string_view name, Kind kind);
  bool IsKnown(int64_t id) const {
    return columns_.kinds_.contains(id) || columns_.clear_.contains(id);
  }

  const PlanDocument& plan_;
  const MaskedColumns* before_;
  MaskedColumns& columns_;
  const PlanNode* node_ = nullptr;
  std::unordered_map<const PlanObject*, Kind> held_;  // by the expressions of the node
};

void MaskFollower::Look(const PlanNode& node) {
  node_ = &node;
  held_.clear();
  NoteAggregates();
  const bool has_expressions = NoteDefinitions();
  const Kind made = MadeHere(has_expressions);
  for (size_t i = 0; i < node.output.size(); ++i) NoteOutput(i, made);
}

void MaskFollower::NoteOutput(size_t index, Kind made) {
  const auto column = AttributeOf(node_->output[index]);
  if (!column) return;
  Kind kind = Stronger(OfColumn(*column), AtSamePlace(index));
  if (!kind && !IsKnown(column->expr_id)) {
    const bool is_leaf = node_->children.empty();
    if (is_leaf) {
      kind = FromInnerPlans(column->name);
    } else if (!column->type.is(TypeKind::kBoolean)) {
      kind = made;
    }
  }
  Note(column->expr_id, column->name, kind);
}

/// Of a column that comes from nothing that the plan shows.
Kind MaskFollower::FromInnerPlans(std::string_view name) {
  std::vector<const PlanNode*> plans;
  for (const auto& [argument, value] : node_->arguments) AddPlans(value, &plans);
  Kind kind;
  for (const PlanNode* inner : plans) {
    for (size_t i = 0; i < inner->output.size(); ++i) {
      const auto column = AttributeOf(inner->output[i]);
      if (column && SameColumnName(column->name, name)) kind = Stronger(kind, OfColumn(*column));
    }
  }
  // A stage that has been planned by itself, of columns that the first plan did not have.
  if (!kind && before_ != nullptr) {
    const auto found = before_->by_name_.find(std::string(name));
    if (found != before_->by_name_.end()) kind = found->second;
  }
  return kind;
}

/// Of operators that rename columns, or put several into one, by their place.
Kind MaskFollower::AtSamePlace(size_t index) {
  const std::string_view name = ShortClassName(node_->class_name);
  Kind kind;
  const auto add = [&](const PlanNode& below) {
    if (below.output.size() == node_->output.size()) kind = Stronger(kind, OfOutput(below, index));
  };
  if (name == "UnionExec") {
    for (const PlanNode* child : node_->children) add(*child);
  } else if (IsWrapper(node_->class_name)) {
    if (const PlanNode* wrapped = WrappedBy(*node_)) add(*wrapped);
  } else if (name == "ExpandExec") {
    const PlanValue* projections = node_->argument("projections");
    for (const PlanValue& row :
         projections != nullptr ? projections->items : std::span<const PlanValue>()) {
      if (index < row.items.size()) kind = Stronger(kind, Held(row.items[index]));
    }
  }
  return kind;
}

Kind MaskFollower::OfOutput(const PlanNode& node, size_t index) {
  const auto column = AttributeOf(node.output[index]);
  return column ? OfColumn(*column) : std::nullopt;
}

Kind MaskFollower::OfAllOutput(const PlanNode& node) {
  Kind kind;
  for (size_t i = 0; i < node.output.size(); ++i) kind = Stronger(kind, OfOutput(node, i));
  return kind;
}

Kind MaskFollower::OfColumn(const Attribute& column) {
  if (const Kind named = columns_.OfName(column.name)) return named;
  const auto found = columns_.kinds_.find(column.expr_id);
  return found == columns_.kinds_.end() ? std::nullopt : Kind(found->second);
}

/// Buffers and results of aggregate functions, each by its own function where the layout is known.
void MaskFollower::NoteAggregates() {
  const PlanValue* functions = node_->argument("aggregateExpressions");
  const PlanValue* keys = node_->argument("groupingExpressions");
  if (functions == nullptr || keys == nullptr) return;
  const PlanValue* results = node_->argument("aggregateAttributes");
  std::vector<Kind> buffers;
  bool is_known_layout = true;
  for (size_t i = 0; i < functions->items.size(); ++i) {
    const Kind kind = Held(functions->items[i]);
    if (results != nullptr && i < results->items.size()) {
      if (const auto result = AttributeOf(results->items[i]))
        Note(result->expr_id, result->name, kind);
    }
    const PlanObject* expression = functions->items[i].object;
    const PlanObject* function = expression != nullptr ? expression->child(0) : nullptr;
    const AggregateRow* rule =
        function != nullptr ? FindAggregateClass(function->class_name) : nullptr;
    const PlanObject* input = function != nullptr ? function->child(0) : nullptr;
    if (rule == nullptr || !function->type || input == nullptr || !input->type) {
      is_known_layout = false;
      continue;
    }
    buffers.resize(buffers.size() + rule->buffer(*input->type).size(), kind);
  }
  if (!is_known_layout || keys->items.size() + buffers.size() != node_->output.size()) return;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const auto column = AttributeOf(node_->output[keys->items.size() + i]);
    if (column && !IsKnown(column->expr_id)) Note(column->expr_id, column->name, buffers[i]);
  }
}

bool MaskFollower::NoteDefinitions() {
  bool has_expressions = false;
  for (const auto& [name, value] : node_->arguments) {
    Held(value);
    for (const PlanValue& item : value.items) {
      has_expressions |=
          item.object != nullptr && !IsExpressionClass(*item.object, "AttributeReference");
    }
    has_expressions |= value.object != nullptr && value.object->type &&
                       !IsExpressionClass(*value.object, "AttributeReference");
  }
  return has_expressions;
}

/// What a column holds that the node makes, and no expression names.
Kind MaskFollower::MadeHere(bool has_expressions) {
  Kind kind;
  if (!has_expressions) {
    for (const PlanNode* child : node_->children) kind = Stronger(kind, OfAllOutput(*child));
    return kind;
  }
  for (const auto& [name, value] : node_->arguments) {
    if (Has(kNotMadeOf, name)) continue;
    if (!value.items.empty() && AttributeOf(value.items[0]) &&
        IsExpressionClass(*value.items[0].object, "AttributeReference")) {
      continue;
    }
    kind = Stronger(kind, Held(value));
  }
  return kind;
}

Kind MaskFollower::Held(const PlanValue& value) {
  if (value.object != nullptr) return Held(*value.object);
  Kind kind;
  if (value.is(PlanValue::Kind::kPlan)) kind = OfAllOutput(*value.node);
  for (const PlanValue& item : value.items) kind = Stronger(kind, Held(item));
  return kind;
}

Kind MaskFollower::Held(const PlanObject& object) {
  const auto known = held_.find(&object);
  if (known != held_.end()) return known->second;
  held_[&object] = std::nullopt;
  Kind kind = HeldByParts(object);
  const auto column = AttributeOf(object);
  if (IsExpressionClass(object, "AttributeReference")) {
    kind = column ? OfColumn(*column) : std::nullopt;
  } else if (column) {
    Note(column->expr_id, column->name, kind);
  } else if (const int64_t result = ExprIdOf(object.argument("resultId")); result >= 0) {
    Note(result, "", kind);
  }
  return held_[&object] = kind;
}

Kind MaskFollower::HeldByParts(const PlanObject& object) {
  if (IsExpressionClass(object, "BoundReference")) {
    const PlanValue* ordinal = object.argument("ordinal");
    if (ordinal == nullptr || !ordinal->is(PlanValue::Kind::kInteger) || node_->children.empty())
      return {};
    const PlanNode& child = *node_->children[0];
    const auto index = static_cast<size_t>(ordinal->integer);
    return index < child.output.size() ? OfOutput(child, index) : std::nullopt;
  }
  // The window, or the filter, says which rows count.
  const bool is_first_alone = IsExpressionClass(object, "WindowExpression") ||
                              IsExpressionClass(object, "AggregateExpression");
  Kind kind;
  for (size_t i = 0; i < object.children.size(); ++i) {
    const Kind part = Held(object.children[i]);
    if (i == 0 || !is_first_alone) kind = Stronger(kind, part);
  }
  for (const auto& [name, argument] : object.arguments) {
    if (name != "resultId" && name != "exprId") kind = Stronger(kind, Held(argument));
  }
  return TellsOnlyOfValues(object) ? std::nullopt : kind;
}

void MaskFollower::Note(int64_t id, std::string_view name, Kind kind) {
  if (!kind) {
    if (!columns_.kinds_.contains(id)) columns_.clear_.insert(id);
    return;
  }
  columns_.clear_.erase(id);
  const auto [at, is_new] = columns_.kinds_.emplace(id, *kind);
  if (!is_new) at->second = *Stronger(at->second, kind);
  if (!name.empty()) columns_.by_name_[std::string(name)] = at->second;
}

MaskedColumns MaskedColumns::Follow(const nlohmann::json& masks, const PlanDocument& plan,
                                    const MaskedColumns* before) {
  MaskedColumns columns;
  if (before != nullptr) columns = *before;
  columns.masks_ = masks;
  if (!masks.empty()) MaskFollower(plan, before, &columns).Run();
  return columns;
}

std::optional<MaskKind> MaskedColumns::OfName(std::string_view name) const {
  for (const auto& [masked, kind] : masks_.items()) {
    if (SameColumnName(masked, name)) return MaskKindOf(kind.get_ref<const std::string&>());
  }
  return std::nullopt;
}

std::optional<MaskKind> MaskedColumns::Of(const Attribute& column) const {
  if (const Kind named = OfName(column.name)) return named;
  const auto found = kinds_.find(column.expr_id);
  if (found == kinds_.end()) return std::nullopt;
  // Bytes may have a structure that a hash would not have.
  const bool can_hash = CanHash(column.type) && !column.type.is(TypeKind::kBinary);
  return found->second == MaskKind::kHash && !can_hash ? MaskKind::kNull : found->second;
}

nlohmann::json MaskedColumns::Around(const PlanNode& node) const {
  // A mask holds for all columns of a name, so that the strongest is taken.
  struct Alike {
    std::string_view name;
    Kind kind;
    bool can_hash = true;
  };
  std::vector<Alike> names;
  const auto add = [&](const PlanNode& side) {
    for (const PlanValue& value : side.output) {
      const auto column = AttributeOf(value);
      if (!column || OfName(column->name)) continue;
      auto alike = std::ranges::find_if(
          names, [&](const Alike& known) { return SameColumnName(known.name, column->name); });
      if (alike == names.end()) alike = names.insert(alike, {column->name});
      alike->kind = Stronger(alike->kind, Of(*column));
      alike->can_hash &= CanHash(column->type);
    }
  };
  add(node);
  for (const PlanNode* child : node.children) add(*child);
  nlohmann::json masks = masks_;
  for (const Alike& alike : names) {
    if (!alike.kind) continue;
    const bool is_lost = alike.kind == MaskKind::kHash && !alike.can_hash;
    masks[std::string(alike.name)] = MaskName(is_lost ? MaskKind::kNull : *alike.kind);
  }
  return masks;
}

nlohmann::json MaskedColumns::ToJson() const {
  auto kinds = nlohmann::json::array();
  for (const auto& [id, kind] : kinds_) kinds.push_back({id, MaskName(kind)});
  auto names = nlohmann::json::object();
  for (const auto& [name, kind] : by_name_) names[name] = MaskName(kind);
  return {{"masks", masks_},
          {"refusal", refusal_},
          {"columns", kinds},
          {"clear", clear_},
          {"names", names}};
}

MaskedColumns MaskedColumns::FromJson(const nlohmann::json& json) {
  const auto kind_of = [](const nlohmann::json& name) {
    return MaskKindOf(name.get<std::string>()).value_or(MaskKind::kNull);
  };
  MaskedColumns columns;
  columns.masks_ = json.at("masks");
  columns.refusal_ = json.at("refusal").get<std::string>();
  for (const auto& item : json.at("columns")) {
    columns.kinds_[item.at(0).get<int64_t>()] = kind_of(item.at(1));
  }
  columns.clear_ = json.at("clear").get<std::set<int64_t>>();
  for (const auto& [name, kind] : json.at("names").items()) columns.by_name_[name] = kind_of(kind);
  return columns;
}

}  // namespace reprise
