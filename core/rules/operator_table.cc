#include "rules/operator_table.h"

#include <algorithm>

#include "base/check.h"

namespace reprise {

namespace {

constexpr OperatorRule kOperators[] = {
#define OPERATOR(spark_class, kind, native_name, rule, limits) \
  {"org.apache.spark.sql.execution." spark_class, kind, native_name, rule, limits},
#include "vocabulary/operators.def"
};

constexpr OperatorThatStays kOperatorsThatStay[] = {
#define STAYS(spark_class, reason) {"org.apache.spark.sql.execution." spark_class, reason},
#include "vocabulary/operators.def"
};

std::string ReasonWithoutOperatorRule(std::string_view class_name) {
  const auto found =
      std::ranges::find(kOperatorsThatStay, class_name, &OperatorThatStays::class_name);
  if (found != std::end(kOperatorsThatStay)) return std::string(found->reason);
  return fmt::format("operator {} has no native implementation", class_name);
}

void AddReasons(const std::vector<Refusal>& refusals, std::vector<std::string>* all) {
  for (const Refusal& refusal : refusals) {
    std::string reason = fmt::format("expression {}: {}", refusal.expression, refusal.reason);
    if (std::ranges::find(*all, reason) == all->end()) all->push_back(std::move(reason));
  }
}

}  // namespace

bool NativeOperator::HasRowsForGuests() const {
  return !guest_functions.empty() ||
         (guest_condition_of_pairs && !guest_condition_of_pairs->is_tried()) ||
         std::ranges::any_of(guests, [](const auto& of_input) {
           return !std::ranges::all_of(of_input, &Guest::is_tried);
         });
}

std::vector<const Guest*> NativeOperator::AllGuests() const {
  std::vector<const Guest*> all;
  for (const auto& of_input : guests) {
    for (const Guest& guest : of_input) all.push_back(&guest);
  }
  for (const GuestFunction& function : guest_functions) all.push_back(&function.guest);
  if (guest_condition_of_pairs) all.push_back(&*guest_condition_of_pairs);
  if (!results) return all;
  for (const Guest& guest : results->guests) all.push_back(&guest);
  return all;
}

std::vector<std::string> NativeOperator::GuestReasons() const {
  std::vector<std::string> all;
  for (const Guest* guest : AllGuests()) AddReasons(guest->refusals, &all);
  return all;
}

std::vector<std::string> Judgement::AllReasons() const {
  std::vector<std::string> all = reasons;
  AddReasons(refusals, &all);
  return all;
}

std::span<const OperatorRule> OperatorTable() { return kOperators; }

std::span<const OperatorThatStays> OperatorsThatStay() { return kOperatorsThatStay; }

const OperatorRule* FindOperatorRule(std::string_view class_name) {
  const auto found = std::ranges::find(kOperators, class_name, &OperatorRule::class_name);
  return found == std::end(kOperators) ? nullptr : found;
}

const OperatorRule& RuleOf(std::string_view class_name, const NativeOperator& native) {
  const auto found = std::ranges::find_if(kOperators, [&](const OperatorRule& rule) {
    return rule.class_name == class_name && (native.kind.empty() || rule.kind == native.kind);
  });
  REPRISE_CHECK(found != std::end(kOperators), "{} runs as {} by no rule", class_name, native.kind);
  return *found;
}

Judgement Refused(std::string reason) {
  Judgement judgement;
  judgement.reasons.push_back(std::move(reason));
  return judgement;
}

Judgement Judge(const OperatorQuestion& question) {
  const OperatorRule* rule = FindOperatorRule(question.node.class_name);
  if (rule == nullptr) {
    return Refused(ReasonWithoutOperatorRule(question.node.class_name));
  }
  if (question.input_file_wanted) {
    return Refused(
        "an operator above asks for the name or place of the file being read, which native "
        "operators would have read past");
  }
  Judgement judgement = rule->judge(question);
  if (!judgement.reasons.empty() || !judgement.refusals.empty()) judgement.native.reset();
  REPRISE_CHECK(judgement.native || !judgement.AllReasons().empty(),
                "{} is refused without a reason", question.node.class_name);
  return judgement;
}

}  // namespace reprise
