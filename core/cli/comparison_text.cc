#include "cli/comparison_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/figure_text.h"
#include "cli/figures.h"

namespace reprise {

namespace {

constexpr int kIndent = 11;

std::string TimeText(double ms) { return MillisecondText(static_cast<int64_t>(ms)); }

bool HasChanged(const ComparedQuery& pair) {
  constexpr int64_t kLeastMs = 100;
  constexpr double kLeastShare = 0.1;
  const auto more = static_cast<double>(std::abs(pair.MoreMs()));
  return more >= kLeastMs && more >= kLeastShare * static_cast<double>(pair.left->wall_ms);
}

std::string SettingText(const ComparedSetting& setting) {
  const auto shown = [](const std::string& value) { return value.empty() ? "not set" : value; };
  return fmt::format("{}: {} -> {}", setting.name, shown(setting.left), shown(setting.right));
}

std::string NameOf(const GraphNode& node) {
  return node.lore_id > 0 ? fmt::format("{} {}", node.operator_name, node.lore_id)
                          : node.operator_name;
}

std::string StageText(const GraphNode& node) {
  return node.stages.empty() ? "" : fmt::format(" in stage {}", node.stages.front());
}

// The operator whose task time changed most the way that the query's did; "": none measured.
std::string OperatorText(const ComparedQuery& pair) {
  if (pair.operators.empty()) return "";
  const bool slower = pair.MoreMs() > 0;
  const ComparedOperator& each = slower ? pair.operators.front() : pair.operators.back();
  if (slower ? each.MoreMs() <= 0 : each.MoreMs() >= 0) return "";
  const GraphNode* left = each.left < 0 ? nullptr : &pair.left->plan[each.left];
  const GraphNode* right = each.right < 0 ? nullptr : &pair.right->plan[each.right];
  if (left == nullptr) {
    return fmt::format("most of it in {}{}, which the first run does not have: {} of task time",
                       NameOf(*right), StageText(*right), TimeText(each.right_ms));
  }
  if (right == nullptr) {
    return fmt::format("most of it by {}{} of the first run, which is gone: {} of task time",
                       NameOf(*left), StageText(*left), TimeText(each.left_ms));
  }
  std::string text =
      fmt::format("most of it in {}{}, {} of task time -> {}", NameOf(*right), StageText(*right),
                  TimeText(each.left_ms), TimeText(each.right_ms));
  if (left->rows >= 0 && right->rows >= 0 && left->rows != right->rows) {
    text += fmt::format(", {} rows -> {}", Thousands(left->rows), Thousands(right->rows));
  }
  return text;
}

// "2 Sort, SortMergeJoin"
std::string NamesText(const std::map<std::string_view, int64_t>& counts) {
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) {
    names.push_back(count == 1 ? std::string(name) : fmt::format("{} {}", count, name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// "its plan has SortMergeJoin, 2 Sort instead of BroadcastHashJoin"
std::string PlanText(const ComparedQuery& pair) {
  std::map<std::string_view, int64_t> gone;
  std::map<std::string_view, int64_t> come;
  for (const ComparedOperator& each : pair.operators) {
    if (each.left >= 0 && each.right >= 0) continue;
    const GraphNode& node =
        each.right < 0 ? pair.left->plan[each.left] : pair.right->plan[each.right];
    if (!IsTransition(node)) ++(each.right < 0 ? gone : come)[NameInAnyRun(node)];
  }
  if (gone.empty()) return fmt::format("its plan has {} more", NamesText(come));
  if (come.empty()) return fmt::format("its plan has {} no more", NamesText(gone));
  return fmt::format("its plan has {} instead of {}", NamesText(come), NamesText(gone));
}

std::string QueryText(const ComparedQuery& pair) {
  const ReportedQuery& left = *pair.left;
  const ReportedQuery& right = *pair.right;
  const double ratio =
      left.wall_ms > 0 ? static_cast<double>(right.wall_ms) / static_cast<double>(left.wall_ms) : 0;
  const std::string indent(kIndent, ' ');
  const std::string amount =
      (pair.MoreMs() > 0 ? "+" : "-") + TimeText(static_cast<double>(std::abs(pair.MoreMs())));
  const std::string number = left.execution->id == right.execution->id
                                 ? fmt::format("query {}", right.execution->id)
                                 : fmt::format("query {} (query {} of the first)",
                                               right.execution->id, left.execution->id);
  std::string text = fmt::format("{:>9}  {}\n", amount,
                                 Wrapped(fmt::format("{}, {} -> {} ({:.2f} x): {}", number,
                                                     TimeText(static_cast<double>(left.wall_ms)),
                                                     TimeText(static_cast<double>(right.wall_ms)),
                                                     ratio, right.execution->description),
                                         kIndent));
  std::vector<std::string> notes;
  if (std::string note = OperatorText(pair); !note.empty()) notes.push_back(std::move(note));
  if (!pair.same_plan) notes.push_back(PlanText(pair));
  for (const ComparedSetting& each : pair.settings) notes.push_back(SettingText(each));
  if (left.execution->error.empty() && !right.execution->error.empty()) {
    notes.emplace_back("it failed in the second run");
  }
  for (const std::string& note : notes) text += indent + Wrapped(note, kIndent) + "\n";
  return text;
}

std::string RunText(std::string_view which, const Report& report) {
  return fmt::format("{:8}{}: {} ({}), {}, {}\n", which, report.log, report.model.application(),
                     report.model.application_id(), MillisecondText(WallMs(report)),
                     Counted(report.cores, "core", "cores"));
}

}  // namespace

std::string ComparisonText(const RunComparison& comparison) {
  constexpr size_t kShown = 10;
  std::string text = RunText("first", comparison.left) + RunText("second", comparison.right);
  std::vector<const ComparedQuery*> slower;
  std::vector<const ComparedQuery*> faster;
  for (const ComparedQuery& pair : comparison.queries) {
    if (HasChanged(pair)) (pair.MoreMs() > 0 ? slower : faster).push_back(&pair);
  }
  std::ranges::reverse(faster);
  for (const auto& [name, queries] : {std::pair{"slower", &slower}, std::pair{"faster", &faster}}) {
    if (queries->empty()) continue;
    text += fmt::format("\n{} became {}:\n",
                        Counted(static_cast<int64_t>(queries->size()), "query", "queries"), name);
    for (size_t i = 0; i < std::min(queries->size(), kShown); ++i)
      text += QueryText(*(*queries)[i]);
    if (queries->size() > kShown) {
      text += fmt::format("and {} more: -o FILE.html or --json tells them all\n",
                          queries->size() - kShown);
    }
  }
  text += fmt::format("\n{} in both runs, {} in the first alone, {} in the second alone.\n",
                      Counted(static_cast<int64_t>(comparison.queries.size()), "query", "queries"),
                      comparison.only_left.size(), comparison.only_right.size());
  if (!comparison.settings.empty()) text += "Settings that differ:\n";
  for (const ComparedSetting& each : comparison.settings) {
    text += fmt::format("  {}\n", Wrapped(SettingText(each), 2));
  }
  return text;
}

}  // namespace reprise
