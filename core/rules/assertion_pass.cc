// Pass "assertions": binds what the user asserts of operators to their columns.
//
// Input:   spark.reprise.assert; the operators' ids, and their output.
// Output:  the member "assertions" of each operator that is named, as
//          operators/output_assertions.h reads it
// Example: "5: a > 0", Filter with id 5  ->  the assertion of the filter, with the predicate bound
//
// An assertion that cannot be checked is an error, not silence, of the first part of the query that
// runs. One about an operator that the query does not have is a warning (missing_choices.h).
#include "base/error_at.h"
#include "rules/assertion_list.h"
#include "rules/class_names.h"
#include "rules/node_columns.h"
#include "rules/pipeline.h"
#include "rules/recording.h"

namespace reprise {

namespace {

/// Columns whose values no error shows.
nlohmann::json MaskedOutput(const Planning& planning, const PlanNode& node) {
  auto masked = nlohmann::json::array();
  for (size_t i = 0; i < node.output.size(); ++i) {
    const auto column = AttributeOf(node.output[i]);
    if (column && planning.masked.Of(*column)) masked.push_back(i);
  }
  return masked;
}

/// Status::Invalid: of an assertion about the operator that cannot be checked.
Result<nlohmann::json> AssertionsOf(const Planning& planning, const PlanOperator& subject,
                                    const std::vector<WrittenAssertion>& assertions,
                                    std::string_view setting) {
  auto all = nlohmann::json::array();
  const std::vector<Field> output = ColumnsOf(*subject.node);
  for (const WrittenAssertion& assertion : assertions) {
    if (!assertion.choice.Names(subject.lore_id, subject.occurrence, subject.fingerprint)) continue;
    const std::string reason = WhyUncheckable(subject);
    if (!reason.empty()) {
      return Status::Invalid(kAssertKey, ": operator ", subject.lore_id, " (",
                             OperatorName(*subject.node), ") cannot be checked because ", reason);
    }
    auto bound = BindAssertion(assertion, setting, output, planning.request.predicates);
    if (!bound.ok()) {
      return bound.status().WithMessage(bound.status().message(), "\n  of operator ",
                                        subject.lore_id, " (", subject.occurrence, ")");
    }
    all.push_back(*std::move(bound));
  }
  if (all.empty()) return nlohmann::json();
  return nlohmann::json{{"operator", subject.occurrence},
                        {"loreId", subject.lore_id},
                        {"all", std::move(all)},
                        {"masked", MaskedOutput(planning, *subject.node)}};
}

bool AnyNames(const std::vector<WrittenAssertion>& assertions, const KnownOperator& known) {
  return std::ranges::any_of(assertions, [&](const WrittenAssertion& assertion) {
    return assertion.choice.Names(known.lore_id, known.occurrence, known.fingerprint);
  });
}

void NoteMissing(Planning* planning, const std::vector<WrittenAssertion>& assertions) {
  std::vector<LoreChoice> choices;
  for (const WrittenAssertion& assertion : assertions) choices.push_back(assertion.choice);
  if (!planning->missing) planning->missing.emplace();
  for (MissingChoice& missing :
       MissingChoices(*planning, choices,
                      {kAssertKey,
                       "checked",
                       [](const PlanOperator& subject) { return !subject.assertions.is_null(); },
                       {}})) {
    missing.choice = fmt::format("{} {}", kAssertKey, missing.choice);
    planning->missing->push_back(std::move(missing));
  }
}

}  // namespace

Status ChooseAssertions(Planning* planning) {
  const std::string_view setting = planning->config().text(kAssertKey);
  ARROW_ASSIGN_OR_RAISE(const auto assertions, ParseAssertions(setting));
  if (assertions.empty()) return Status::OK();
  if (!planning->config().boolean("spark.reprise.lore.tag.enabled")) {
    return Status::Invalid(kAssertKey, " needs spark.reprise.lore.tag.enabled=true");
  }
  if (planning->is_first_look) {
    for (const PlanOperator* subject : planning->tree.operators()) {
      planning->known->operators[static_cast<size_t>(subject->lore_id - 1)].unassertable =
          AssertionsOf(*planning, *subject, assertions, setting).status().message();
    }
  }
  if (planning->request.pass == PlanRequest::Pass::kTag) return Status::OK();
  for (PlanOperator* subject : planning->tree.operators()) {
    if (!subject->replaceable) continue;
    ARROW_ASSIGN_OR_RAISE(subject->assertions,
                          AssertionsOf(*planning, *subject, assertions, setting));
  }
  NoteMissing(planning, assertions);
  if (!planning->known) return Status::OK();
  for (const KnownOperator& known : planning->known->operators) {
    if (known.unassertable.empty() || !AnyNames(assertions, known)) continue;
    return Status::Invalid(known.unassertable);
  }
  return Status::OK();
}

}  // namespace reprise
