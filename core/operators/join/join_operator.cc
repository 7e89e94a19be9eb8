// Purpose: join two inputs. The build side is pulled first, wholly, into a hash table
// (join_build.h); then each batch of the probe side finds its matches there (join_matcher.h).
// Input:   two, left and right.  Output: the probe side's order is kept (Spark's HashJoin promises
// its stream side's ordering); build rows that had no match, where they are kept, come last.
//
// Where memory is short while the build side is pulled, or is wanted by others while the probe side
// passes by, the build rows go to disk, the probe rows after them, and both are joined there piece
// by piece (spilled_join.h).
#include "operators/join/join_operator.h"

#include "operators/join/join_build.h"
#include "operators/join/join_matcher.h"
#include "operators/join/join_plan.h"
#include "operators/join/shared_builds.h"
#include "operators/join/spilled_join.h"
#include "operators/spill_place.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

// Rows of a finished build that are written to disk at once.
constexpr int64_t kSpillRows = 16384;

// A broadcast's table, which the first task to want it makes and others wait for.
constexpr TraceRange kTakeSharedRange = {"take broadcast build", "build", {"rows"}};
constexpr TraceRange kMakeSharedRange = {"make broadcast build", "build", {"rows"}};

class Join final : public Operator {
 public:
  Join(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context,
       JoinPlan plan)
      : Operator(std::move(spec), std::move(inputs), context),
        build_pool_(context.pool),
        plan_(std::move(plan)),
        join_(plan_.join),
        matcher_(&plan_, plan_.probe_fields, output_schema(), context, &build_pool_) {
    mutable_metrics().extra.assign(2, 0);
  }

  int64_t SpillableBytes() const override {
    // Matches of several passes over a build in pieces would have to be put together.
    if (join_.marks_only) return 0;
    if (builder_) return Worth(builder_->row_count(), builder_->bytes());
    if (!is_built_ || is_shared_) return 0;
    if (spilled_) return probe_at_end_ ? spilled_->SpillableBytes() : 0;
    // Within a batch, matches are known by their place in memory.
    if (probe_at_end_ || matcher_.in_batch()) return 0;
    return Worth(matcher_.build()->table->row_count(), matcher_.build()->bytes);
  }

  Result<int64_t> Spill() override {
    if (is_built_ && spilled_) return spilled_->Spill();
    const int64_t bytes = SpillableBytes();
    RETURN_NOT_OK(builder_ ? SpillBuilder() : SpillBuild());
    return bytes;
  }

 private:
  static constexpr size_t kBuildRows = 0;
  static constexpr size_t kPeakMemory = 1;

  Result<std::optional<Batch>> NextBatch() override {
    if (!is_built_) RETURN_NOT_OK(TakeBuild());
    while (true) {
      if (matcher_.in_batch()) {
        ARROW_ASSIGN_OR_RAISE(auto batch, matcher_.Next());
        if (batch.has_value() && batch->selected_count() > 0) return batch;
      } else if (!probe_at_end_) {
        // As in Spark, the probe side is not read where no row of it can leave.
        if (join_.can_skip_probe(facts_.rows, facts_.has_null_key)) return NoOutput();
        RETURN_NOT_OK(TakeProbeBatch());
      } else {
        return RestOfOutput();
      }
      RETURN_NOT_OK(context().CheckCancelled());
    }
  }

  // --- the build side ---

  Status TakeBuild() {
    const auto broadcast = inputs()[join_.build_input()]->broadcast_id();
    if (broadcast && join_.keeps_build() && !join_.marks_only && !has_capture()) {
      return Status::Invalid("a broadcast side cannot be the one whose unmatched rows are kept");
    }
    is_shared_ = broadcast && !has_capture();
    if (is_shared_) {
      TraceScope takes(context().trace, kTakeSharedRange);
      ARROW_ASSIGN_OR_RAISE(auto build,
                            SharedBuilds::Instance().GetOrMake(
                                *broadcast, SharedKey(), [&] { return MakeShared(); }, context()));
      facts_ = {build->table->row_count(), build->table->has_null_key()};
      takes.Count(facts_.rows);
      RETURN_NOT_OK(matcher_.SetBuild(std::move(build), facts_));
    } else {
      RETURN_NOT_OK(MakeOwn());
    }
    is_built_ = true;
    mutable_metrics().extra[kBuildRows] = facts_.rows;
    CountMemory();
    return Status::OK();
  }

  Result<std::shared_ptr<const JoinBuild>> MakeShared() {
    TraceScope makes(context().trace, kMakeSharedRange);
    // What tasks share is no task's memory.
    JoinBuilder builder(plan_.build_fields, plan_.key_types(), plan_.chain_order(),
                        /*owns_memory=*/true, arrow::default_memory_pool());
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<Batch> batch, Pull(join_.build_input()));
      if (!batch.has_value()) break;
      ARROW_ASSIGN_OR_RAISE(const auto keys, EvaluateKeys(plan_.build_keys, *batch, pool()));
      RETURN_NOT_OK(builder.Add(*batch, keys));
    }
    auto build = builder.Finish(/*may_regroup=*/!join_.keeps_build());
    if (build.ok()) makes.Count((*build)->table->row_count());
    return build;
  }

  Status MakeOwn() {
    StartBuilder();
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<Batch> batch, Pull(join_.build_input()));
      if (!batch.has_value()) break;
      RETURN_NOT_OK(ReserveFor([&] { return builder_->GrowthBytes(*batch); }));
      ARROW_ASSIGN_OR_RAISE(const auto keys, EvaluateKeys(plan_.build_keys, *batch, pool()));
      RETURN_NOT_OK(builder_->Add(*batch, keys));
      facts_.rows += batch->selected_count();
    }
    RETURN_NOT_OK(ReserveFor([&] { return builder_->FinishBytes(); }));
    if (!spilled_) {
      facts_.has_null_key = builder_->has_null_key();
      auto build = builder_->Finish(MayRegroup());
      if (build.ok()) {
        builder_.reset();
        return matcher_.SetBuild(*std::move(build), facts_);
      }
      const bool is_too_large = build.status().IsOutOfMemory() || build.status().IsCapacityError();
      if (!is_too_large || SpillableBytes() == 0) return build.status();
    }
    RETURN_NOT_OK(SpillRest());
    builder_.reset();
    return spilled_->EndBuild(facts_);
  }

  // What the builder needs; less if it spills, so that what was refused then may not be needed.
  template <typename Bytes>
  Status ReserveFor(Bytes&& bytes) {
    if (context().memory == nullptr) return Status::OK();
    const int64_t rows = builder_->row_count();
    const Status status = Reserve(bytes());
    return status.IsOutOfMemory() && builder_->row_count() < rows ? Reserve(bytes()) : status;
  }

  // Where build rows leave by themselves, they do so in their order.
  bool MayRegroup() {
    if (join_.keeps_build()) return false;
    return context().memory == nullptr ||
           context().memory->TryReserve(builder_->FinishBytes() + builder_->RegroupBytes());
  }

  // Everything that a build depends on beside what was broadcast.
  std::string SharedKey() const {
    nlohmann::json json = {{"columns", ToJson(plan_.build_fields)},
                           {"latestFirst", join_.latest_first},
                           {"inOrder", join_.keeps_build()},
                           {"keys", nlohmann::json::array()}};
    // Guests, which the keys read, are known to the fragment alone.
    const OperatorSpec& below = inputs()[join_.build_input()]->spec();
    if (below.kind == kGuestProjectKind) json["guests"] = below.arguments;
    for (const auto& key : join_.build_left ? join_.left_keys : join_.right_keys) {
      json["keys"].push_back(ToJson(key));
    }
    return json.dump();
  }

  // --- the probe side ---

  bool hands_on(int index, int column) const override {
    return join_.deferred && !join_.marks_only && index == join_.probe_input() &&
           plan_.probe_reads[static_cast<size_t>(column)] == 0;
  }

  Status TakeProbeBatch() {
    RETURN_NOT_OK(due_.status());
    ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull(join_.probe_input()));
    probe_at_end_ = !batch.has_value();
    // What goes to disk has to be there.
    if (spilled_ && batch) {
      RETURN_NOT_OK(due_.EndAtValue(&*batch, [](int) { return true; }));
    }
    if (!spilled_) return probe_at_end_ ? Status::OK() : matcher_.Start(*std::move(batch));
    return probe_at_end_ ? spilled_->EndProbe() : spilled_->AddProbe(*batch);
  }

  Result<std::optional<Batch>> RestOfOutput() {
    std::optional<Batch> batch;
    if (spilled_) {
      ARROW_ASSIGN_OR_RAISE(batch, spilled_->Next());
      CountMemory();
      if (batch) batch->schema = output_schema();
    } else {
      ARROW_ASSIGN_OR_RAISE(
          batch, join_.marks_only ? matcher_.MatchedBuildRows() : matcher_.UnmatchedBuildRows());
    }
    if (!batch) return NoOutput();
    return batch;
  }

  std::nullopt_t NoOutput() {
    probe_at_end_ = true;
    // The task may go on without this memory.
    spilled_.reset();
    matcher_.DropBuild();
    return std::nullopt;
  }

  // --- memory ---

  int64_t Worth(int64_t rows, int64_t bytes) const {
    return SpilledJoin::IsSmall(rows, bytes, context()) ? 0 : bytes;
  }

  void StartBuilder() {
    builder_.emplace(plan_.build_fields, plan_.key_types(), plan_.chain_order(),
                     /*owns_memory=*/false, &build_pool_);
  }

  void CountMemory() { mutable_metrics().extra[kPeakMemory] = build_pool_.max_memory(); }

  Status StartSpilling() {
    if (spilled_) return Status::OK();
    SpillPlace place{context(), [this](int64_t bytes) { CountSpilled(bytes); }};
    ARROW_ASSIGN_OR_RAISE(spilled_,
                          SpilledJoin::Make(&plan_, std::move(place), &build_pool_, this));
    return Status::OK();
  }

  // The rows that have been pulled so far.
  Status SpillBuilder() {
    RETURN_NOT_OK(StartSpilling());
    facts_.has_null_key |= builder_->has_null_key();
    for (size_t chunk = 0; chunk < builder_->chunk_count(); ++chunk) {
      ARROW_ASSIGN_OR_RAISE(Batch rows, builder_->TakeChunk(chunk));
      RETURN_NOT_OK(spilled_->AddBuild(std::move(rows), nullptr));
    }
    StartBuilder();
    return Status::OK();
  }

  // All rows, of which some may have had matches.
  Status SpillBuild() {
    RETURN_NOT_OK(StartSpilling());
    const JoinBuild& build = *matcher_.build();
    ARROW_ASSIGN_OR_RAISE(const auto schema, ToArrowSchema(plan_.build_fields));
    for (int64_t begin = 0; begin < build.table->row_count(); begin += kSpillRows) {
      Batch rows{schema, {}, std::min(kSpillRows, build.table->row_count() - begin), nullptr};
      for (const auto& column : build.columns) {
        rows.columns.push_back(column->Slice(begin, rows.row_count));
      }
      const uint8_t* flags =
          join_.keeps_build() ? matcher_.build_has_match().data() + begin : nullptr;
      RETURN_NOT_OK(spilled_->AddBuild(std::move(rows), flags));
    }
    matcher_.DropBuild();
    matcher_.build_has_match().Release();
    return spilled_->EndBuild(facts_);
  }

  arrow::ProxyMemoryPool build_pool_;  // counts the build's memory; outlives what comes from it
  const JoinPlan plan_;
  const JoinSpec& join_;
  JoinMatcher matcher_;
  BuildFacts facts_;
  std::optional<JoinBuilder> builder_;  // while the build side of the task's own is pulled
  bool is_built_ = false;
  bool is_shared_ = false;
  bool probe_at_end_ = false;
  DueError due_;                          // of a probe row, where rows are spilled
  std::unique_ptr<SpilledJoin> spilled_;  // null: nothing has been
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeJoin(OperatorSpec spec,
                                           std::vector<std::unique_ptr<Operator>> inputs,
                                           const TaskContext& context, JoinSpec join) {
  ARROW_ASSIGN_OR_RAISE(JoinPlan plan, JoinPlan::Make(spec, std::move(join), context));
  return std::make_unique<Join>(std::move(spec), std::move(inputs), context, std::move(plan));
}

}  // namespace reprise
