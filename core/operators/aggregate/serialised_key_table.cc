// Groups by several keys of which some are strings or binary. The keys of a row become one run of
// bytes:
//   null bits, one a key | fixed-width values, zero where null | uint32 length of each string | the
//   strings' bytes
// Runs are hashed with XXH3 and compared byte by byte, as Spark compares UnsafeRows.
#include <xxhash.h>

#include "operators/aggregate/dictionary_groups.h"
#include "operators/aggregate/group_slots.h"
#include "operators/aggregate/group_table.h"
#include "operators/byte_runs.h"
#include "operators/bytes_values.h"

namespace reprise {

namespace {

struct SerialisedKey {
  DataType type;
  bool is_bytes = false;
  int64_t offset = 0;  // in the run: of the value, or of the length
};

using Length = uint32_t;

class SerialisedKeyTable final : public GroupTable {
 public:
  SerialisedKeyTable(const std::vector<DataType>& types, arrow::MemoryPool* pool)
      : pool_(pool),
        slots_(pool),
        groups_(pool),
        row_bytes_(pool),
        row_ends_(pool),
        cursors_(pool),
        hashes_(pool) {
    header_size_ = (static_cast<int64_t>(types.size()) + 7) / 8;
    for (const DataType& type : types) {
      keys_.push_back({type, !IsFixedType(type) && !type.is(TypeKind::kNull), header_size_});
      header_size_ += keys_.back().is_bytes      ? static_cast<int64_t>(sizeof(Length))
                      : type.is(TypeKind::kNull) ? 0
                                                 : Width(type);
    }
  }

  Status Map(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups) override {
    if (!dictionary_groups_.Accepts(keys)) return MapByValue(keys, row_count, groups);
    return dictionary_groups_.Map(
        keys, row_count, groups, pool_,
        [this](const arrow::ArrayVector& new_keys, int64_t new_count, int32_t* new_groups) {
          return MapByValue(new_keys, new_count, new_groups);
        });
  }

  int32_t group_count() const override { return slots_.group_count(); }

  Result<arrow::ArrayVector> Keys(int32_t begin, int32_t end,
                                  arrow::MemoryPool* pool) const override {
    arrow::ArrayVector columns;
    for (size_t i = 0; i < keys_.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto column, KeyColumn(i, begin, end, pool));
      columns.push_back(std::move(column));
    }
    return columns;
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    return groups_.BytesOf(begin, end);
  }

  uint32_t HashOf(int32_t group) const override { return HashRun(groups_[group]); }

 private:
  static uint32_t HashRun(std::string_view run) {
    return static_cast<uint32_t>(XXH3_64bits(run.data(), run.size()));
  }

  static int64_t Width(const DataType& type) {
    return VisitFixedType(type, [](auto zero) { return static_cast<int64_t>(sizeof(zero)); });
  }

  Status MapByValue(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups) {
    RETURN_NOT_OK(MeasureRows(keys, row_count));
    RETURN_NOT_OK(WriteRows(keys, row_count));
    RETURN_NOT_OK(hashes_.ResizeUninitialised(row_count));
    for (int64_t row = 0; row < row_count; ++row) hashes_[row] = HashRun(RowRun(row));
    return slots_.Map(
        hashes_.data(), row_count, groups,
        [&](int32_t group, int64_t row) { return groups_[group] == RowRun(row); },
        [&](int64_t row) { return groups_.Append(RowRun(row)); });
  }

  // Sets row_ends_ to where each row's run ends in row_bytes_.
  Status MeasureRows(const arrow::ArrayVector& keys, int64_t row_count) {
    RETURN_NOT_OK(row_ends_.ResizeUninitialised(row_count));
    for (int64_t row = 0; row < row_count; ++row) row_ends_[row] = header_size_;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!keys_[i].is_bytes) continue;
      const BytesValues values(*keys[i]);
      const Validity valid(*keys[i]);
      for (int64_t row = 0; row < row_count; ++row) {
        if (valid[row]) row_ends_[row] += static_cast<int64_t>(values[row].size());
      }
    }
    for (int64_t row = 1; row < row_count; ++row) row_ends_[row] += row_ends_[row - 1];
    return Status::OK();
  }

  Status WriteRows(const arrow::ArrayVector& keys, int64_t row_count) {
    RETURN_NOT_OK(row_bytes_.ResizeUninitialised(row_count == 0 ? 0 : row_ends_[row_count - 1]));
    RETURN_NOT_OK(cursors_.ResizeUninitialised(row_count));
    for (int64_t row = 0; row < row_count; ++row) {
      const int64_t begin = row == 0 ? 0 : row_ends_[row - 1];
      std::memset(row_bytes_.data() + begin, 0, header_size_);
      cursors_[row] = begin + header_size_;
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys_[i].type.is(TypeKind::kNull)) continue;
      if (keys_[i].is_bytes) {
        WriteBytes(i, *keys[i], row_count);
      } else {
        VisitFixedType(keys_[i].type,
                       [&](auto zero) { WriteFixed<decltype(zero)>(i, *keys[i], row_count); });
      }
    }
    return Status::OK();
  }

  char* RowBegin(int64_t row) { return row_bytes_.data() + (row == 0 ? 0 : row_ends_[row - 1]); }

  static void SetNull(char* run, size_t key) { run[key / 8] |= static_cast<char>(1 << (key % 8)); }
  static bool IsNull(const char* run, size_t key) { return (run[key / 8] >> (key % 8)) & 1; }

  template <typename T>
  void WriteFixed(size_t key, const arrow::Array& column, int64_t row_count) {
    const FixedValues<T> values(column);
    const Validity valid(column);
    for (int64_t row = 0; row < row_count; ++row) {
      char* run = RowBegin(row);
      if (!valid[row]) {
        SetNull(run, key);
        continue;
      }
      const T value = values[row];
      std::memcpy(run + keys_[key].offset, &value, sizeof(T));
    }
  }

  void WriteBytes(size_t key, const arrow::Array& column, int64_t row_count) {
    const BytesValues values(column);
    const Validity valid(column);
    for (int64_t row = 0; row < row_count; ++row) {
      char* run = RowBegin(row);
      if (!valid[row]) {
        SetNull(run, key);
        continue;
      }
      const std::string_view value = values[row];
      const Length length = static_cast<Length>(value.size());
      std::memcpy(run + keys_[key].offset, &length, sizeof(length));
      std::memcpy(row_bytes_.data() + cursors_[row], value.data(), value.size());
      cursors_[row] += length;
    }
  }

  std::string_view RowRun(int64_t row) const {
    const int64_t begin = row == 0 ? 0 : row_ends_[row - 1];
    return {row_bytes_.data() + begin, static_cast<size_t>(row_ends_[row] - begin)};
  }

  Length LengthAt(const char* run, size_t key) const {
    Length length;
    std::memcpy(&length, run + keys_[key].offset, sizeof(length));
    return length;
  }

  std::string_view BytesAt(int32_t group, size_t key) const {
    const char* run = groups_[group].data();
    const char* begin = run + header_size_;
    for (size_t before = 0; before < key; ++before) {
      if (keys_[before].is_bytes) begin += LengthAt(run, before);
    }
    return {begin, LengthAt(run, key)};
  }

  Result<std::shared_ptr<arrow::Array>> KeyColumn(size_t key, int32_t begin, int32_t end,
                                                  arrow::MemoryPool* pool) const {
    const DataType& type = keys_[key].type;
    const int64_t count = end - begin;
    if (type.is(TypeKind::kNull)) return arrow::MakeArrayOfNull(arrow::null(), count, pool);
    const auto run_of = [&](int64_t i) { return groups_[begin + static_cast<int32_t>(i)].data(); };
    const auto valid = [&](int64_t i) { return !IsNull(run_of(i), key); };
    if (keys_[key].is_bytes) {
      return MakeBytesColumn(type, count, pool, valid, [&](int64_t i) {
        return BytesAt(begin + static_cast<int32_t>(i), key);
      });
    }
    return VisitFixedType(type, [&](auto zero) {
      using T = decltype(zero);
      return MakeFixedColumn<T>(type, count, pool, valid, [&](int64_t i) {
        T value;
        std::memcpy(&value, run_of(i) + keys_[key].offset, sizeof(T));
        return value;
      });
    });
  }

  arrow::MemoryPool* pool_;
  std::vector<SerialisedKey> keys_;
  int64_t header_size_ = 0;
  DictionaryGroups dictionary_groups_;
  GroupSlots slots_;
  ByteRuns groups_;             // the runs of all groups
  PoolVector<char> row_bytes_;  // the same for the rows of the batch at hand
  PoolVector<int64_t> row_ends_;
  PoolVector<int64_t> cursors_;  // where each row's next string goes
  PoolVector<uint32_t> hashes_;
};

}  // namespace

std::unique_ptr<GroupTable> MakeSerialisedKeyTable(const std::vector<DataType>& key_types,
                                                   arrow::MemoryPool* pool) {
  return std::make_unique<SerialisedKeyTable>(key_types, pool);
}

}  // namespace reprise
