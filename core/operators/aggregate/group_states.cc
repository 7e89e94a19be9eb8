#include "operators/aggregate/group_states.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error_context.h"

namespace reprise {

namespace {

constexpr int64_t kCapacityMin = 128;
// A guess at what a group takes before there is any: its key, its slot, and the functions' states.
constexpr int64_t kKeyBytesGuess = 32;
constexpr int64_t kStateBytesGuess = 24;
// A batch may bring as many groups as it has rows, but rarely does: so many are taken into account.
constexpr int64_t kNewGroupsGuess = 1024;

// Of which Spark keeps the states: in buffers of some words, and as objects of any size. (Spark's
// own operator has at most 128 of the latter at a time: spark.sql.objectHashAggregate.sortBased.
// fallbackThreshold.)
constexpr int32_t kGuestBuffersMax = 1 << 18;
constexpr int32_t kGuestObjectsMax = 1 << 14;

bool IsText(const DataType& type) {
  const DataType stored = StoredType(type);
  return stored.is(TypeKind::kString) || stored.is(TypeKind::kBinary);
}

int32_t GroupsMax(const AggregateSpec& spec) {
  if (spec.function != AggregateFunction::kGuest) return std::numeric_limits<int32_t>::max();
  return std::ranges::any_of(spec.buffer, IsText, &Field::type) ? kGuestObjectsMax
                                                                : kGuestBuffersMax;
}

int64_t CapacityFor(int64_t groups) {
  return std::max(kCapacityMin, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(groups))));
}

}  // namespace

Result<std::unique_ptr<GroupStates>> GroupStates::Make(const std::vector<DataType>& key_types,
                                                       std::vector<const AggregateSpec*> aggregates,
                                                       arrow::MemoryPool* pool) {
  std::unique_ptr<GroupStates> states(new GroupStates(std::move(aggregates), pool));
  states->key_count_ = key_types.size();
  if (!key_types.empty()) {
    ARROW_ASSIGN_OR_RAISE(states->table_, MakeGroupTable(key_types, pool));
  }
  for (const AggregateSpec* spec : states->aggregates_) {
    states->accumulators_.push_back(MakeAccumulator(*spec, pool));
  }
  states->keeps_strings_ = std::ranges::any_of(key_types, IsText);
  for (const AggregateSpec* spec : states->aggregates_) {
    const bool is_guest = spec->function == AggregateFunction::kGuest;
    states->keeps_strings_ |= IsText(spec->result) || is_guest;
    states->keeps_rows_ |= spec->function == AggregateFunction::kCollectList ||
                           spec->function == AggregateFunction::kCollectSet || is_guest;
    states->groups_max_ = std::min(states->groups_max_, GroupsMax(*spec));
  }
  if (!states->is_keyed()) RETURN_NOT_OK(states->GrowTo(1));
  return states;
}

Result<const int32_t*> GroupStates::FindGroups(const arrow::ArrayVector& keys, int64_t row_count) {
  if (!is_keyed()) return nullptr;
  RETURN_NOT_OK(groups_.ResizeUninitialised(row_count));
  RETURN_NOT_OK(table_->Map(keys, row_count, groups_.data()));
  RETURN_NOT_OK(GrowTo(table_->group_count()));
  return groups_.data();
}

Status GroupStates::GrowTo(int32_t group_count) {
  group_count_ = group_count;
  if (group_count <= capacity_) return Status::OK();
  // By powers of two, as the table of the keys grows: so it is known when memory will be wanted.
  capacity_ = is_keyed()
                  ? std::min<int64_t>(CapacityFor(group_count), std::numeric_limits<int32_t>::max())
                  : group_count;
  for (const auto& accumulator : accumulators_) {
    RETURN_NOT_OK(accumulator->Grow(static_cast<int32_t>(capacity_)));
  }
  return Status::OK();
}

Status GroupStates::MergeColumns(const arrow::ArrayVector& columns, int64_t row_count) {
  auto next = columns.begin() + static_cast<int64_t>(key_count_);
  ARROW_ASSIGN_OR_RAISE(const int32_t* groups, FindGroups({columns.begin(), next}, row_count));
  for (size_t i = 0; i < accumulators_.size(); ++i) {
    const auto end = next + std::ssize(aggregates_[i]->buffer);
    RETURN_NOT_OK(accumulators_[i]->Merge({groups, row_count}, {next, end}));
    next = end;
  }
  return Status::OK();
}

int64_t GroupStates::StringBytes(int32_t begin, int32_t end) const {
  int64_t bytes = is_keyed() ? table_->StringBytes(begin, end) : 0;
  for (const auto& accumulator : accumulators_) bytes += accumulator->StringBytes(begin, end);
  return bytes;
}

int32_t GroupStates::CountWithin(const BatchBounds& bounds, int32_t begin) const {
  auto count = static_cast<int32_t>(std::min<int64_t>(bounds.rows, group_count_ - begin));
  if (!keeps_strings_) return count;
  while (count > 1 && StringBytes(begin, begin + count) > bounds.bytes) count = (count + 1) / 2;
  return count;
}

int64_t GroupStates::GrowthBytes(int64_t row_count, int64_t bytes) const {
  if (!is_keyed()) return keeps_rows_ ? bytes : 0;
  const int64_t of_arrays = ArrayGrowthBytes(row_count);
  return of_arrays > 0 || keeps_strings_ ? of_arrays + bytes : 0;
}

int64_t GroupStates::ArrayGrowthBytes(int64_t row_count) const {
  const int64_t more = std::min(row_count, std::max<int64_t>(group_count_, kNewGroupsGuess));
  const int64_t wanted = CapacityFor(group_count_ + more);
  if (wanted <= capacity_) return 0;
  const int64_t guess = kKeyBytesGuess + kStateBytesGuess * std::ssize(accumulators_);
  const int64_t group_bytes =
      capacity_ == 0 ? guess : std::max(guess, pool_->bytes_allocated() / capacity_);
  return (wanted - capacity_) * group_bytes;
}

Result<arrow::ArrayVector> GroupStates::Keys(int32_t begin, int32_t end,
                                             arrow::MemoryPool* pool) const {
  if (!is_keyed()) return arrow::ArrayVector{};
  return table_->Keys(begin, end, pool);
}

Result<arrow::ArrayVector> GroupStates::Columns(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const {
  ARROW_ASSIGN_OR_RAISE(arrow::ArrayVector columns, Keys(begin, end, pool));
  for (const auto& accumulator : accumulators_) {
    ARROW_ASSIGN_OR_RAISE(auto buffers, accumulator->Buffers(begin, end, pool));
    columns.insert(columns.end(), buffers.begin(), buffers.end());
  }
  return columns;
}

Result<arrow::ArrayVector> GroupStates::Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const {
  ARROW_ASSIGN_OR_RAISE(arrow::ArrayVector columns, Keys(begin, end, pool));
  for (size_t i = 0; i < accumulators_.size(); ++i) {
    auto result = accumulators_[i]->Results(begin, end, pool);
    if (!result.ok()) return WithContext(result.status(), aggregates_[i]->context);
    columns.push_back(*std::move(result));
  }
  return columns;
}

}  // namespace reprise
