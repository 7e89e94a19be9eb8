// collect_list and collect_set, as Spark's CollectList and CollectSet: the values of the rows that
// have one, in their order; of a set each value once, in the order of Scala's hash set. Buffer
// [binary]: an UnsafeRow with the array. Results are arrays without nulls.
// Example: collect_list over "b", null, "a", "b" is ["b", "a", "b"].
#include <algorithm>

#include "operators/aggregate/accumulator.h"
#include "operators/aggregate/hash_set_order.h"
#include "operators/byte_runs.h"
#include "operators/bytes_values.h"
#include "operators/pool_vector.h"
#include "plan/nested_bytes.h"

namespace reprise {

namespace {

/// Values of one width, as they stand in an array.
template <typename T>
class FixedItems {
 public:
  using Value = T;
  using Reader = FixedValues<T>;

  explicit FixedItems(arrow::MemoryPool* pool) : values_(pool) {}

  Value operator[](int64_t item) const { return values_[item]; }
  Status Append(Value value) {
    RETURN_NOT_OK(values_.ResizeUninitialised(values_.size() + 1));
    values_[values_.size() - 1] = value;
    return Status::OK();
  }

  static Result<Value> Load(const NestedItems& items, int64_t item) {
    if constexpr (std::is_same_v<T, Int128>) {
      ARROW_ASSIGN_OR_RAISE(const auto value,
                            LoadLongDecimal(items.bytes, items.first + item * kRowWordBytes));
      return static_cast<Int128>(value.high_bits()) << 64 | value.low_bits();
    } else if constexpr (std::is_same_v<T, bool>) {
      ARROW_ASSIGN_OR_RAISE(const auto byte, LoadNested<uint8_t>(items.bytes, items.first + item));
      return byte != 0;
    } else {
      return LoadNested<T>(items.bytes, items.first + item * static_cast<int64_t>(sizeof(T)));
    }
  }

  /// In an array: bytes of the fixed part, and of what that refers to.
  static constexpr int64_t kFixedBytes =
      std::is_same_v<T, Int128> ? kRowWordBytes : static_cast<int64_t>(sizeof(T));
  int64_t VariableBytes(int64_t item) const {
    if constexpr (std::is_same_v<T, Int128>) {
      return LongDecimalElementBytes(values_[item]);
    } else {
      return 0;
    }
  }
  /// Writes the fixed part, and what it refers to `offset` bytes behind the array's start, where
  /// zeros are; gives the bytes written there.
  int64_t Write(int64_t item, uint8_t* array, uint8_t* fixed, int64_t offset) const {
    if constexpr (std::is_same_v<T, Int128>) {
      return StoreLongDecimalElement(values_[item], array, fixed, offset);
    } else {
      StoreAs(fixed, values_[item]);
      return 0;
    }
  }

 private:
  PoolVector<T> values_;
};

/// Strings and what travels as bytes.
class BytesItems {
 public:
  using Value = std::string_view;
  using Reader = BytesValues;

  explicit BytesItems(arrow::MemoryPool* pool) : runs_(pool) {}

  Value operator[](int64_t item) const { return runs_[item]; }
  Status Append(Value value) { return runs_.Append(value); }

  static Result<Value> Load(const NestedItems& items, int64_t item) {
    ARROW_ASSIGN_OR_RAISE(const NestedBytes value,
                          VariablePart(items.bytes, items.first + item * kRowWordBytes));
    return Value(reinterpret_cast<const char*>(value.data()), value.size());
  }

  static constexpr int64_t kFixedBytes = kRowWordBytes;
  int64_t VariableBytes(int64_t item) const {
    return RoundUpToWord(static_cast<int64_t>((*this)[item].size()));
  }
  int64_t Write(int64_t item, uint8_t* array, uint8_t* fixed, int64_t offset) const {
    const Value value = (*this)[item];
    StoreAs<uint64_t>(fixed,
                      static_cast<uint64_t>(offset) << 32 | static_cast<uint64_t>(value.size()));
    if (!value.empty()) std::memcpy(array + offset, value.data(), value.size());
    return RoundUpToWord(static_cast<int64_t>(value.size()));
  }

 private:
  ByteRuns runs_;
};

/// Bytes of an array's number of elements and null bits.
int64_t ArrayHeaderBytes(int64_t count) { return kRowWordBytes + NullBitsBytes(count); }

/// Of an UnsafeRow with one field, before its value.
constexpr int64_t kRowHeaderBytes = 2 * kRowWordBytes;

template <typename Items>
class Collect final : public Accumulator {
 public:
  Collect(const AggregateSpec& spec, arrow::MemoryPool* pool)
      : items_(pool), groups_(pool), starts_(pool), order_(pool) {
    if constexpr (HasSetOrder<typename Items::Value>()) {
      if (spec.function == AggregateFunction::kCollectSet) set_.emplace(pool);
    }
  }

  Status Grow(int32_t group_count) override {
    group_count_ = group_count;
    return set_ ? set_->Grow(group_count) : Status::OK();
  }

  Status KeepOnly(int32_t) override {
    return Status::NotImplemented("collected values are not made for running totals");
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    const arrow::Array& column = *inputs[0].array;
    const Validity valid(column);
    const typename Items::Reader values(column);
    for (int64_t row = 0; row < rows.row_count; ++row) {
      if (!valid[row]) continue;
      const int32_t group = GroupOf(rows, row);
      if (set_) set_->MakeRoom(group);
      RETURN_NOT_OK(Add(group, values[row]));
    }
    return Status::OK();
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    const Validity valid(*buffers[0]);
    const BytesValues values(*buffers[0]);
    for (int64_t row = 0; row < rows.row_count; ++row) {
      if (!valid[row]) continue;
      ARROW_ASSIGN_OR_RAISE(const NestedBytes array,
                            VariablePart(ToNestedBytes(values[row]), kRowWordBytes));
      ARROW_ASSIGN_OR_RAISE(const NestedItems elements, ElementsOf(array));
      const int32_t group = GroupOf(rows, row);
      if (set_) set_->MakeRoomFor(group, elements.count);
      for (int64_t i = 0; i < elements.count; ++i) {
        ARROW_ASSIGN_OR_RAISE(const auto value, Items::Load(elements, i));
        RETURN_NOT_OK(Add(group, value));
      }
    }
    return Status::OK();
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    if (!Index().ok()) return 0;  // told again where the values are wanted
    int64_t bytes = 0;
    for (int32_t group = begin; group < end; ++group) bytes += ArrayBytes(group);
    return bytes;
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto column, Arrays(begin, end, kRowHeaderBytes, pool));
    return arrow::ArrayVector{std::move(column)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return Arrays(begin, end, 0, pool);
  }

 private:
  using Value = typename Items::Value;

  static int32_t GroupOf(const GroupRows& rows, int64_t row) {
    return rows.groups == nullptr ? 0 : rows.groups[row];
  }

  Status Add(int32_t group, Value value) {
    if constexpr (HasSetOrder<Value>()) {
      if (set_) {
        const auto is_equal = [&](int32_t item) {
          return groups_[item] == group && items_[item] == value;
        };
        ARROW_ASSIGN_OR_RAISE(const bool is_new, set_->Add(group, ScalaHash(value), is_equal));
        if (!is_new) return Status::OK();
      }
    }
    if (groups_.size() == std::numeric_limits<int32_t>::max()) {
      return Status::CapacityError("more than ", groups_.size(), " values to collect in one task");
    }
    RETURN_NOT_OK(items_.Append(value));
    RETURN_NOT_OK(groups_.ResizeUninitialised(groups_.size() + 1));
    groups_[groups_.size() - 1] = group;
    return Status::OK();
  }

  /// Sorts the items by their groups, where that has not been done since the last one came.
  Status Index() const {
    if (order_.size() == groups_.size() && starts_.size() == group_count_ + int64_t{1}) {
      return Status::OK();
    }
    starts_.Release();
    RETURN_NOT_OK(starts_.Resize(group_count_ + int64_t{1}));
    RETURN_NOT_OK(order_.ResizeUninitialised(groups_.size()));
    for (int64_t i = 0; i < groups_.size(); ++i) ++starts_[groups_[i] + int64_t{1}];
    for (int64_t group = 0; group < group_count_; ++group) starts_[group + 1] += starts_[group];
    // While they are filled, a start is where the group's next item goes.
    for (int64_t i = 0; i < groups_.size(); ++i) {
      order_[starts_[groups_[i]]++] = static_cast<int32_t>(i);
    }
    for (int64_t group = group_count_; group > 0; --group) starts_[group] = starts_[group - 1];
    starts_[0] = 0;
    if (!set_) return Status::OK();
    for (int32_t group = 0; group < group_count_; ++group) {
      set_->Sort(group, ItemsOf(group));
    }
    return Status::OK();
  }

  std::span<int32_t> ItemsOf(int32_t group) const {
    const int64_t begin = starts_[group];
    return {order_.data() + begin, static_cast<size_t>(starts_[group + int64_t{1}] - begin)};
  }

  int64_t ArrayBytes(int32_t group) const {
    const std::span<const int32_t> items = ItemsOf(group);
    const auto count = std::ssize(items);
    int64_t bytes = ArrayHeaderBytes(count) + RoundUpToWord(count * Items::kFixedBytes);
    for (const int32_t item : items) bytes += items_.VariableBytes(item);
    return bytes;
  }

  /// Each group's array, behind `header` bytes for a row's header.
  Result<std::shared_ptr<arrow::Array>> Arrays(int32_t begin, int32_t end, int64_t header,
                                               arrow::MemoryPool* pool) const {
    RETURN_NOT_OK(Index());
    ARROW_ASSIGN_OR_RAISE(
        auto offsets, arrow::AllocateBuffer((end - begin + int64_t{1}) * sizeof(int32_t), pool));
    auto* ends = reinterpret_cast<int32_t*>(offsets->mutable_data());
    int64_t size = 0;
    ends[0] = 0;
    for (int32_t group = begin; group < end; ++group) {
      size += header + ArrayBytes(group);
      if (size > std::numeric_limits<int32_t>::max()) {
        return Status::CapacityError("collected values of one batch have more than 2 GiB");
      }
      ends[group - begin + 1] = static_cast<int32_t>(size);
    }
    ARROW_ASSIGN_OR_RAISE(auto data, arrow::AllocateBuffer(size, pool));
    if (size > 0) std::memset(data->mutable_data(), 0, static_cast<size_t>(size));
    for (int32_t group = begin; group < end; ++group) {
      uint8_t* const to = data->mutable_data() + ends[group - begin];
      if (header > 0) {
        const auto bytes = static_cast<uint64_t>(ends[group - begin + 1] - ends[group - begin]);
        StoreAs<uint64_t>(to + kRowWordBytes, uint64_t{kRowHeaderBytes} << 32 |
                                                  (bytes - static_cast<uint64_t>(header)));
      }
      WriteArray(ItemsOf(group), to + header);
    }
    return arrow::MakeArray(arrow::ArrayData::Make(
        arrow::binary(), end - begin, {nullptr, std::move(offsets), std::move(data)}, 0));
  }

  void WriteArray(std::span<const int32_t> items, uint8_t* to) const {
    const auto count = std::ssize(items);
    StoreAs<int64_t>(to, count);
    uint8_t* fixed = to + ArrayHeaderBytes(count);
    int64_t offset = ArrayHeaderBytes(count) + RoundUpToWord(count * Items::kFixedBytes);
    for (const int32_t item : items) {
      offset += items_.Write(item, to, fixed, offset);
      fixed += Items::kFixedBytes;
    }
  }

  Items items_;
  PoolVector<int32_t> groups_;       // of each item
  std::optional<HashSetOrder> set_;  // of collect_set
  int32_t group_count_ = 0;
  mutable PoolVector<int64_t> starts_;  // of each group's items in order_, and an end
  mutable PoolVector<int32_t> order_;   // items by group, each group's in the order of its result
};

}  // namespace

std::unique_ptr<Accumulator> MakeCollect(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  const DataType stored = StoredType(spec.input_type);
  if (!IsFixedType(stored)) return std::make_unique<Collect<BytesItems>>(spec, pool);
  return VisitFixedType(stored, [&](auto zero) -> std::unique_ptr<Accumulator> {
    return std::make_unique<Collect<FixedItems<decltype(zero)>>>(spec, pool);
  });
}

}  // namespace reprise
