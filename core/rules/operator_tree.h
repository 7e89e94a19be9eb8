// The operators of a plan, seen through the nodes that are not operators (wrappers), with what the
// passes find out.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plan/plan.h"
#include "rules/operator_table.h"

namespace reprise {

/// One operator: a physical node object, once, however often the plan refers to it.
struct PlanOperator {
  const PlanNode* node = nullptr;
  std::vector<PlanOperator*> children;  ///< through wrappers
  std::vector<PlanOperator*> subplans;  ///< roots of the plans in its arguments
  PlanOperator* parent = nullptr;       ///< the first operator that consumes it; null for roots
  PlanOperator* owner = nullptr;        ///< of a subplan's root: the operator that it stands in
  int depth = 0;                        ///< in its tree; roots 0
  /// Reached through children from the plan's root, not below a query stage: the plug-in can
  /// replace it.
  bool replaceable = false;

  int64_t lore_id = 0;  ///< 0: not tagged
  std::string fingerprint;
  std::string occurrence;

  char mark = '!';  ///< '*' native, '!' not, '@' could be, '#' removed
  Judgement judgement;
  /// It, or an operator above in the same stage, asks for the name or place of the file being read.
  bool input_file_wanted = false;
  std::vector<std::string> neighbour_reasons;  ///< with mark '@' or '#'
  nlohmann::json capture;                      ///< null: not dumped
  /// How it is dumped where no fragment is dumped with it in it; null: it is not.
  nlohmann::json capture_alone;
  /// Of an operator in a fragment that is dumped: the fragment's root, and by input the number of
  /// the fragment's stream that it reads there, or -1 where another of its operators gives the
  /// rows.
  const PlanOperator* fragment_root = nullptr;
  std::vector<int> fragment_streams;
  nlohmann::json assertions;  ///< null: none (assertion_pass.cc)
};

/// Gives the operator mark '@', for `reason` and because of its guests.
void LeaveGuestsToSpark(PlanOperator* subject, std::string_view reason);

/// True for AdaptiveSparkPlanExec, query stages, codegen's nodes, row and column transitions,
/// reused exchanges and subqueries' own nodes.
bool IsWrapper(std::string_view class_name);

/// True for query stages: what is below has its own plan already.
bool IsQueryStage(std::string_view class_name);

/// What a wrapper wraps: its child, or the plan in its arguments; null where the document does not
/// say it.
const PlanNode* WrappedBy(const PlanNode& node);

/// True where what the node gives is a broadcast: itself or, through wrappers, what it wraps.
bool IsBroadcast(const PlanNode& node);

/// Spark's name of the operator: "Filter" for FilterExec.
std::string_view OperatorName(const PlanNode& node);

class OperatorTree {
 public:
  explicit OperatorTree(const PlanDocument& plan);
  OperatorTree(const OperatorTree&) = delete;
  OperatorTree& operator=(const OperatorTree&) = delete;

  /// All operators: the main plan in pre-order, then the plans inside its expressions in the order
  /// in which they appear, then those inside these.
  const std::vector<PlanOperator*>& operators() const { return order_; }
  /// The operator of a node; null for wrappers.
  PlanOperator* find(const PlanNode& node) const;
  /// Child number `index` of the operator's node, seen through removed operators.
  const PlanNode& input(const PlanOperator& subject, size_t index) const;
  /// The operator that stands for the node: itself, or below the wrapper; null where a wrapper
  /// hides what it wraps.
  PlanOperator* resolve(const PlanNode& node) const;

 private:
  struct Visit {
    const PlanNode* node;
    PlanOperator* parent;
    int depth;
    bool replaceable;
  };

  PlanOperator* Add(const Visit& visit);
  void VisitTree(const PlanNode& root, bool replaceable, PlanOperator* owner);
  void CollectPlans(const PlanValue& value, std::vector<const PlanNode*>* plans);

  std::deque<PlanOperator> storage_;
  std::vector<PlanOperator*> order_;
  std::unordered_map<const PlanNode*, PlanOperator*> by_node_;
  std::unordered_map<const PlanObject*, bool> objects_seen_;
  std::deque<std::pair<const PlanNode*, PlanOperator*>> waiting_;  // plans in arguments, and whose
};

}  // namespace reprise
