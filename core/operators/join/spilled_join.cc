#include "operators/join/spilled_join.h"

#include <algorithm>

#include "operators/join/join_build.h"
#include "operators/join/spilled_columns.h"
#include "operators/spill_place.h"

namespace reprise {

namespace {

// What a chunk asks others to make room for; it takes more where there is more.
constexpr int64_t kLoadChunkBytes = int64_t{8} << 20;
// A chunk's columns have less than 2 GiB each.
constexpr int64_t kChunkBytesMax = int64_t{1} << 30;
const DataType kLong{TypeKind::kLong, 0, 0, {}};
const DataType kBoolean{TypeKind::kBoolean, 0, 0, {}};

// What was refused is not needed any more.
Status WithoutRefusal(const Status& status) {
  return status.IsOutOfMemory() ? Status::OK() : status;
}

}  // namespace

Result<std::unique_ptr<SpilledJoin>> SpilledJoin::Make(const JoinPlan* plan, SpillPlace place,
                                                       arrow::MemoryPool* build_pool,
                                                       MemoryUser* user) {
  std::unique_ptr<SpilledJoin> made(new SpilledJoin(plan, std::move(place), build_pool, user));
  RETURN_NOT_OK(made->Init());
  return made;
}

Status SpilledJoin::Init() {
  std::vector<Field> build = plan_.build_fields;
  if (join_.keeps_build()) build.push_back({"has match", kBoolean, false});
  ARROW_ASSIGN_OR_RAISE(build_schema_, ToArrowSchema(build));
  std::vector<Field> probe = plan_.probe_fields;
  std::vector<Field> output = plan_.output_fields;
  if (join_.ordered) {
    const Field number{"row", kLong, true};
    probe.push_back(number);
    output.insert(output.begin() + NumberColumn(), number);
    ARROW_ASSIGN_OR_RAISE(runs_,
                          JoinRuns::Make(output, NumberColumn(), plan_.chain_order(), &place_));
  }
  ARROW_ASSIGN_OR_RAISE(probe_schema_, ToArrowSchema(probe));
  ARROW_ASSIGN_OR_RAISE(auto output_schema, ToArrowSchema(output));
  matcher_ = std::make_unique<JoinMatcher>(&plan_, std::move(probe), std::move(output_schema),
                                           context_, build_pool_);
  build_ = MakeBuildPartitions(0);
  return Status::OK();
}

int SpilledJoin::NumberColumn() const {
  const size_t probe_columns = plan_.probe_fields.size() - plan_.dropped(join_.probe_input());
  return static_cast<int>(join_.build_left ? plan_.output_fields.size() : probe_columns);
}

// --- both sides on their way to disk ---

std::unique_ptr<JoinPartitions> SpilledJoin::MakeBuildPartitions(int level) const {
  return std::make_unique<JoinPartitions>(&plan_.build_keys, join_.keeps_build(), build_schema_,
                                          level, &place_);
}

// Probe rows beside no build rows matter only where rows without a match leave.
std::unique_ptr<JoinPartitions> SpilledJoin::MakeProbePartitions(
    int level, const JoinPartitions& build) const {
  auto partitions = std::make_unique<JoinPartitions>(
      &plan_.probe_keys, plan_.shows_unmatched_probe(), probe_schema_, level, &place_);
  if (plan_.shows_unmatched_probe()) return partitions;
  std::bitset<JoinPartitions::kCount> wanted;
  for (int i = 0; i < JoinPartitions::kCount; ++i) wanted[i] = build.rows(i) > 0;
  partitions->set_wanted(wanted);
  return partitions;
}

Status SpilledJoin::AddBuild(Batch rows, const uint8_t* has_match) {
  if (join_.keeps_build()) {
    ARROW_ASSIGN_OR_RAISE(auto flags, FlagColumn(has_match, rows.row_count, context_.pool));
    rows.columns.push_back(std::move(flags));
  }
  rows.schema = build_schema_;
  return build_->Add(rows);
}

Status SpilledJoin::EndBuild(const BuildFacts& facts) {
  RETURN_NOT_OK(build_->End());
  facts_ = facts;
  probe_ = MakeProbePartitions(0, *build_);
  // NOT IN a list with null: no row leaves.
  if (join_.null_aware && facts.has_null_key) probe_->set_wanted({});
  return Status::OK();
}

Status SpilledJoin::AddProbe(const Batch& batch) {
  Batch rows = batch;
  if (join_.ordered) {
    ARROW_ASSIGN_OR_RAISE(auto numbers, RowNumbers(next_number_, batch.row_count, context_.pool));
    rows.columns.push_back(std::move(numbers));
    next_number_ += batch.row_count;
  }
  rows.schema = probe_schema_;
  return probe_->Add(rows);
}

Status SpilledJoin::EndProbe() {
  RETURN_NOT_OK(probe_->End());
  // Without keys there is one partition, which cannot be divided.
  AddPairs(build_.get(), probe_.get(), plan_.build_keys.empty() ? kLevelMax : 0, -1);
  build_.reset();
  probe_.reset();
  return Status::OK();
}

void SpilledJoin::AddPairs(JoinPartitions* build, JoinPartitions* probe, int level,
                           int indivisible) {
  for (int i = 0; i < JoinPartitions::kCount; ++i) {
    AddPair({build->Take(i), probe->Take(i), level, i != indivisible});
  }
}

void SpilledJoin::AddPair(Pair pair) {
  if (!pair.build && !(pair.probe && plan_.shows_unmatched_probe())) return;
  if (!pair.probe && !(pair.build && join_.keeps_build())) return;
  waiting_.push_back(std::move(pair));
}

// --- the output ---

Result<std::optional<Batch>> SpilledJoin::Next() {
  if (!runs_) return NextOfPairs();
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const auto batch, NextOfPairs());
    if (!batch) break;
    RETURN_NOT_OK(runs_->Write(*batch));
  }
  ARROW_ASSIGN_OR_RAISE(auto batch, runs_->Next(context_.bounds()));
  if (batch) batch->columns.erase(batch->columns.begin() + NumberColumn());
  return batch;
}

Result<std::optional<Batch>> SpilledJoin::NextOfPairs() {
  while (true) {
    RETURN_NOT_OK(context_.CheckCancelled());
    std::optional<Batch> batch;
    if (must_divide_) {
      RETURN_NOT_OK(Divide());
      continue;
    }
    switch (step_) {
      case Step::kTakePair:
        if (waiting_.empty()) return std::nullopt;
        TakePair();
        break;
      case Step::kLoad:
        RETURN_NOT_OK(Load());
        break;
      case Step::kProbe: {
        if (!matcher_->in_batch()) {
          RETURN_NOT_OK(StartProbeBatch());
          break;
        }
        ARROW_ASSIGN_OR_RAISE(batch, matcher_->Next());
        break;
      }
      case Step::kUnmatched: {
        ARROW_ASSIGN_OR_RAISE(batch, matcher_->UnmatchedBuildRows());
        if (!batch) RETURN_NOT_OK(EndPass());
        break;
      }
      case Step::kUnflagged: {
        ARROW_ASSIGN_OR_RAISE(batch, NextUnflagged());
        break;
      }
    }
    if (batch && batch->selected_count() > 0) return batch;
  }
}

void SpilledJoin::TakePair() {
  pair_ = std::move(waiting_.back());
  waiting_.pop_back();
  pair_.is_whole = MayDivide();
  build_reader_ = pair_.build ? pair_.build->Read(context_.pool) : nullptr;
  block_.reset();
  chunks_ = 0;
  step_ = Step::kLoad;
}

// Loads all build rows of the pair, or a chunk of them. Finds itself spilled where must_divide_ is
// set.
Status SpilledJoin::Load() {
  builder_.emplace(plan_.build_fields, plan_.key_types(), plan_.chain_order(),
                   /*owns_memory=*/false, build_pool_);
  RETURN_NOT_OK(loaded_flags_.Resize(0));
  while (true) {
    if (!block_ && build_reader_) {
      ARROW_ASSIGN_OR_RAISE(block_, build_reader_->Next());
    }
    if (!block_) break;
    RETURN_NOT_OK(context_.CheckCancelled());
    const int64_t bytes = builder_->GrowthBytes(*block_);
    if (!pair_.is_whole && builder_->row_count() > 0 && builder_->bytes() > kChunkBytesMax) break;
    if (context_.memory != nullptr && pair_.is_whole) {
      const Status reserved = context_.memory->Reserve(user_, bytes);
      if (must_divide_) return WithoutRefusal(reserved);
      RETURN_NOT_OK(reserved);
    } else if (context_.memory != nullptr) {
      // Others give what they can, once; a chunk has one block at least.
      if (builder_->row_count() == 0) {
        (void)context_.memory->Reserve(user_, std::max(bytes, kLoadChunkBytes));
      } else if (!context_.memory->TryReserve(bytes + builder_->FinishBytes())) {
        break;
      }
    }
    RETURN_NOT_OK(AddBlock(*std::exchange(block_, std::nullopt)));
  }
  if (context_.memory != nullptr && pair_.is_whole) {
    const Status reserved = context_.memory->Reserve(user_, builder_->FinishBytes());
    if (must_divide_) return WithoutRefusal(reserved);
    RETURN_NOT_OK(reserved);
  }
  auto build = builder_->Finish();
  builder_.reset();
  const bool is_too_large = build.status().IsOutOfMemory() || build.status().IsCapacityError();
  if (is_too_large && MayDivide()) {
    must_divide_ = true;
    return Status::OK();
  }
  RETURN_NOT_OK(build.status());
  RETURN_NOT_OK(matcher_->SetBuild(*std::move(build), facts_));
  std::copy_n(loaded_flags_.data(), loaded_flags_.size(), matcher_->build_has_match().data());
  const bool is_all = chunks_ == 0 && !block_;
  if (!is_all && chunks_ == 0) {
    RETURN_NOT_OK(probe_flags_.Start(pair_.probe ? pair_.probe->rows() : 0));
  }
  matcher_->FlagMatches(is_all ? nullptr : &probe_flags_);
  ++chunks_;
  StartPass(Step::kProbe);
  return Status::OK();
}

Status SpilledJoin::AddBlock(Batch block) {
  if (join_.keeps_build()) {
    RETURN_NOT_OK(AppendFlags(*block.columns.back(), &loaded_flags_));
    block.columns.pop_back();
  }
  ARROW_ASSIGN_OR_RAISE(const auto keys, EvaluateKeys(plan_.build_keys, block, context_.pool));
  return builder_->Add(block, keys);
}

void SpilledJoin::StartPass(Step step) {
  probe_reader_ = pair_.probe ? pair_.probe->Read(context_.pool) : nullptr;
  probe_row_ = 0;
  step_ = step;
}

// Each pass over the probe rows is a run.
Status SpilledJoin::EndRun() { return runs_ ? runs_->EndRun() : Status::OK(); }

Result<std::optional<Batch>> SpilledJoin::NextProbeBlock() {
  if (!probe_reader_) return std::nullopt;
  return probe_reader_->Next();
}

Status SpilledJoin::StartProbeBatch() {
  ARROW_ASSIGN_OR_RAISE(auto batch, NextProbeBlock());
  if (!batch) {
    step_ = Step::kUnmatched;
    return Status::OK();
  }
  const int64_t first_row = probe_row_;
  probe_row_ += batch->row_count;
  return matcher_->Start(*std::move(batch), first_row);
}

Status SpilledJoin::EndPass() {
  const bool is_all = chunks_ == 1 && !block_;
  matcher_->DropBuild();
  RETURN_NOT_OK(EndRun());
  if (block_) {
    step_ = Step::kLoad;
    return Status::OK();
  }
  if (!is_all && plan_.shows_unmatched_probe()) {
    StartPass(Step::kUnflagged);
  } else {
    EndPair();
  }
  return Status::OK();
}

Result<std::optional<Batch>> SpilledJoin::NextUnflagged() {
  ARROW_ASSIGN_OR_RAISE(auto batch, NextProbeBlock());
  if (!batch) {
    EndPair();
    RETURN_NOT_OK(EndRun());
    return std::nullopt;
  }
  const int64_t first_row = probe_row_;
  probe_row_ += batch->row_count;
  return matcher_->UnflaggedProbeRows(*std::move(batch), first_row, probe_flags_);
}

// --- pairs that need too much memory ---

int64_t SpilledJoin::SpillableBytes() const {
  if (!MayDivide() || must_divide_) return 0;
  if (step_ == Step::kLoad && builder_) {
    const int64_t bytes = builder_->bytes();
    return IsSmall(builder_->row_count(), bytes, context_) ? 0 : bytes;
  }
  if (step_ == Step::kProbe && !matcher_->in_batch() && matcher_->build() != nullptr) {
    const JoinBuild& build = *matcher_->build();
    return IsSmall(build.table->row_count(), build.bytes, context_) ? 0 : build.bytes;
  }
  return 0;
}

int64_t SpilledJoin::Spill() {
  const int64_t bytes = SpillableBytes();
  builder_.reset();
  matcher_->DropBuild();
  must_divide_ = true;
  return bytes;
}

// Writes the pair, or what is left of it, as smaller ones.
Status SpilledJoin::Divide() {
  must_divide_ = false;
  const int level = pair_.level + 1;
  const auto build = MakeBuildPartitions(level);
  RETURN_NOT_OK(DivideBuild(build.get()));
  const int indivisible = Indivisible(*build);
  if (indivisible >= 0 && step_ == Step::kLoad) {
    AddPair({build->Take(indivisible), std::move(pair_.probe), level, false});
  } else {
    const auto probe = MakeProbePartitions(level, *build);
    if (step_ == Step::kLoad && pair_.probe) probe_reader_ = pair_.probe->Read(context_.pool);
    while (true) {
      RETURN_NOT_OK(context_.CheckCancelled());
      ARROW_ASSIGN_OR_RAISE(auto batch, NextProbeBlock());
      if (!batch) break;
      RETURN_NOT_OK(probe->Add(*batch));
    }
    RETURN_NOT_OK(probe->End());
    AddPairs(build.get(), probe.get(), level, indivisible);
  }
  EndPair();
  return EndRun();
}

void SpilledJoin::EndPair() {
  block_.reset();
  build_reader_.reset();
  probe_reader_.reset();
  pair_ = {};
  step_ = Step::kTakePair;
}

Status SpilledJoin::DivideBuild(JoinPartitions* partitions) {
  const auto reader = pair_.build->Read(context_.pool);
  int64_t row = 0;
  while (true) {
    RETURN_NOT_OK(context_.CheckCancelled());
    ARROW_ASSIGN_OR_RAISE(auto block, reader->Next());
    if (!block) return partitions->End();
    if (join_.keeps_build() && step_ == Step::kProbe) {
      // Some probe rows have been seen.
      const uint8_t* flags = matcher_->build_has_match().data() + row;
      ARROW_ASSIGN_OR_RAISE(block->columns.back(),
                            FlagColumn(flags, block->row_count, context_.pool));
    }
    row += block->row_count;
    RETURN_NOT_OK(partitions->Add(*block));
  }
}

// The partition in which all rows are, or -1.
int SpilledJoin::Indivisible(const JoinPartitions& partitions) const {
  for (int i = 0; i < JoinPartitions::kCount; ++i) {
    if (partitions.rows(i) == pair_.build->rows()) return i;
  }
  return -1;
}

}  // namespace reprise
