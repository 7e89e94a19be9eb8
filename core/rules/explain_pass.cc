// Pass "explain": the text that tells the user what runs natively and why the rest does not.
//
// Input:   the operators' marks and reasons; spark.reprise.sql.explain.
// Output:  one line an operator, indented as the tree, and below it the refused expressions:
//            !Exec <SortMergeJoinExec> [loreId=3 SortMergeJoin#0 81b6…] cannot run natively because
//            …
//              *Exec <FilterExec> [loreId=5 Filter#0 0c9d…] will run natively
//          "equals 28" behind the names: it stands at or below an exchange that is equal to one
//          before, which Spark reads in its place (spark.sql.exchange.reuse).
//          A removed operator has the mark #. An expression that Spark evaluates for a native
//          operator has the mark +:
//              *Exec <FilterExec> [loreId=5 Filter#0 0c9d…] will run natively, with 1 guest
//                  +Expression <RLike> … is a guest, which Spark evaluates, because …
//          NOT_NATIVE prints the lines with !, @ and +, and the operators of these.
//
// A query is explained when its first plan is looked at, and whenever it is asked for later; not
// when adaptive execution plans the rest again.
#include <algorithm>
#include <unordered_map>

#include "rules/pipeline.h"

namespace reprise {

namespace {

std::vector<const Guest*> GuestsOf(const PlanOperator& subject) {
  if (subject.mark != '*' && subject.mark != '@') return {};
  return subject.judgement.native->AllGuests();
}

std::string Verdict(const PlanOperator& subject) {
  const size_t guests = GuestsOf(subject).size();
  switch (subject.mark) {
    case '*':
      return guests == 0 ? "will run natively"
                         : fmt::format("will run natively, with {} guest{}", guests,
                                       guests == 1 ? "" : "s");
    case '#':
      return fmt::format("is removed because {}", fmt::join(subject.neighbour_reasons, "; "));
    case '@':
      return fmt::format("could run natively but stays with Spark because {}",
                         fmt::join(subject.neighbour_reasons, "; "));
    default:
      return fmt::format("cannot run natively because {}",
                         fmt::join(subject.judgement.AllReasons(), "; "));
  }
}

/// The operators at and below exchanges that are equal to one before, with those that they equal.
class EqualExchanges {
 public:
  explicit EqualExchanges(const OperatorTree& tree) {
    std::unordered_map<std::string_view, const PlanOperator*> first;
    for (const PlanOperator* subject : tree.operators()) {
      const std::string_view name = ShortClassName(subject->node->class_name);
      if (name != "ShuffleExchangeExec" && name != "BroadcastExchangeExec") continue;
      if (subject->lore_id == 0 || equal_to_.contains(subject)) continue;
      const auto [found, is_new] = first.emplace(subject->fingerprint, subject);
      if (!is_new) Pair(*subject, *found->second);
    }
  }

  /// 0: equal to none before it.
  int64_t EqualTo(const PlanOperator& subject) const {
    const auto found = equal_to_.find(&subject);
    return found == equal_to_.end() ? 0 : found->second;
  }

 private:
  void Pair(const PlanOperator& subject, const PlanOperator& first) {
    equal_to_[&subject] = first.lore_id;
    const size_t children = std::min(subject.children.size(), first.children.size());
    for (size_t i = 0; i < children; ++i) Pair(*subject.children[i], *first.children[i]);
  }

  std::unordered_map<const PlanOperator*, int64_t> equal_to_;
};

/// What the operator can be chosen by for a dump.
std::string NamesOfOperator(const PlanOperator& subject, const EqualExchanges& equal) {
  if (subject.lore_id == 0) return "";
  const int64_t other = equal.EqualTo(subject);
  return fmt::format(" [loreId={} {} {}{}]", subject.lore_id, subject.occurrence,
                     subject.fingerprint, other == 0 ? "" : fmt::format(" equals {}", other));
}

void AddGuests(const PlanOperator& subject, std::string_view indent, std::string* text) {
  for (const Guest* guest : GuestsOf(subject)) {
    std::vector<std::string> reasons;
    for (const Refusal& refusal : guest->refusals) {
      reasons.push_back(refusal.text == guest->text
                            ? refusal.reason
                            : fmt::format("{}: {}", refusal.expression, refusal.reason));
    }
    *text +=
        fmt::format("{}    +Expression <{}> {} {} a guest, which Spark evaluates{}, because {}\n",
                    indent, guest->expression, guest->text, subject.mark == '*' ? "is" : "could be",
                    guest->trial ? " where the core is in doubt" : "", fmt::join(reasons, "; "));
  }
}

void AddOperator(const PlanOperator& subject, const EqualExchanges& equal, bool all,
                 std::string* text) {
  const bool is_native = (subject.mark == '*' || subject.mark == '#') && GuestsOf(subject).empty();
  if (is_native && !all) return;
  const std::string indent(static_cast<size_t>(subject.depth) * 2, ' ');
  *text += fmt::format("{}{}Exec <{}>{} {}\n", indent, subject.mark,
                       ShortClassName(subject.node->class_name), NamesOfOperator(subject, equal),
                       Verdict(subject));
  for (const Refusal& refusal : subject.judgement.refusals) {
    *text += fmt::format("{}    !Expression <{}> {} cannot run natively because {}\n", indent,
                         refusal.expression, refusal.text, refusal.reason);
  }
  AddGuests(subject, indent, text);
  if (!all) return;
  for (const std::string& expression : subject.judgement.accepted) {
    *text += fmt::format("{}    *Expression {} {}\n", indent, expression,
                         subject.mark == '*' ? "will run natively" : "could run natively");
  }
}

/// Adaptive execution's plans hold operators that are new and have no id yet.
bool IsAsked(const Planning& planning) {
  if (planning.is_first_look) return true;
  if (planning.request.pass != PlanRequest::Pass::kTag) return false;
  return std::ranges::all_of(planning.tree.operators(), [](const PlanOperator* subject) {
    return !subject->replaceable || subject->node->lore_id != 0;
  });
}

}  // namespace

Status ExplainPlan(Planning* planning) {
  const ExplainMode mode = planning->config().explain();
  if (mode == ExplainMode::kNone || !IsAsked(*planning)) return Status::OK();
  const EqualExchanges equal(planning->tree);
  for (const PlanOperator* subject : planning->tree.operators()) {
    AddOperator(*subject, equal, mode == ExplainMode::kAll, &planning->explain);
  }
  return Status::OK();
}

}  // namespace reprise
