#include "operators/aggregate/spilled_groups.h"

#include "base/check.h"
#include "operators/aggregate/group_states.h"

namespace reprise {

namespace {

// Groups that are written at once: what it takes comes on top of the memory that is short.
constexpr BatchBounds kChunk{8192, int64_t{1} << 20};
constexpr int kLevelBits = 4;

}  // namespace

Result<int64_t> SpilledGroups::Write(const GroupStates& states, int32_t begin, int level) {
  REPRISE_CHECK(level <= kLevelMax && (!has_written_ || level == level_), "level {} after {}",
                level, level_);
  level_ = level;
  has_written_ = true;
  int64_t written = 0;
  while (begin < states.group_count()) {
    const int32_t end = begin + states.CountWithin(kChunk, begin);
    ARROW_ASSIGN_OR_RAISE(const int64_t bytes, WriteChunk(states, begin, end, level));
    written += bytes;
    begin = end;
  }
  return written;
}

Result<int64_t> SpilledGroups::WriteChunk(const GroupStates& states, int32_t begin, int32_t end,
                                          int level) {
  std::array<std::vector<int32_t>, kPartitions> rows;
  const int shift = 32 - kLevelBits * (level + 1);
  for (int32_t group = begin; group < end; ++group) {
    rows[(states.HashOf(group) >> shift) % kPartitions].push_back(group - begin);
  }
  ARROW_ASSIGN_OR_RAISE(auto columns, states.Columns(begin, end, context_.pool));
  Batch batch{schema_, std::move(columns), end - begin, nullptr};
  int64_t written = 0;
  for (int partition = 0; partition < kPartitions; ++partition) {
    if (rows[partition].empty()) continue;
    std::unique_ptr<SpillFile>& file = writing_[partition];
    if (!file) {
      ARROW_ASSIGN_OR_RAISE(file,
                            SpillFile::Make(SpillStorageOf(context_), schema_, context_.pool));
    }
    batch.selection = arrow::Buffer::FromVector(std::move(rows[partition]));
    written -= file->bytes();
    RETURN_NOT_OK(file->Write(batch));
    written += file->bytes();
  }
  return written;
}

void SpilledGroups::EndLevel() {
  for (std::unique_ptr<SpillFile>& file : writing_) {
    if (file) waiting_.push_back({std::move(file), level_});
  }
  has_written_ = false;
}

std::optional<SpilledGroups::Partition> SpilledGroups::Take() {
  if (waiting_.empty()) return std::nullopt;
  Partition partition = std::move(waiting_.back());
  waiting_.pop_back();
  return partition;
}

}  // namespace reprise
