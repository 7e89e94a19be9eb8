#include "rules/masked_columns.h"

#include <unordered_map>
#include <unordered_set>

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

/// Tell whether there is a value, of any type.
constexpr std::string_view kNullTests[] = {"IsNull", "IsNotNull", "AtLeastNNonNulls"};

/// Compare values. No other function counts as a predicate, whatever its type: it may give a
/// boolean that stands in what goes in.
constexpr std::string_view kComparisons[] = {"EqualTo",      "EqualNullSafe",
                                             "LessThan",     "LessThanOrEqual",
                                             "GreaterThan",  "In",
                                             "InSet",        "InSubqueryExec",
                                             "Like",         "GreaterThanOrEqual",
                                             "RLike",        "StartsWith",
                                             "EndsWith",     "Contains",
                                             "IsNaN",        "LikeAll",
                                             "LikeAny",      "NotLikeAll",
                                             "NotLikeAny",   "ArrayContains",
                                             "ArraysOverlap"};

/// Leaves whose columns have the names that the user knows.
constexpr std::string_view kSources[] = {"FileSourceScanExec",    "BatchScanExec",
                                         "RowDataSourceScanExec", "HiveTableScanExec",
                                         "MicroBatchScanExec",    "ContinuousScanExec"};

/// Expressions whose values are known only when they have run.
constexpr std::string_view kSubqueries[] = {"ScalarSubquery", "InSubqueryExec"};

/// Leaves that hold no rows of the user's.
constexpr std::string_view kMadeUp[] = {"RangeExec", "EmptyRelationExec", "OneRowRelationExec"};

/// Operators that make their new columns of their expressions alone.
constexpr std::string_view kMadeOfExpressions[] = {
    "ProjectExec",           "HashAggregateExec",   "ObjectHashAggregateExec",
    "SortAggregateExec",     "WindowExec",          "WindowInPandasExec",
    "ArrowWindowPythonExec", "GenerateExec",        "ExpandExec",
    "BatchEvalPythonExec",   "ArrowEvalPythonExec", "AggregateInPandasExec",
    "UpdatingSessionsExec"};

/// What a scan can tell of the files that it reads: folders bear the values of partitions.
constexpr std::string_view kOfFiles[] = {"_metadata", "file_path", "file_name"};

/// A scan may give what its source has computed, under a name like "max(name)".
bool IsComputed(std::string_view name) { return name.find('(') != std::string_view::npos; }

/// Arguments of operators that no column is made of.
constexpr std::string_view kNotMadeOf[] = {"groupingExpressions", "resultExpressions",
                                           "partitionSpec", "orderSpec"};

}  // namespace

/// Goes through a plan from its leaves.
class MaskFollower {
 public:
  MaskFollower(const PlanDocument& plan, const MaskedColumns* before, MaskedColumns* columns)
      : plan_(plan), before_(before), columns_(*columns) {}

  void Run() {
    columns_.has_masked_folders_ |= std::ranges::any_of(
        plan_.nodes(), [&](const PlanNode* node) { return columns_.HasMaskedPartition(*node); });
    LookFromLeaves(plan_.root());
  }

 private:
  void LookFromLeaves(const PlanNode& node);
  void LookFromLeaves(const PlanValue& value);
  void Look(const PlanNode& node);
  /// Notes what the node's own expressions define; true where there are expressions.
  bool NoteDefinitions();
  void NoteAggregates();
  void NoteOutput(size_t index, Kind made);
  Kind MadeHere(bool has_expressions);
  Kind OfLeaf(const Attribute& column);
  Kind OfCached(const Attribute& column);
  Kind OfUnknown() const;
  Kind KnownByName(std::string_view name) const;
  std::optional<Kind> AtSamePlace(size_t index);
  Kind OfOutput(const PlanNode& node, size_t index);
  Kind OfAllOutput(const PlanNode& node);
  Kind OfColumn(const Attribute& column);
  bool IsOfBoolean(const Attribute& column);
  bool MayBeMadeOfBoolean();

  Kind Held(const PlanValue& value);
  Kind Held(const PlanObject& object);
  Kind HeldByParts(const PlanObject& object);
  bool TellsOnlyOfValues(const PlanObject& object);
  bool HoldsBoolean(const PlanObject& object);
  void NoteLiterals(const PlanObject& object, bool with_integers);
  void NoteDefault(size_t index);
  void NoteSubquery(const PlanObject& object, Kind kind);

  void Note(int64_t id, std::string_view name, Kind kind);
  bool IsKnown(int64_t id) const {
    return columns_.kinds_.contains(id) || columns_.clear_.contains(id);
  }

  const PlanDocument& plan_;
  const MaskedColumns* before_;
  MaskedColumns& columns_;
  const PlanNode* node_ = nullptr;
  std::vector<const PlanObject*> masked_conditions_;  // the node's, with a masked value
  std::vector<const PlanObject*> clear_conditions_;
  std::unordered_set<const void*> looked_;            // nodes, and objects that may hold plans
  std::unordered_map<const PlanObject*, Kind> held_;  // by the node's expressions
  std::unordered_map<const PlanObject*, bool> holding_boolean_;  // the same
};

void MaskFollower::LookFromLeaves(const PlanNode& node) {
  if (!looked_.insert(&node).second) return;
  if (node.cached != nullptr) LookFromLeaves(*node.cached);
  for (const PlanNode* child : node.children) LookFromLeaves(*child);
  for (const auto& [name, value] : node.arguments) LookFromLeaves(value);
  Look(node);
}

void MaskFollower::LookFromLeaves(const PlanValue& value) {
  if (value.is(PlanValue::Kind::kPlan)) LookFromLeaves(*value.node);
  for (const PlanValue& item : value.items) LookFromLeaves(item);
  if (value.object == nullptr || !looked_.insert(value.object).second) return;
  for (const PlanValue& child : value.object->children) LookFromLeaves(child);
  for (const auto& [name, argument] : value.object->arguments) LookFromLeaves(argument);
}

void MaskFollower::Look(const PlanNode& node) {
  node_ = &node;
  held_.clear();
  holding_boolean_.clear();
  masked_conditions_.clear();
  clear_conditions_.clear();
  NoteAggregates();
  const bool has_expressions = NoteDefinitions();
  const Kind made = MadeHere(has_expressions);
  for (size_t i = 0; i < node.output.size(); ++i) NoteOutput(i, made);
  if (masked_conditions_.empty()) return;
  // Where name = 'x', the optimizer also writes 'x' in the place of name.
  for (const PlanObject* condition : clear_conditions_) NoteLiterals(*condition, false);
}

void MaskFollower::NoteOutput(size_t index, Kind made) {
  const auto column = AttributeOf(node_->output[index]);
  if (!column) return;
  Kind kind = OfColumn(*column);
  bool is_new = false;
  if (const std::optional<Kind> below = AtSamePlace(index)) {
    kind = Stronger(kind, *below);
    is_new = true;
  } else if (!kind && !IsKnown(column->expr_id)) {
    // What a join adds says whether a row has a match.
    const bool is_match = column->type.is(TypeKind::kBoolean) && node_->argument("joinType");
    kind = node_->children.empty() ? OfLeaf(*column) : is_match ? std::nullopt : made;
    is_new = true;
  }
  if (is_new && kind && MayBeMadeOfBoolean()) columns_.of_booleans_.insert(column->expr_id);
  Note(column->expr_id, column->name, kind);
  if (columns_.Of(*column)) NoteDefault(index);
}

/// Of a column that no other node of the plan gives.
Kind MaskFollower::OfLeaf(const Attribute& column) {
  const std::string_view name = ShortClassName(node_->class_name);
  if (Has(kSources, name)) {
    if (columns_.has_masked_folders_ && Has(kOfFiles, column.name)) return OfUnknown();
    return IsComputed(column.name) ? OfUnknown() : std::nullopt;
  }
  if (Has(kMadeUp, name)) return std::nullopt;
  if (node_->cached != nullptr) return OfCached(column);
  return KnownByName(column.name);
}

/// The plan that has filled a cache names its columns in its own way.
Kind MaskFollower::OfCached(const Attribute& column) {
  for (size_t i = 0; i < node_->cached_output.size(); ++i) {
    const auto cached = AttributeOf(node_->cached_output[i]);
    if (!cached || cached->expr_id != column.expr_id) continue;
    return i < node_->cached->output.size() ? OfOutput(*node_->cached, i) : OfUnknown();
  }
  return OfUnknown();
}

/// Of a column whose values may be anybody's: the mask that hides most.
Kind MaskFollower::OfUnknown() const {
  Kind kind;
  for (const auto& [name, mask] : columns_.masks_.items()) {
    kind = Stronger(kind, MaskKindOf(mask.get_ref<const std::string&>()));
  }
  return kind;
}

/// Of a stage that has been planned by itself, of columns that the first plan did not have.
Kind MaskFollower::KnownByName(std::string_view name) const {
  if (before_ == nullptr) return OfUnknown();
  const auto found = before_->by_name_.find(std::string(name));
  if (found != before_->by_name_.end()) return found->second;
  return before_->clear_names_.contains(std::string(name)) ? std::nullopt : OfUnknown();
}

/// Of operators that rename columns, or put several into one, by their place.
std::optional<Kind> MaskFollower::AtSamePlace(size_t index) {
  const std::string_view name = ShortClassName(node_->class_name);
  std::optional<Kind> kind;
  const auto add = [&](Kind part) { kind = Stronger(kind.value_or(std::nullopt), part); };
  const auto add_below = [&](const PlanNode& below) {
    if (below.output.size() == node_->output.size()) add(OfOutput(below, index));
  };
  if (name == "UnionExec") {
    for (const PlanNode* child : node_->children) add_below(*child);
  } else if (IsWrapper(node_->class_name)) {
    if (const PlanNode* wrapped = WrappedBy(*node_)) add_below(*wrapped);
  } else if (name == "ExpandExec") {
    const PlanValue* projections = node_->argument("projections");
    for (const PlanValue& row :
         projections != nullptr ? projections->items : std::span<const PlanValue>()) {
      if (index < row.items.size()) add(Held(row.items[index]));
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

/// Whether a comparison of the column may give a masked boolean again.
bool MaskFollower::IsOfBoolean(const Attribute& column) {
  if (columns_.of_booleans_.contains(column.expr_id)) return true;
  return column.type.is(TypeKind::kBoolean) && OfColumn(column);
}

/// Whether a masked column that the node makes, and no expression names, may hold a masked boolean.
bool MaskFollower::MayBeMadeOfBoolean() {
  const auto gives_one = [&](const PlanNode* node) {
    return node != nullptr && std::ranges::any_of(node->output, [&](const PlanValue& value) {
             const auto column = AttributeOf(value);
             return column && IsOfBoolean(*column);
           });
  };
  if (std::ranges::any_of(node_->children, gives_one) || gives_one(node_->cached)) return true;
  if (IsWrapper(node_->class_name)) return gives_one(WrappedBy(*node_));
  return node_->children.empty() && node_->cached == nullptr && !columns_.of_booleans_.empty();
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
    const PlanObject* expression = functions->items[i].object;
    if (results != nullptr && i < results->items.size()) {
      if (const auto result = AttributeOf(results->items[i])) {
        Note(result->expr_id, result->name, kind);
        if (kind && expression != nullptr && HoldsBoolean(*expression)) {
          columns_.of_booleans_.insert(result->expr_id);
        }
      }
    }
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
    if (!column || IsKnown(column->expr_id)) continue;
    Note(column->expr_id, column->name, buffers[i]);
    if (buffers[i] && MayBeMadeOfBoolean()) columns_.of_booleans_.insert(column->expr_id);
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
  if (!has_expressions || !Has(kMadeOfExpressions, ShortClassName(node_->class_name))) {
    for (const PlanNode* child : node_->children) kind = Stronger(kind, OfAllOutput(*child));
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
    if (kind && HoldsBoolean(object)) columns_.of_booleans_.insert(column->expr_id);
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
  if (columns_.has_masked_folders_ && IsExpressionClass(object, "InputFileName"))
    return OfUnknown();
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
  if (Has(kSubqueries, ShortClassName(object.class_name))) NoteSubquery(object, kind);
  if (IsBoolean(object)) {
    if (kind) NoteLiterals(object, true);
    (kind ? masked_conditions_ : clear_conditions_).push_back(&object);
  }
  return TellsOnlyOfValues(object) ? std::nullopt : kind;
}

void MaskFollower::NoteSubquery(const PlanObject& object, Kind kind) {
  const int64_t id = ExprIdOf(object.argument("exprId"));
  if (id >= 0 && !kind) columns_.clear_values_.insert(id);
}

/// What a masked value is compared with may be one, wherever the optimizer has put it since.
void MaskFollower::NoteLiterals(const PlanObject& object, bool with_integers) {
  const auto note = [&](const PlanValue& value) {
    if (value.is(PlanValue::Kind::kInteger)) {
      if (with_integers) columns_.literals_.insert(std::to_string(value.integer));
    } else if (!value.text.empty()) {
      columns_.literals_.emplace(value.text);
    }
    if (!value.is(PlanValue::Kind::kDecimal)) return;
    std::string unscaled(value.text);
    std::erase(unscaled, '.');
    columns_.literals_.insert(std::move(unscaled));
  };
  for (size_t i = 0; i < object.children.size(); ++i) {
    const PlanObject* child = object.child(i);
    if (child == nullptr || !IsExpressionClass(*child, "Literal")) continue;
    if (const PlanValue* value = child->argument("value")) note(*value);
  }
  if (const PlanValue* set = object.argument("hset")) {
    for (const PlanValue& item : set->items) note(item);
  }
}

/// What a column of a scan is in files that lack it.
void MaskFollower::NoteDefault(size_t index) {
  const PlanValue* defaults = node_->argument("existenceDefaults");
  if (defaults == nullptr || index >= defaults->items.size()) return;
  NoteLiterals({.children = defaults->items.subspan(index, 1)}, true);
}

/// True of counts, ranks, and predicates over values of other types than boolean.
bool MaskFollower::TellsOnlyOfValues(const PlanObject& object) {
  const std::string_view name = ShortClassName(object.class_name);
  if (Has(kCounts, name) || Has(kNullTests, name)) return true;
  return Has(kComparisons, name) && !HoldsBoolean(object);
}

/// Whether a masked boolean goes into what is compared: what comes out would be that boolean again.
bool MaskFollower::HoldsBoolean(const PlanObject& object) {
  if (IsExpressionClass(object, "AttributeReference")) {
    const auto column = AttributeOf(object);
    return column && IsOfBoolean(*column);
  }
  const auto known = holding_boolean_.find(&object);
  if (known != holding_boolean_.end()) return known->second;
  bool holds = false;
  for (size_t i = 0; i < object.children.size() && !holds; ++i) {
    const PlanObject* child = object.child(i);
    if (child == nullptr) continue;
    holds = HoldsBoolean(*child) || (IsBoolean(*child) && Held(*child));
  }
  return holding_boolean_[&object] = holds;
}

void MaskFollower::Note(int64_t id, std::string_view name, Kind kind) {
  if (!kind) {
    if (columns_.kinds_.contains(id)) return;
    columns_.clear_.insert(id);
    if (!name.empty()) columns_.clear_names_.emplace(name);
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

/// Whether the node reads files that stand in folders named after masked values.
bool MaskedColumns::HasMaskedPartition(const PlanNode& node) const {
  const PlanValue* relation = node.argument("relation");
  if (relation == nullptr || relation->object == nullptr) return false;
  const PlanValue* schema = relation->object->argument("partitionSchema");
  if (schema == nullptr || schema->data_type == nullptr) return false;
  return std::ranges::any_of(schema->data_type->fields, [&](const StructField& field) {
    return OfName(field.name).has_value();
  });
}

nlohmann::json MaskedColumns::HiddenIn(const PlanNode& node) const {
  const bool has_masked = std::ranges::any_of(node.output, [&](const PlanValue& value) {
    const auto column = AttributeOf(value);
    return column && Of(*column);
  });
  std::set<int64_t> clear = clear_values_;
  // The bounds of a partitioning by range are values of what goes through.
  if (!has_masked) clear.insert(0);
  return {{"clearValues", clear},
          {"literals", literals_},
          {"rows", node.children.empty() && has_masked && node.argument("relation") == nullptr},
          {"folders", HasMaskedPartition(node)},
          {"leafFolders", has_masked_folders_}};
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
          {"unfit", unfit_},
          {"columns", kinds},
          {"ofBooleans", of_booleans_},
          {"clear", clear_},
          {"clearNames", clear_names_},
          {"clearValues", clear_values_},
          {"literals", literals_},
          {"hasMaskedFolders", has_masked_folders_},
          {"names", names}};
}

MaskedColumns MaskedColumns::FromJson(const nlohmann::json& json) {
  const auto kind_of = [](const nlohmann::json& name) {
    return MaskKindOf(name.get<std::string>()).value_or(MaskKind::kNull);
  };
  MaskedColumns columns;
  columns.masks_ = json.at("masks");
  columns.unfit_ = json.at("unfit").get<std::string>();
  for (const auto& item : json.at("columns")) {
    columns.kinds_[item.at(0).get<int64_t>()] = kind_of(item.at(1));
  }
  columns.of_booleans_ = json.at("ofBooleans").get<std::set<int64_t>>();
  columns.clear_ = json.at("clear").get<std::set<int64_t>>();
  columns.clear_names_ = json.at("clearNames").get<std::set<std::string>>();
  columns.clear_values_ = json.at("clearValues").get<std::set<int64_t>>();
  columns.has_masked_folders_ = json.at("hasMaskedFolders").get<bool>();
  columns.literals_ = json.at("literals").get<std::set<std::string>>();
  for (const auto& [name, kind] : json.at("names").items()) columns.by_name_[name] = kind_of(kind);
  return columns;
}

}  // namespace reprise
