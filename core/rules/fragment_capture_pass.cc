// Pass "fragment captures": puts operators that are chosen by their stage together, so that of a
// fragment only what enters and leaves it is recorded.
//
// Input:   the operators that may be dumped with others ("capture_alone"), and the final marks.
// Output:  the member "capture" of those that are dumped alone, and of the root of each fragment of
// several: with "fragment", its specification without the operators, "streams" and "shared", those
// that all tasks read whole. Its operators know the root and the streams that they read.
// Example: query, Filter over Project over a shuffle's blocks  ->  one dump of kind "fragment" with
// the id of the filter, whose input-0 is what the project reads
//
// A scan is no part of it: what it gives is recorded. Nor is what needs Spark's or Python's
// functions, several partitions, or an exchange of its own.
#include <algorithm>

#include "plan/spec.h"
#include "rules/pipeline.h"
#include "rules/recording.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

bool MayStandInside(const PlanOperator& subject) {
  if (subject.capture_alone.is_null() || subject.mark != '*') return false;
  const NativeOperator& native = *subject.judgement.native;
  const bool needs_others = !native.AllGuests().empty() || native.python || native.parts ||
                            native.guest_condition_of_pairs || native.pairs_partitions ||
                            !native.guest_functions.empty();
  return !needs_others && !native.reads_files && native.read_kind.empty() &&
         native.union_of.empty() && native.local_arguments.is_null();
}

/// The operator of the same fragment that gives input number `index`; null where it comes from
/// elsewhere.
PlanOperator* GiverInside(const OperatorTree& tree, const PlanOperator& subject, size_t index) {
  const PlanNode& child = tree.input(subject, index);
  PlanOperator* giver = tree.find(child);
  const bool is_here = giver != nullptr && giver->replaceable && !child.blocks;
  return is_here && MayStandInside(*giver) ? giver : nullptr;
}

/// Numbers the streams of one fragment, and says of its operators which they read.
class Fragment {
 public:
  Fragment(const OperatorTree& tree, PlanOperator* root) : tree_(tree), root_(root) { Add(root); }

  bool has_several() const { return operators_ > 1; }

  Json Capture() const {
    const NativeOperator& native = *root_->judgement.native;
    Json capture = root_->capture_alone;
    Json together = Json::object();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const bool is_shared = std::ranges::find(shared_, i) != shared_.end();
      if (!is_shared) together[std::to_string(i)] = ToJson(inputs_[i]);
    }
    if (capture["output"].get<bool>()) together["output"] = ToJson(native.output);
    OperatorSpec spec;
    spec.kind = kFragmentKind;
    spec.name = "RepriseFragment";
    spec.lore_id = root_->lore_id;
    spec.fingerprint = root_->fingerprint;
    spec.occurrence = root_->occurrence;
    spec.output = native.output;
    spec.inputs = inputs_;
    capture["fragment"] = ToJson(spec);
    capture["streams"] = std::move(together);
    capture["shared"] = shared_;
    capture["children"] = children_;
    return capture;
  }

 private:
  void Add(PlanOperator* subject) {
    ++operators_;
    subject->fragment_root = root_;
    const auto& inputs = subject->judgement.native->inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      PlanOperator* giver = GiverInside(tree_, *subject, i);
      subject->fragment_streams.push_back(giver != nullptr ? -1 : static_cast<int>(inputs_.size()));
      if (giver != nullptr) {
        Add(giver);
      } else {
        AddStream(*subject, i);
      }
    }
  }

  void AddStream(const PlanOperator& subject, size_t index) {
    if (IsBroadcast(*subject.node->children[index])) shared_.push_back(inputs_.size());
    inputs_.push_back(subject.judgement.native->inputs[index]);
    children_.push_back(subject.capture_alone["children"][index]);
  }

  const OperatorTree& tree_;
  PlanOperator* const root_;
  int operators_ = 0;
  std::vector<std::vector<Field>> inputs_;
  std::vector<size_t> shared_;
  Json children_ = Json::array();
};

/// Whether another operator of the same fragment reads it.
bool IsReadInside(const OperatorTree& tree, const PlanOperator& subject) {
  const PlanOperator* consumer = subject.parent;
  // What is removed hands on its input.
  while (consumer != nullptr && consumer->mark == '#') consumer = consumer->parent;
  if (consumer == nullptr || !MayStandInside(*consumer)) return false;
  for (size_t i = 0; i < consumer->node->children.size(); ++i) {
    if (GiverInside(tree, *consumer, i) == &subject) return true;
  }
  return false;
}

}  // namespace

Status FormFragmentCaptures(Planning* planning) {
  const OperatorTree& tree = planning->tree;
  for (PlanOperator* subject : tree.operators()) {
    if (subject->capture_alone.is_null() || subject->mark == '#') continue;
    if (!MayStandInside(*subject)) {
      const bool is_recordable = subject->mark == '*' || WhyUnrecordable(*subject).empty();
      if (is_recordable) subject->capture = subject->capture_alone;
      continue;
    }
    if (IsReadInside(tree, *subject)) continue;
    Fragment fragment(tree, subject);
    if (fragment.has_several()) {
      subject->capture = fragment.Capture();
    } else {
      subject->fragment_root = nullptr;
      subject->fragment_streams.clear();
      subject->capture = subject->capture_alone;
    }
  }
  return Status::OK();
}

}  // namespace reprise
