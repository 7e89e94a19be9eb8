// BroadcastHashJoinExec, ShuffledHashJoinExec, SortMergeJoinExec -> hash_join;
// BroadcastNestedLoopJoinExec -> nested_loop_join.
//
// Input:   `leftKeys`, `rightKeys`, `joinType`, `buildSide`, `condition`, `isNullAwareAntiJoin`.
// Output:  as operators/hash_join.h and operators/nested_loop_join.h describe.
// Example: BroadcastHashJoin [a#1], [b#2], Inner, BuildRight  ->  {"joinType":"inner",
//          "buildSide":"right","leftKeys":[column 0],"rightKeys":[column 0],"condition":null,…}
//
// A sort-merge join gets the build side that leaves the rows of the side whose order it promises
// (SortMergeJoinExec.outputOrdering) in their order: the right one, but the left one for a right
// outer join. Whether anybody needs that order is asked by the pass "sorts", which else chooses the
// side with fewer rows; whether a broadcast can be read is asked by the pass "neighbours".
#include "rules/join_rule.h"

#include <algorithm>

#include "plan/plan_text.h"
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

/// Case objects are written as enumerations; ExistenceJoin carries its attribute.
std::string_view SparkJoinType(const PlanNode& node) {
  const PlanValue* type = node.argument("joinType");
  if (type == nullptr) return "";
  return type->object != nullptr ? ShortClassName(type->object->class_name) : type->text;
}

/// What explain() shows: the keys where it has some, the type, the build side, the condition.
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
  native->arguments_text = std::move(text);
}

class JoinTranslation {
 public:
  JoinTranslation(const OperatorQuestion& question, bool is_broadcast)
      : node_(question.node), translation_(question, 2), is_broadcast_(is_broadcast) {}

  Judgement Run(bool keyed) {
    if (!translation_.ok()) return translation_.Take();
    if (!TranslateType() || !ChooseBuildSide()) return translation_.Take();
    if (keyed) TranslateKeys();
    TranslateCondition();
    if (translation_.judgement().native) SetJoinText(node_, &translation_.native());
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
    const bool is_membership = type_ == "semi" || type_ == "anti" || type_ == "existence";
    if (is_membership && is_left) {
      Refuse("a semi, anti or existence join that builds its left side is not run natively");
      return false;
    }
    const bool keeps_build = type_ == "full" || type_ == (is_left ? "left" : "right");
    if (!is_broadcast_ || !keeps_build) return true;
    Refuse("it keeps unmatched rows of its broadcast side, which no task can tell alone");
    return false;
  }

  Json KeysJson(std::string_view name, size_t child) {
    Json json = Json::array();
    const PlanValue* keys = node_.argument(name);
    if (keys == nullptr || keys->items.empty()) {
      Refuse(fmt::format("it has no argument \"{}\"", name));
      return json;
    }
    for (const PlanValue& key : keys->items) {
      const auto spec = translation_.Translate(key, translation_.input_of(child));
      if (spec) json.push_back(ToJson(*spec));
    }
    return json;
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
  }

  void TranslateCondition() {
    arguments()["condition"] = nullptr;
    const PlanValue* condition = node_.argument("condition");
    if (condition == nullptr || condition->is_null()) return;
    const auto spec = translation_.Translate(*condition);
    if (!spec) return;
    if (!spec->type.is(TypeKind::kBoolean)) {
      return Refuse("the condition has type " + TypeText(spec->type));
    }
    arguments()["condition"] = ToJson(*spec);
  }

  const PlanNode& node_;
  OperatorTranslation translation_;
  bool is_broadcast_;
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

}  // namespace reprise
