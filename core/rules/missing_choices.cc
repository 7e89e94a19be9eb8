#include "rules/missing_choices.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/nearest_name.h"
#include "rules/planning.h"

namespace reprise {

namespace {

constexpr size_t kNearShown = 3;
/// Of a hash only a slip of the pen has anything near.
constexpr size_t kFingerprintEditsMax = 4;

/// An operator of the query, with its three names.
struct Named {
  int64_t lore_id;
  std::string occurrence;
  std::string fingerprint;
};

std::vector<Named> OperatorsOf(const Planning& planning) {
  std::vector<Named> operators;
  std::set<int64_t> seen;
  const auto add = [&](int64_t id, const std::string& occurrence, const std::string& fingerprint) {
    if (id != 0 && seen.insert(id).second) operators.push_back({id, occurrence, fingerprint});
  };
  if (planning.known) {
    for (const KnownOperator& known : planning.known->operators) {
      add(known.lore_id, known.occurrence, known.fingerprint);
    }
  }
  for (const PlanOperator* subject : planning.tree.operators()) {
    add(subject->lore_id, subject->occurrence, subject->fingerprint);
  }
  return operators;
}

std::string LowerCased(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Small where the operator is like what was asked for.
size_t Distance(const LoreChoice& choice, const Named& named) {
  if (choice.lore_id != 0) return static_cast<size_t>(std::abs(choice.lore_id - named.lore_id));
  if (!choice.fingerprint.empty()) return EditDistance(choice.fingerprint, named.fingerprint);
  return EditDistance(LowerCased(choice.occurrence + choice.name), LowerCased(named.occurrence));
}

std::string Near(const LoreChoice& choice, const std::vector<Named>& operators) {
  std::vector<std::pair<size_t, const Named*>> near;
  const bool is_hash = !choice.fingerprint.empty();
  for (const Named& named : operators) {
    const size_t distance = Distance(choice, named);
    if (!is_hash || distance <= kFingerprintEditsMax) near.emplace_back(distance, &named);
  }
  std::ranges::stable_sort(near, {}, &std::pair<size_t, const Named*>::first);
  if (near.size() > kNearShown) near.resize(kNearShown);
  std::string text;
  for (const auto& [distance, named] : near) {
    text += fmt::format("{}{} ({}{})", text.empty() ? "" : ", ", named->lore_id, named->occurrence,
                        is_hash ? ", " + named->fingerprint : "");
  }
  return text.empty() ? "" : "; near: " + text;
}

std::string Asked(const LoreChoice& choice) {
  if (choice.is_query) return "can be dumped";
  if (choice.lore_id != 0) return fmt::format("has the LORE id {}", choice.lore_id);
  return (choice.fingerprint.empty() ? "is " : "has the fingerprint ") + choice.Text();
}

std::vector<int64_t> FulfilledBy(const LoreChoice& choice, const Planning& planning,
                                 const ChoicePurpose& purpose) {
  std::vector<int64_t> ids;
  for (const PlanOperator* subject : planning.tree.operators()) {
    if (purpose.is_done(*subject) &&
        choice.Names(subject->lore_id, subject->occurrence, subject->fingerprint)) {
      ids.push_back(subject->lore_id);
    }
  }
  return ids;
}

std::string NoOperator(const LoreChoice& choice, const std::vector<Named>& operators) {
  return fmt::format("no operator of the query {}{}", Asked(choice), Near(choice, operators));
}

std::string NotDone(const Named& named, std::string_view done, std::string_view reason) {
  return fmt::format("operator {} ({}) was not {}, because {}", named.lore_id, named.occurrence,
                     done, reason);
}

/// Equal operators stand below equal exchanges, of which Spark runs one.
std::string WhyNotRun(const Named& named, const std::vector<Named>& operators) {
  const auto equal = std::ranges::find_if(operators, [&](const Named& other) {
    return other.lore_id != named.lore_id && other.fingerprint == named.fingerprint;
  });
  const std::string in_its_place =
      equal == operators.end()
          ? "read the output of an equal exchange or subquery"
          : fmt::format("ran its equal {} ({})", equal->lore_id, equal->occurrence);
  return fmt::format(
      "it did not run: Spark {} in its place, or found before that its input is empty",
      in_its_place);
}

MissingChoice Missing(const LoreChoice& choice, const std::vector<Named>& operators,
                      const ChoicePurpose& purpose) {
  const auto named = std::ranges::find_if(operators, [&](const Named& found) {
    return choice.Names(found.lore_id, found.occurrence, found.fingerprint);
  });
  if (named == operators.end()) {
    return {choice.Text(), fmt::format("{}: {}", purpose.key, NoOperator(choice, operators))};
  }
  const auto refused = purpose.refused.find(named->lore_id);
  const bool is_refused = refused != purpose.refused.end();
  const std::string what =
      NotDone(*named, purpose.done, is_refused ? refused->second : WhyNotRun(*named, operators));
  return {choice.Text(), fmt::format("{}: {}", purpose.key, what), is_refused, !is_refused};
}

}  // namespace

std::vector<MissingChoice> MissingChoices(const Planning& planning,
                                          const std::vector<LoreChoice>& choices,
                                          const ChoicePurpose& purpose) {
  std::vector<MissingChoice> missing;
  const std::vector<Named> operators = OperatorsOf(planning);
  for (const LoreChoice& choice : choices) {
    std::vector<int64_t> ids = FulfilledBy(choice, planning, purpose);
    if (!ids.empty() && !purpose.may_not_run) continue;
    missing.push_back(Missing(choice, operators, purpose));
    missing.back().unless = std::move(ids);
  }
  return missing;
}

}  // namespace reprise
