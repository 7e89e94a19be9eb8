// Groups by one key that is a string or binary: what a query groups by most, without a copy of each
// row's key. Values are hashed with XXH3 and compared byte by byte, as Spark compares UnsafeRows.
#include <xxhash.h>

#include "operators/aggregate/dictionary_groups.h"
#include "operators/aggregate/group_slots.h"
#include "operators/aggregate/group_table.h"
#include "operators/byte_runs.h"
#include "operators/bytes_values.h"

namespace reprise {

namespace {

constexpr uint32_t kHashOfNull = 0x9E3779B9;

class BytesKeyTable final : public GroupTable {
 public:
  BytesKeyTable(DataType type, arrow::MemoryPool* pool)
      : type_(std::move(type)), pool_(pool), slots_(pool), values_(pool), hashes_(pool) {}

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
                         [&](int64_t i) { return values_[group(i)]; }));
    return arrow::ArrayVector{std::move(column)};
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    return values_.BytesOf(begin, end);
  }

  uint32_t HashOf(int32_t group) const override {
    return group == null_ ? kHashOfNull : Hash(values_[group]);
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
          return values_[group] == values[row];
        },
        [&](int64_t row) {
          if (!valid[row]) null_ = group_count();
          return values_.Append(valid[row] ? values[row] : std::string_view());
        });
  }

  const DataType type_;
  arrow::MemoryPool* pool_;
  DictionaryGroups dictionary_groups_;
  GroupSlots slots_;
  ByteRuns values_;    // of the groups
  int32_t null_ = -1;  // the group of null
  PoolVector<uint32_t> hashes_;
};

}  // namespace

std::unique_ptr<GroupTable> MakeBytesKeyTable(const DataType& type, arrow::MemoryPool* pool) {
  return std::make_unique<BytesKeyTable>(type, pool);
}

}  // namespace reprise
