#include "lineage/lineage_graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "lineage/sql_scopes.h"

namespace reprise {

namespace {

template <typename T>
Status NoSuch(std::string_view what, int64_t id, const std::map<int64_t, T>& known) {
  if (known.empty()) return Status::Invalid("there is no ", what, " ", id, "; the log has none");
  return Status::Invalid("there is no ", what, " ", id, "; the log tells of ", known.begin()->first,
                         " to ", known.rbegin()->first);
}

// The ids of the stages that are asked for, and the graph's title.
class Selected {
 public:
  static Result<Selected> Of(const LogModel& model, const LineageSelection& selection) {
    Selected selected;
    const std::string& application = model.application();
    if (selection.stage) {
      if (!model.stages().contains(*selection.stage)) {
        return NoSuch("stage", *selection.stage, model.stages());
      }
      selected.stages.insert(*selection.stage);
      selected.title = fmt::format("{}: stage {}", application, *selection.stage);
    } else if (selection.job) {
      const auto job = model.jobs().find(*selection.job);
      if (job == model.jobs().end()) return NoSuch("job", *selection.job, model.jobs());
      selected.stages.insert(job->second.stages.begin(), job->second.stages.end());
      selected.title = fmt::format("{}: job {}", application, *selection.job);
    } else if (selection.sql) {
      const auto execution = model.executions().find(*selection.sql);
      if (execution == model.executions().end()) {
        return NoSuch("SQL query", *selection.sql, model.executions());
      }
      for (const auto& [id, job] : model.jobs()) {
        if (job.execution != *selection.sql) continue;
        selected.stages.insert(job.stages.begin(), job.stages.end());
      }
      selected.title =
          fmt::format("{}: SQL {}, {}", application, *selection.sql, execution->second.description);
    } else {
      for (const auto& [id, stage] : model.stages()) selected.stages.insert(id);
      selected.title = application;
    }
    return selected;
  }

  std::set<int64_t> stages;
  std::string title;
};

class Builder {
 public:
  Builder(const LogModel& model, Selected selected) : model_(model) {
    graph_.title = std::move(selected.title);
    for (const int64_t id : selected.stages) {
      const auto stage = model.stages().find(id);
      if (stage != model.stages().end() && !stage->second.rdds.empty()) Group(stage->second);
    }
    for (const auto& [last, stages] : by_last_rdd_) AddBox(stages);
    std::sort(graph_.stages.begin(), graph_.stages.end(),
              [](const StageBox& a, const StageBox& b) { return a.stage->id < b.stage->id; });
    FillCaches();
    for (StageBox& box : graph_.stages) MarkCaches(&box);
    for (const StageBox& box : graph_.stages) AddEdges(box);
  }

  LineageGraph Take() { return std::move(graph_); }

 private:
  void Group(const Stage& stage) { by_last_rdd_[stage.rdds.front()].push_back(&stage); }

  // The first of the stages that ran stands for all.
  void AddBox(const std::vector<const Stage*>& stages) {
    const auto ran = [](const Stage* stage) { return !stage->attempts.empty(); };
    const auto first = std::find_if(stages.begin(), stages.end(), ran);
    const Stage* shown = first == stages.end() ? stages.front() : *first;
    StageBox box{shown, model_.StateOf(*shown)};
    for (const Stage* stage : stages) {
      if (stage == shown) continue;
      (ran(stage) ? box.ran_again : box.skipped).push_back(stage->id);
    }
    const std::set<int64_t> ids(shown->rdds.begin(), shown->rdds.end());
    for (const int64_t id : ids) {
      box.rdds.push_back({&model_.rdds().at(id)});
    }
    AddScopes(&box);
    graph_.stages.push_back(std::move(box));
  }

  void AddScopes(StageBox* box) const {
    std::map<std::string, size_t> known;
    for (size_t i = 0; i < box->rdds.size(); ++i) {
      const Rdd& rdd = *box->rdds[i].rdd;
      if (rdd.scope_name.empty()) continue;
      const auto [at, fresh] = known.try_emplace(rdd.scope_id, box->scopes.size());
      if (fresh) {
        box->scopes.push_back({rdd.scope_name, OperatorsOfScope(model_, *box->stage, rdd), {}});
      }
      box->scopes[at->second].rdds.push_back(i);
    }
  }

  // A cached RDD is read from the cache by the stages that run after the first one that computed
  // it, of whichever job: so all stages count, in the order in which they ran.
  void FillCaches() {
    for (const auto& [id, stage] : model_.stages()) {
      if (stage.rdds.empty() || model_.StateOf(stage) != StageState::kComplete) continue;
      for (const int64_t rdd : ComputedBy(stage)) {
        if (model_.rdds().at(rdd).storage.cached()) filled_by_.try_emplace(rdd, id);
      }
    }
  }

  bool CachedBefore(int64_t rdd, const Stage& stage) const {
    const auto filled = filled_by_.find(rdd);
    return filled != filled_by_.end() && filled->second < stage.id;
  }

  // What a stage's tasks touch: from the last RDD up to what is cached.
  std::set<int64_t> ComputedBy(const Stage& stage) const {
    const std::set<int64_t> within(stage.rdds.begin(), stage.rdds.end());
    std::set<int64_t> reached;
    std::vector<int64_t> open = {stage.rdds.front()};
    while (!open.empty()) {
      const int64_t id = open.back();
      open.pop_back();
      if (!within.contains(id) || !reached.insert(id).second) continue;
      const std::vector<int64_t>& parents = model_.rdds().at(id).parents;
      if (!CachedBefore(id, stage)) open.insert(open.end(), parents.begin(), parents.end());
    }
    return reached;
  }

  void MarkCaches(StageBox* box) const {
    const std::set<int64_t> computed = ComputedBy(*box->stage);
    for (RddBox& rdd : box->rdds) {
      rdd.cached = CachedBefore(rdd.rdd->id, *box->stage);
      rdd.behind_cache = !computed.contains(rdd.rdd->id);
    }
  }

  void AddEdges(const StageBox& box) {
    std::map<int64_t, const RddBox*> within;
    for (const RddBox& rdd : box.rdds) within[rdd.rdd->id] = &rdd;
    for (const RddBox& rdd : box.rdds) {
      const bool unused = rdd.behind_cache || rdd.cached;
      for (const int64_t parent : rdd.rdd->parents) {
        if (within.contains(parent)) {
          graph_.edges.push_back(
              {box.stage->id, parent, box.stage->id, rdd.rdd->id, false, unused});
        } else {
          graph_.edges.push_back(
              {StageEndingIn(parent), parent, box.stage->id, rdd.rdd->id, true, unused});
        }
      }
    }
  }

  int64_t StageEndingIn(int64_t rdd) {
    for (const StageBox& box : graph_.stages) {
      if (box.stage->rdds.front() == rdd) return box.stage->id;
    }
    const auto known = model_.rdds().find(rdd);
    if (known != model_.rdds().end()) {
      const auto at = std::find(graph_.outside.begin(), graph_.outside.end(), &known->second);
      if (at == graph_.outside.end()) graph_.outside.push_back(&known->second);
    }
    return -1;
  }

  const LogModel& model_;
  std::map<int64_t, std::vector<const Stage*>> by_last_rdd_;
  std::map<int64_t, int64_t> filled_by_;  // cached RDD → first stage that computed it
  LineageGraph graph_;
};

}  // namespace

Result<LineageGraph> BuildLineageGraph(const LogModel& model, const LineageSelection& selection) {
  ARROW_ASSIGN_OR_RAISE(Selected selected, Selected::Of(model, selection));
  return Builder(model, std::move(selected)).Take();
}

}  // namespace reprise
