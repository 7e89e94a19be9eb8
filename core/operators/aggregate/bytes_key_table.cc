// Groups by one key that is a string or binary: what a query groups by most, without a copy of each
// row's key. Values are hashed with XXH3 and compared byte by byte, as Spark compares UnsafeRows.
#include <xxhash.h>

#include "operators/aggregate/dictionary_groups.h"
#include "operators/aggregate/group_slots.h"
#include "operators/aggregate/group_table.h"
#include "operators/bytes_values.h"

namespace reprise {

namespace {

constexpr uint32_t kHashOfNull = 0x9E3779B9;

class BytesKeyTable final : public GroupTable {
 public:
  BytesKeyTable(DataType type, arrow::MemoryPool* pool)
      : type_(std::move(type)),
        pool_(pool),
        slots_(pool),
        bytes_(pool),
        ends_(pool),
        hashes_(pool) {}

  Status Map(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups) override {
    if (!dictionary_groups_.Accepts(keys)) return MapByValue(*keys[0], row_count, groups);
    return dictionary_groups_.Map(
        keys, row_count, groups, pool_,
        [this](const arrow::ArrayVector& new_keys, int64_t new_count, int32_t* new_groups) {
          return MapByValue(*new_keys[0], new_count, new_groups);
        });
  }

  int32_t group_count() const override { return slots_.group_count(); }

  Result<arrow::ArrayVector> Keys(int32_t begin, int32_t end,
                                  arrow::MemoryPool* pool) const override {
    const auto group = [begin](int64_t i) { return begin + static_cast<int32_t>(i); };
    ARROW_ASSIGN_OR_RAISE(
        auto column, MakeBytesColumn(
                         type_, end - begin, pool, [&](int64_t i) { return group(i) != null_; },
                         [&](int64_t i) { return ValueOf(group(i)); }));
    return arrow::ArrayVector{std::move(column)};
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    return begin >= end ? 0 : ends_[end - 1] - BeginOf(begin);
  }

  uint32_t HashOf(int32_t group) const override {
    return group == null_ ? kHashOfNull : Hash(ValueOf(group));
  }

 private:
  static uint32_t Hash(std::string_view value) {
    return static_cast<uint32_t>(XXH3_64bits(value.data(), value.size()));
  }

  Status MapByValue(const arrow::Array& keys, int64_t row_count, int32_t* groups) {
    const BytesValues values(keys);
    const Validity valid(keys);
    RETURN_NOT_OK(hashes_.ResizeUninitialised(row_count));
    for (int64_t row = 0; row < row_count; ++row) {
      hashes_[row] = valid[row] ? Hash(values[row]) : kHashOfNull;
    }
    return slots_.Map(
        hashes_.data(), row_count, groups,
        [&](int32_t group, int64_t row) {
          if (group == null_ || !valid[row]) return group == null_ && !valid[row];
          return ValueOf(group) == values[row];
        },
        [&](int64_t row) {
          if (!valid[row]) null_ = group_count();
          return Append(valid[row] ? values[row] : std::string_view());
        });
  }

  int64_t BeginOf(int32_t group) const { return group == 0 ? 0 : ends_[group - 1]; }

  std::string_view ValueOf(int32_t group) const {
    const int64_t begin = BeginOf(group);
    return {bytes_.data() + begin, static_cast<size_t>(ends_[group] - begin)};
  }

  Status Append(std::string_view value) {
    const int64_t begin = bytes_.size();
    RETURN_NOT_OK(bytes_.ResizeUninitialised(begin + static_cast<int64_t>(value.size())));
    if (!value.empty()) std::memcpy(bytes_.data() + begin, value.data(), value.size());
    RETURN_NOT_OK(ends_.ResizeUninitialised(ends_.size() + 1));
    ends_[ends_.size() - 1] = bytes_.size();
    return Status::OK();
  }

  const DataType type_;
  arrow::MemoryPool* pool_;
  DictionaryGroups dictionary_groups_;
  GroupSlots slots_;
  PoolVector<char> bytes_;    // the values of all groups, one after the other
  PoolVector<int64_t> ends_;  // where each ends
  int32_t null_ = -1;         // the group of null
  PoolVector<uint32_t> hashes_;
};

}  // namespace

std::unique_ptr<GroupTable> MakeBytesKeyTable(const DataType& type, arrow::MemoryPool* pool) {
  return std::make_unique<BytesKeyTable>(type, pool);
}

}  // namespace reprise
