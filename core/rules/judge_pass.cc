// Pass "judge": asks the operator table about each operator alone.
//
// Input:   the tree of operators.
// Output:  mark '*' and a native operator, or mark '!' and at least one reason, for each.
// Example: Filter (a#1 < 5) over a sort-merge join  ->  '*' for the filter, '!' for the join
//
// Below an operator that asks which file is being read everything is Spark's, down to the next
// exchange: Spark's answer is that of the file which the thread has open (InputFileBlockHolder), so
// that who reads ahead or gathers rows changes it.
//
// A request that only asks for numbers is spared the work.
#include <unordered_map>
#include <unordered_set>

#include "rules/pipeline.h"

namespace reprise {

namespace {

/// Finds expressions that ask for the file that the scan below is reading.
class InputFileSearch {
 public:
  bool WantedBy(const PlanNode& node) {
    for (const auto& [name, value] : node.arguments) {
      if (Wanted(value)) return true;
    }
    return false;
  }

 private:
  bool Wanted(const PlanValue& value) {
    if (value.object != nullptr) return Wanted(*value.object);
    for (const PlanValue& item : value.items) {
      if (Wanted(item)) return true;
    }
    return false;
  }
  bool Wanted(const PlanObject& object) {
    const auto known = known_.find(&object);
    if (known != known_.end()) return known->second;
    const std::string_view name = ShortClassName(object.class_name);
    bool wanted = name.starts_with("InputFile");
    for (size_t i = 0; !wanted && i < object.children.size(); ++i) {
      wanted = Wanted(object.children[i]);
    }
    for (size_t i = 0; !wanted && i < object.arguments.size(); ++i) {
      wanted = Wanted(object.arguments[i].second);
    }
    known_.emplace(&object, wanted);
    return wanted;
  }

  std::unordered_map<const PlanObject*, bool> known_;
};

/// Whether what is below runs in other tasks.
bool EndsStage(const PlanNode& node) { return node.class_name.ends_with("ExchangeExec"); }

}  // namespace

Status JudgeOperators(Planning* planning) {
  const Config& config = planning->config();
  const bool only_numbers =
      planning->request.pass == PlanRequest::Pass::kTag && !planning->request.foretells &&
      config.explain() == ExplainMode::kNone && config.text("spark.reprise.lore.idsToDump").empty();
  if (only_numbers) return Status::OK();
  planning->is_judged = true;
  InputFileSearch search;
  std::unordered_set<const PlanOperator*> below_wanted;
  for (PlanOperator* subject : planning->tree.operators()) {
    // Operators stand in pre-order: a parent is looked at before its children.
    const bool wanted = subject->parent != nullptr && below_wanted.contains(subject->parent) &&
                        !EndsStage(*subject->node);
    if (wanted || search.WantedBy(*subject->node)) below_wanted.insert(subject);
    subject->input_file_wanted = below_wanted.contains(subject);
    subject->judgement = Judge({*subject->node, planning->config(), wanted,
                                planning->plan.spark_version(), planning->plan.scala_version()});
    subject->mark = subject->judgement.native ? '*' : '!';
  }
  return Status::OK();
}

}  // namespace reprise
