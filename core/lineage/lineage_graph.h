// The lineage of an application, or of a part of it, as what a picture shows of it.
//
//   stage box       the RDDs that one kind of task computes in one go: from what it reads to its
//   last RDD narrow edge     between two RDDs of a stage: the task hands row after row on shuffle
//   edge    from the last RDD of a stage to an RDD of another one. A log names no shuffles,
//                   but a stage lists all of its RDDs, so a parent outside the list is behind one.
//   scope           the RDDs that one SQL operator (or one call on an RDD) made
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "eventlog/log_model.h"

namespace reprise {

/// An RDD within a stage box. An RDD that several stages compute stands in each of them.
struct RddBox {
  const Rdd* rdd;
  bool cached = false;  ///< its partitions were kept, and had been computed by an earlier stage
  /// Only read through a cached RDD of its stage, so that the stage's tasks need not compute it.
  bool behind_cache = false;
};

/// RDDs of a stage that one operator or call made.
struct ScopeBox {
  std::string name;                    ///< "WholeStageCodegen (1)", "map"
  std::vector<std::string> operators;  ///< "HashAggregate [loreId=5]", of SQL operators
  std::vector<size_t> rdds;            ///< indexes into StageBox::rdds
};

struct StageBox {
  const Stage* stage;
  StageState state;
  /// Further stages with the same last RDD: later jobs name a stage anew each time.
  std::vector<int64_t> ran_again;
  std::vector<int64_t> skipped;
  std::vector<RddBox> rdds;  ///< by id
  std::vector<ScopeBox> scopes;
};

struct LineageEdge {
  int64_t from_stage;  ///< id of StageBox::stage; -1 for an RDD outside all boxes
  int64_t from_rdd;
  int64_t to_stage;
  int64_t to_rdd;
  bool shuffle;
  bool behind_cache;

  bool operator==(const LineageEdge&) const = default;
};

struct LineageGraph {
  std::string title;
  std::vector<StageBox> stages;     ///< by the stage's id
  std::vector<const Rdd*> outside;  ///< parents whose stages were not asked for
  std::vector<LineageEdge> edges;
};

/// What to show; all of the application where nothing is set. At most one may be set.
struct LineageSelection {
  std::optional<int64_t> stage;
  std::optional<int64_t> job;
  std::optional<int64_t> sql;
};

/// The graph points into `model`. Status::Invalid, which names what there is, where the selection
/// names nothing.
Result<LineageGraph> BuildLineageGraph(const LogModel& model, const LineageSelection& selection);

/// As a program reads it: stages with their RDDs and operators, edges.
nlohmann::json ToJson(const LineageGraph& graph);

}  // namespace reprise
