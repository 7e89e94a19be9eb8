#include "expressions/zone_rules.h"

#include <algorithm>
#include <array>
#include <limits>

#include "expressions/civil_date.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr int64_t kCycleYears = 400;
constexpr int64_t kCycleSeconds = 146097 * kSecondsPerDay;
constexpr int64_t kInstantMax = 31556889864403199;  // Instant.MAX
constexpr size_t kTransitionsMax = 1 << 16;

struct YearlyRule {
  enum Field { kMonth, kDay, kDayOfWeek, kTime, kDefinition, kStandard, kBefore, kAfter, kFields };
  std::array<int64_t, kFields> fields{};

  int64_t operator[](Field field) const { return fields[field]; }
};

Status BadZone(std::string_view what) {
  return Status::Invalid("the time zone of an expression has no valid ", what);
}

bool ReadNumber(const Json& json, int64_t least, int64_t most, int64_t* number) {
  if (!json.is_number_integer()) return false;
  *number = json.get<int64_t>();
  return *number >= least && *number <= most;
}

// 1 (Monday) to 7.
int64_t IsoDayOfWeek(int64_t days) { return FloorMod(days + 3, 7) + 1; }

// ZoneOffsetTransitionRule.createTransition.
ZoneRules::Transition TransitionIn(const YearlyRule& rule, int64_t year) {
  const auto month = static_cast<int32_t>(rule[YearlyRule::kMonth]);
  const int64_t day = rule[YearlyRule::kDay];
  const int64_t day_of_week = rule[YearlyRule::kDayOfWeek];
  int64_t days = 0;
  if (day < 0) {
    const CivilDate next = month == 12 ? CivilDate{year + 1, 1, 1} : CivilDate{year, month + 1, 1};
    days = DaysOf(next) + day;
    if (day_of_week != 0) days -= FloorMod(IsoDayOfWeek(days) - day_of_week, 7);
  } else {
    days = DaysOf({year, month, static_cast<int32_t>(day)});
    if (day_of_week != 0) days += FloorMod(day_of_week - IsoDayOfWeek(days), 7);
  }
  const int64_t time = days * kSecondsPerDay + rule[YearlyRule::kTime];
  const int64_t offsets[] = {0, rule[YearlyRule::kBefore], rule[YearlyRule::kStandard]};
  return {time - offsets[rule[YearlyRule::kDefinition]],
          static_cast<int32_t>(rule[YearlyRule::kBefore]),
          static_cast<int32_t>(rule[YearlyRule::kAfter])};
}

Result<YearlyRule> ReadYearlyRule(const Json& json) {
  constexpr int64_t kBounds[][2] = {{1, 12},
                                    {-28, 31},
                                    {0, 7},
                                    {0, kSecondsPerDay},
                                    {0, 2},
                                    {-kOffsetMax, kOffsetMax},
                                    {-kOffsetMax, kOffsetMax},
                                    {-kOffsetMax, kOffsetMax}};
  YearlyRule rule;
  if (!json.is_array() || json.size() != YearlyRule::kFields) return BadZone("yearly rule");
  for (size_t i = 0; i < YearlyRule::kFields; ++i) {
    if (!ReadNumber(json[i], kBounds[i][0], kBounds[i][1], &rule.fields[i])) {
      return BadZone("yearly rule");
    }
  }
  if (rule[YearlyRule::kDay] == 0) return BadZone("yearly rule");
  return rule;
}

}  // namespace

Result<ZoneRules> ZoneRules::Of(const ExpressionSpec& spec) {
  ZoneRules rules;
  const auto zone = spec.attributes.find("zone");
  if (zone == spec.attributes.end()) return rules;
  RETURN_NOT_OK(rules.Read(*zone));
  return rules;
}

Status ZoneRules::Read(const Json& zone) {
  if (!zone.is_object() || !zone.contains("offset")) return BadZone("offset");
  int64_t offset = 0;
  if (!ReadNumber(zone["offset"], -kOffsetMax, kOffsetMax, &offset)) return BadZone("offset");
  first_offset_ = static_cast<int32_t>(offset);
  const auto list = zone.find("transitions");
  if (list != zone.end()) {
    if (!list->is_array() || list->size() % 2 != 0 || list->size() > kTransitionsMax) {
      return BadZone("transitions");
    }
    auto before = first_offset_;
    for (size_t i = 0; i < list->size(); i += 2) {
      int64_t at = 0;
      const bool ok = ReadNumber((*list)[i], -kInstantMax, kInstantMax, &at) &&
                      ReadNumber((*list)[i + 1], -kOffsetMax, kOffsetMax, &offset) &&
                      (transitions_.empty() || at > transitions_.back().at);
      if (!ok) return BadZone("transitions");
      transitions_.push_back({at, before, static_cast<int32_t>(offset)});
      before = static_cast<int32_t>(offset);
    }
  }
  const auto yearly = zone.find("yearly");
  return yearly == zone.end() ? Status::OK() : AddYearly(*yearly);
}

// Lists the transitions of a whole cycle of the calendar.
Status ZoneRules::AddYearly(const Json& json) {
  if (!json.is_array() || json.size() > 16) return BadZone("yearly rules");
  std::vector<YearlyRule> rules;
  for (const Json& item : json) {
    ARROW_ASSIGN_OR_RAISE(auto rule, ReadYearlyRule(item));
    rules.push_back(rule);
  }
  if (rules.empty()) return Status::OK();
  const int64_t listed_until =
      transitions_.empty() ? std::numeric_limits<int64_t>::min() : transitions_.back().at;
  const int64_t last_day = transitions_.empty() ? 0 : FloorDiv(listed_until, kSecondsPerDay);
  const int64_t first_year = CivilOf(last_day).year;
  // From the second year on no listed transition plays a part.
  const int64_t cycle_year = first_year + 2;
  for (int64_t year = first_year; year <= cycle_year + kCycleYears; ++year) {
    for (const YearlyRule& rule : rules) {
      const Transition next = TransitionIn(rule, year);
      if (next.at > listed_until) transitions_.push_back(next);
    }
  }
  if (!std::ranges::is_sorted(transitions_, {}, &Transition::at)) return BadZone("yearly rules");
  cycle_begin_ = DaysOf({cycle_year, 1, 1}) * kSecondsPerDay;
  return Status::OK();
}

int64_t ZoneRules::WithinCycle(int64_t seconds) const {
  if (seconds < cycle_begin_) return seconds;
  return cycle_begin_ + (seconds - cycle_begin_) % kCycleSeconds;
}

ZoneRules::Span ZoneRules::SpanOf(int64_t instant) const {
  const int64_t within = WithinCycle(instant);
  const auto next = std::ranges::upper_bound(transitions_, within, {}, &Transition::at);
  Span span{std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
            next == transitions_.begin() ? first_offset_ : std::prev(next)->after};
  if (within != instant) return {instant, instant + 1, span.offset};
  if (next != transitions_.begin()) span.begin = std::prev(next)->at;
  if (next != transitions_.end()) span.end = next->at;
  span.end =
      std::min(span.end, cycle_begin_ == INT64_MAX ? INT64_MAX : cycle_begin_ + kCycleSeconds);
  return span;
}

int32_t ZoneRules::OffsetAt(int64_t instant) const { return SpanOf(instant).offset; }

int64_t ZoneRules::LastBefore(int64_t local) const {
  const auto begins_after = [](int64_t value, const Transition& transition) {
    return value < transition.at + std::min(transition.before, transition.after);
  };
  return std::upper_bound(transitions_.begin(), transitions_.end(), local, begins_after) -
         transitions_.begin() - 1;
}

int64_t ZoneRules::InstantOf(int64_t local, std::optional<int32_t> preferred) const {
  const int64_t within = WithinCycle(local);
  const int64_t index = LastBefore(within);
  if (index < 0) return local - first_offset_;
  const auto& [at, before, after] = transitions_[index];
  if (within >= at + std::max(before, after)) return local - after;
  // In a gap the local time moves on by the gap's length, which is the offset before it.
  if (after > before) return local - before;
  return local - (preferred == after ? after : before);
}

int64_t ZoneRules::StartOfDay(int64_t days) const {
  const int64_t local = days * kSecondsPerDay;
  const int64_t within = WithinCycle(local);
  const int64_t index = LastBefore(within);
  if (index >= 0) {
    const auto& [at, before, after] = transitions_[index];
    if (after > before && within < at + after) return local - within + at;
  }
  return InstantOf(local);
}

}  // namespace reprise
