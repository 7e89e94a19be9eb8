#include "lineage/log_difference.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "lineage/sql_scopes.h"

namespace reprise {

namespace {

using Unit = FigureDifference::Unit;

// An operator without its LORE id, which says nothing between different plans.
std::string WithoutId(const std::string& text) { return text.substr(0, text.find(" [loreId=")); }

// "ShuffledRDD", or with what made it "MapPartitionsRDD of Exchange".
std::string RddText(const LogModel& model, const Stage& stage, const Rdd& rdd) {
  std::vector<std::string> operators = OperatorsOfScope(model, stage, rdd);
  std::string text = rdd.NameInAnyRun();
  if (operators.empty()) {
    if (!rdd.scope_name.empty()) text.append(" of ").append(rdd.scope_name);
    return text;
  }
  text += " of";
  for (const std::string& each : operators) text.append(" ").append(WithoutId(each));
  return text;
}

// A line an RDD, in the order of ids, each with the positions of its parents in the stage; a parent
// of another stage is a shuffle.
std::vector<std::string> StructureOf(const LogModel& model, const Stage& stage) {
  const std::set<int64_t> ids(stage.rdds.begin(), stage.rdds.end());
  std::map<int64_t, size_t> positions;
  for (const int64_t id : ids) positions.emplace(id, positions.size());
  std::vector<std::string> lines;
  for (const int64_t id : ids) {
    const Rdd& rdd = model.rdds().at(id);
    std::string line = RddText(model, stage, rdd);
    for (const int64_t parent : rdd.parents) {
      const auto at = positions.find(parent);
      line += at == positions.end() ? " <shuffle" : fmt::format(" <{}", at->second);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string StructureDifference(const std::vector<std::string>& left,
                                const std::vector<std::string>& right) {
  const size_t both = std::min(left.size(), right.size());
  for (size_t i = 0; i < both; ++i) {
    if (left[i] == right[i]) continue;
    const auto name = [](const std::string& line) { return line.substr(0, line.find(" <")); };
    if (name(left[i]) == name(right[i])) return fmt::format("{} has other parents", name(left[i]));
    return fmt::format("{} -> {}", name(left[i]), name(right[i]));
  }
  if (left.size() == right.size()) return "";
  return fmt::format("{} RDDs -> {}", left.size(), right.size());
}

struct Ran {
  const Stage* stage;
  std::vector<std::string> structure;
  size_t ancestry;  // a hash of its structure and those of all stages that it reads
  bool matched = false;
};

std::vector<Ran> RanStages(const LogModel& model) {
  std::vector<Ran> ran;
  std::map<int64_t, size_t> ancestries;
  for (const auto& [id, stage] : model.stages()) {
    std::vector<std::string> structure = StructureOf(model, stage);
    std::vector<size_t> parents;
    for (const int64_t parent : stage.parents) {
      // Stages have greater ids than those that they read.
      const auto known = ancestries.find(parent);
      if (known != ancestries.end()) parents.push_back(known->second);
    }
    std::sort(parents.begin(), parents.end());
    const size_t ancestry = std::hash<std::string>()(
        fmt::format("{} <{}", fmt::join(structure, "\n"), fmt::join(parents, " ")));
    ancestries.emplace(id, ancestry);
    if (!stage.attempts.empty()) ran.push_back({&stage, std::move(structure), ancestry});
  }
  return ran;
}

// Pairs the first stage of a key in one run with the first of it in the other, and so on.
template <typename Key>
void MatchRan(std::vector<Ran>* left, std::vector<Ran>* right, Key key,
              std::vector<std::pair<Ran*, Ran*>>* pairs) {
  std::map<std::decay_t<decltype(key(left->front()))>, std::vector<Ran*>> open;
  for (auto at = right->rbegin(); at != right->rend(); ++at) {
    if (!at->matched) open[key(*at)].push_back(&*at);
  }
  for (Ran& ran : *left) {
    const auto found = ran.matched ? open.end() : open.find(key(ran));
    if (found == open.end() || found->second.empty()) continue;
    Ran* other = found->second.back();
    found->second.pop_back();
    ran.matched = other->matched = true;
    pairs->push_back({&ran, other});
  }
}

struct Figure {
  std::string_view name;
  Unit unit;
  int64_t (*of)(const Stage& stage);
};

// A stage that was retried did the same work, however often.
template <int64_t TaskFigures::*kMember>
int64_t Once(const Stage& stage) {
  return stage.work.figures.*kMember;
}

int64_t SumOfAttempts(const Stage& stage, int64_t (*of)(const StageAttempt& attempt)) {
  int64_t sum = 0;
  for (const StageAttempt& attempt : stage.attempts) sum += of(attempt);
  return sum;
}

int64_t TimeOf(const Stage& stage) {
  return SumOfAttempts(stage, [](const StageAttempt& attempt) {
    return attempt.completed == 0 ? 0 : attempt.completed - attempt.submitted;
  });
}

int64_t FailedTasksOf(const Stage& stage) {
  return SumOfAttempts(stage, [](const StageAttempt& attempt) { return attempt.tasks.failed(); });
}

int64_t SpilledBytesOf(const Stage& stage) {
  return SumOfAttempts(stage, [](const StageAttempt& attempt) {
    return attempt.tasks.figures().spilled_disk_bytes;
  });
}

constexpr Figure kFigures[] = {
    {"time", Unit::kMilliseconds, TimeOf},
    {"partitions", Unit::kCount, [](const Stage& stage) { return stage.work.partitions(); }},
    {"failed tasks", Unit::kCount, FailedTasksOf},
    {"input rows", Unit::kRows, Once<&TaskFigures::input_rows>},
    {"input bytes", Unit::kBytes, Once<&TaskFigures::input_bytes>},
    {"shuffle rows read", Unit::kRows, Once<&TaskFigures::shuffle_read_rows>},
    {"shuffle bytes read", Unit::kBytes, Once<&TaskFigures::shuffle_read_bytes>},
    {"shuffle rows written", Unit::kRows, Once<&TaskFigures::shuffle_write_rows>},
    {"shuffle bytes written", Unit::kBytes, Once<&TaskFigures::shuffle_write_bytes>},
    {"output rows", Unit::kRows, Once<&TaskFigures::output_rows>},
    {"output bytes", Unit::kBytes, Once<&TaskFigures::output_bytes>},
    {"spilled bytes", Unit::kBytes, SpilledBytesOf},
};

bool Differs(const Figure& figure, int64_t left, int64_t right, const DifferenceLimits& limits) {
  if (left == right) return false;
  if (figure.unit != Unit::kMilliseconds) return true;
  const auto [less, more] = std::minmax(left, right);
  return more - less >= limits.time_ms_min &&
         static_cast<double>(more) >= limits.time_ratio * static_cast<double>(less);
}

StageDifference Compare(const Ran& left, const Ran& right, const DifferenceLimits& limits) {
  StageDifference difference{left.stage, right.stage,
                             StructureDifference(left.structure, right.structure)};
  for (const Figure& figure : kFigures) {
    const int64_t a = figure.of(*left.stage);
    const int64_t b = figure.of(*right.stage);
    if (Differs(figure, a, b, limits)) {
      difference.figures.push_back({figure.name, figure.unit, a, b});
    }
  }
  return difference;
}

}  // namespace

bool StageDifference::OfRows() const {
  return std::any_of(figures.begin(), figures.end(),
                     [](const FigureDifference& figure) { return figure.unit == Unit::kRows; });
}

bool LogDifference::SameStructureAndRows() const {
  return std::none_of(stages.begin(), stages.end(), [](const StageDifference& stage) {
    return stage.OfStructure() || stage.OfRows();
  });
}

LogDifference CompareLogs(const LogModel& left_model, const LogModel& right_model,
                          const DifferenceLimits& limits) {
  std::vector<Ran> left = RanStages(left_model);
  std::vector<Ran> right = RanStages(right_model);
  std::vector<std::pair<Ran*, Ran*>> pairs;
  // A run of more queries has more stages that look alike; what they read tells them apart.
  MatchRan(
      &left, &right, [](const Ran& ran) { return ran.ancestry; }, &pairs);
  MatchRan(
      &left, &right, [](const Ran& ran) { return ran.structure; }, &pairs);
  // What is left over has changed its structure: stages of one line of the user's are one.
  MatchRan(
      &left, &right, [](const Ran& ran) { return ran.stage->name; }, &pairs);
  std::sort(pairs.begin(), pairs.end());
  LogDifference difference;
  difference.matched = static_cast<int64_t>(pairs.size());
  auto pair = pairs.begin();
  for (Ran& ran : left) {
    if (!ran.matched) {
      difference.stages.push_back({ran.stage, nullptr});
      continue;
    }
    StageDifference stage = Compare(ran, *(pair++)->second, limits);
    if (stage.OfStructure() || !stage.figures.empty()) {
      difference.stages.push_back(std::move(stage));
    }
  }
  for (const Ran& ran : right) {
    if (!ran.matched) difference.stages.push_back({nullptr, ran.stage});
  }
  return difference;
}

nlohmann::json ToJson(const LogDifference& difference) {
  using Json = nlohmann::json;
  Json stages = Json::array();
  for (const StageDifference& stage : difference.stages) {
    Json figures = Json::object();
    for (const FigureDifference& figure : stage.figures) {
      figures[std::string(figure.name)] = {figure.left, figure.right};
    }
    stages.push_back({{"left", stage.left == nullptr ? Json() : Json(stage.left->id)},
                      {"right", stage.right == nullptr ? Json() : Json(stage.right->id)},
                      {"structure", stage.structure.empty() ? Json() : Json(stage.structure)},
                      {"figures", std::move(figures)}});
  }
  return {{"matched", difference.matched},
          {"sameStructureAndRows", difference.SameStructureAndRows()},
          {"stages", std::move(stages)}};
}

}  // namespace reprise
