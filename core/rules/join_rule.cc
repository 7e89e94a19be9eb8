// BroadcastHashJoinExec, ShuffledHashJoinExec, SortMergeJoinExec -> hash_join;
// BroadcastNestedLoopJoinExec, CartesianProductExec -> nested_loop_join.
//
// Input:   `leftKeys`, `rightKeys`, `joinType`, `buildSide`, `condition`, `isNullAwareAntiJoin`.
// Output:  as operators/join/hash_join.h and operators/join/nested_loop_join.h describe.
// Example: BroadcastHashJoin [a#1], [b#2], Inner, BuildRight  ->  {"joinType":"inner",
//          "buildSide":"right","leftKeys":[column 0],"rightKeys":[column 0],"condition":null,…}
//
// A sort-merge join gets the build side that leaves the rows of the side whose order it promises
// (SortMergeJoinExec.outputOrdering) in their order: the right one, but the left one for a right
// outer join. Whether anybody needs that order is asked by the pass "sorts", which else chooses the
// side with fewer rows.
//
// A task alone cannot tell which rows of a broadcast have no match in any task. Where such rows, or
// those that have one, leave (outer joins that build the side they keep; semi, anti and existence
// joins that build the left one), the join is three operators more (JoinParts): each task joins its
// rows, tells which rows of the broadcast have a match, and one task gives the rest.
#include "rules/join_rule.h"

#include <algorithm>

#include "plan/plan_text.h"
#include "rules/guest_expressions.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

struct TypeName {
  std::string_view spark;
  std::string_view spec;
};

constexpr TypeName kTypeNames[] = {
    {"Inner", "inner"},    {"Cross", "inner"},
    {"LeftOuter", "left"}, {"RightOuter", "right"},
    {"FullOuter", "full"}, {"LeftSemi", "semi"},
    {"LeftAnti", "anti"},  {"ExistenceJoin", "existence"},
};

/// Case objects are written as enumerations; ExistenceJoin carries its attribute; a cartesian
/// product has no such argument.
std::string_view SparkJoinType(const PlanNode& node) {
  const PlanValue* type = node.argument("joinType");
  if (type == nullptr) return "Inner";
  return type->object != nullptr ? ShortClassName(type->object->class_name) : type->text;
}

/// What explain() shows: the keys where it has some, the type, the build side, the condition, and
/// whether adaptive execution has split skewed partitions, in Spark's words.
void SetJoinText(const PlanNode& node, NativeOperator* native) {
  std::string text;
  for (std::string_view name : {"leftKeys", "rightKeys"}) {
    const PlanValue* keys = node.argument(name);
    if (keys != nullptr && native->arguments.contains(name)) text += ValueText(*keys) + ", ";
  }
  text += fmt::format("{}, {}", SparkJoinType(node),
                      native->arguments["buildSide"] == "left" ? "BuildLeft" : "BuildRight");
  const PlanValue* condition = node.argument("condition");
  if (condition != nullptr && !condition->is_null()) text += ", " + ValueText(*condition);
  const PlanValue* skew = node.argument("isSkewJoin");
  if (skew != nullptr && skew->boolean) text += ", skew=true";
  native->arguments_text = std::move(text);
}

class JoinTranslation {
 public:
  JoinTranslation(const OperatorQuestion& question, bool is_broadcast)
      : node_(question.node),
        translation_(question, 2),
        is_broadcast_(is_broadcast),
        is_deferred_(is_broadcast && IsGenerated(question)) {}

  Judgement Run(bool keyed) {
    if (!translation_.ok()) return translation_.Take();
    if (!TranslateType() || !ChooseBuildSide()) return translation_.Take();
    translation_.AllowGuests();
    if (keyed) TranslateKeys();
    // Of a sort-merge join the rows of a key come in the order of the build side.
    if (keyed) arguments()["latestFirst"] = node_.argument("buildSide") != nullptr;
    const bool is_generated = keyed || (!keeps_build_ && type_ != "existence");
    if (is_deferred_ && is_generated) arguments()["deferred"] = true;
    TranslateCondition(keyed);
    if (translation_.judgement().native) SetJoinText(node_, &translation_.native());
    if (is_broadcast_ && !keyed && translation_.ok()) DivideWhereRowsAreKept();
    return translation_.Take();
  }

 private:
  void Refuse(std::string reason) { translation_.judgement().reasons.push_back(std::move(reason)); }
  Json& arguments() { return translation_.native().arguments; }

  bool TranslateType() {
    const std::string_view spark = SparkJoinType(node_);
    const auto* known = std::ranges::find(kTypeNames, spark, &TypeName::spark);
    if (known == std::end(kTypeNames)) {
      Refuse(fmt::format("join type {} is not run natively", spark));
      return false;
    }
    type_ = known->spec;
    arguments()["joinType"] = type_;
    return true;
  }

  bool ChooseBuildSide() {
    const PlanValue* side = node_.argument("buildSide");
    const bool is_left = side != nullptr ? side->text == "BuildLeft" : type_ == "right";
    arguments()["buildSide"] = is_left ? "left" : "right";
    is_membership_ = type_ == "semi" || type_ == "anti" || type_ == "existence";
    keeps_build_ =
        (is_membership_ && is_left) || type_ == "full" || type_ == (is_left ? "left" : "right");
    // Spark plans none of these.
    const bool has_keys = node_.argument("leftKeys") != nullptr;
    if (has_keys && is_membership_ && is_left) {
      Refuse("a semi, anti or existence join with keys that builds its left side");
      return false;
    }
    if (!has_keys || !is_broadcast_ || !keeps_build_) return true;
    Refuse("it has keys and keeps unmatched rows of its broadcast side");
    return false;
  }

  /// The whole join, which one task can run that sees all rows, and its parts.
  void DivideWhereRowsAreKept() {
    if (!keeps_build_) return;
    const bool is_left = arguments()["buildSide"] == "left";
    const NativeOperator& whole = translation_.native();
    JoinParts parts;
    parts.streamed = is_left ? 1 : 0;
    OperatorSpec part;
    part.kind = "nested_loop_join";
    part.name = "RepriseBroadcastNestedLoopJoin";
    part.inputs = whole.inputs;
    part.output = whole.output;
    part.arguments = whole.arguments;
    if (!is_membership_) {
      part.arguments["joinType"] = type_ != "full" ? "inner" : is_left ? "right" : "left";
      parts.pairs = part;
    }
    const Field number{"row", {TypeKind::kInteger, 0, 0, {}}, false};
    parts.matches = part;
    parts.matches.kind = "matched_rows";
    parts.matches.arguments["joinType"] = "inner";
    parts.matches.output = {number};
    parts.unmatched = part;
    parts.unmatched.kind = "unmatched_rows";
    parts.unmatched.inputs = {{number}, whole.inputs[1 - parts.streamed]};
    parts.unmatched.arguments = {{"joinType", type_}, {"buildSide", whole.arguments["buildSide"]}};
    translation_.native().parts = std::move(parts);
    // In one task any side may be held.
    if (is_membership_) arguments()["buildSide"] = "right";
  }

  Json KeysJson(std::string_view name, size_t child) {
    const PlanValue* keys = node_.argument(name);
    if (keys == nullptr || keys->items.empty()) {
      Refuse(fmt::format("it has no argument \"{}\"", name));
      return Json::array();
    }
    return translation_.TranslateKeysOf(child, keys->items);
  }

  void TranslateKeys() {
    Json left = KeysJson("leftKeys", 0);
    Json right = KeysJson("rightKeys", 1);
    const Judgement& so_far = translation_.judgement();
    if (!so_far.reasons.empty() || !so_far.refusals.empty()) return;
    if (left.size() != right.size()) return Refuse("its sides have different numbers of keys");
    for (size_t i = 0; i < left.size(); ++i) {
      if (left[i]["type"] == right[i]["type"]) continue;
      return Refuse(fmt::format("key {} is {} on the left and {} on the right", i,
                                left[i]["type"].get<std::string>(),
                                right[i]["type"].get<std::string>()));
    }
    const PlanValue* null_aware = node_.argument("isNullAwareAntiJoin");
    arguments()["leftKeys"] = std::move(left);
    arguments()["rightKeys"] = std::move(right);
    arguments()["nullAware"] = null_aware != nullptr && null_aware->boolean;
    DropGuests();
  }

  /// What Spark computes for keys does not leave.
  void DropGuests() {
    const auto& guests = translation_.native().guests;
    if (guests[0].empty() && guests[1].empty()) return;
    arguments()["dropped"] = {guests[0].size(), guests[1].size()};
  }

  void TranslateCondition(bool keyed) {
    arguments()["condition"] = nullptr;
    const PlanValue* condition = node_.argument("condition");
    if (condition == nullptr || condition->is_null()) return;
    if (condition->object != nullptr && !translation_.TryNatively(*condition->object) &&
        TranslateAsGuest(*condition, keyed)) {
      return;
    }
    const auto spec = translation_.Translate(*condition, translation_.InputWithGuests());
    if (!spec) return;
    if (!spec->type.is(TypeKind::kBoolean)) {
      return Refuse("the condition has type " + TypeText(spec->type));
    }
    arguments()["condition"] = ToJson(*spec);
  }

  /// The whole condition is Spark's; what is native before the first part that is not chooses the
  /// pairs: all but those that it makes false, for behind a null Spark goes on. Of all pairs of
  /// rows Spark is asked only where it is in doubt alone: else it would cost more than it gains.
  bool TranslateAsGuest(const PlanValue& condition, bool keyed) {
    const Binding input = translation_.InputWithGuests();
    auto guest = translation_.GuestOfPairs(*condition.object, input);
    if (!guest || (!keyed && (keeps_build_ || !guest->is_tried()))) return false;
    arguments()["guestReads"] = guest->reads;
    if (guest->is_tried()) arguments()["guestTrial"] = ToJson(*guest->trial);
    const auto left_count = static_cast<int>(translation_.input_of(0).fields().size());
    const auto left_guests = static_cast<int>(translation_.native().guests[0].size());
    // Of the columns that Spark's node has.
    for (int& column : guest->reads) {
      if (column >= left_count) column -= left_guests;
    }
    translation_.native().guest_condition_of_pairs = std::move(guest);
    std::optional<ExpressionSpec> first;
    for (const PlanObject* one : ConditionsOf(condition)) {
      auto spec = translation_.TryNatively(*one, input);
      if (!spec) break;
      first = first ? Both(*std::move(first), *std::move(spec)) : std::move(spec);
    }
    if (!first) return true;
    if (first->nullable) {
      const ExpressionSpec yes{"literal", first->type, false, {{"value", true}}, {}};
      first = ExpressionSpec{"coalesce", first->type, false, {}, {*std::move(first), yes}};
    }
    arguments()["condition"] = ToJson(*first);
    return true;
  }

  const PlanNode& node_;
  OperatorTranslation translation_;
  bool is_broadcast_;
  bool is_deferred_;  // what the join does not use of a streamed row Spark computes above it
  bool is_membership_ = false;
  bool keeps_build_ = false;
  std::string_view type_;
};

}  // namespace

Judgement JudgeHashJoin(const OperatorQuestion& question) {
  const bool is_broadcast = question.node.class_name.ends_with("BroadcastHashJoinExec");
  return JoinTranslation(question, is_broadcast).Run(/*keyed=*/true);
}

void SetBuildSide(const PlanNode& node, bool is_left, NativeOperator* native) {
  native->arguments["buildSide"] = is_left ? "left" : "right";
  SetJoinText(node, native);
}

Judgement JudgeNestedLoopJoin(const OperatorQuestion& question) {
  return JoinTranslation(question, /*is_broadcast=*/true).Run(/*keyed=*/false);
}

Judgement JudgeCartesianProduct(const OperatorQuestion& question) {
  Judgement judgement = JoinTranslation(question, /*is_broadcast=*/false).Run(/*keyed=*/false);
  if (!judgement.native) return judgement;
  // Spark promises no order.
  judgement.native->arguments["ordered"] = false;
  judgement.native->pairs_partitions = true;
  return judgement;
}

}  // namespace reprise
