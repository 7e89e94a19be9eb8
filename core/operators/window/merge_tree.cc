#include "operators/window/merge_tree.h"

#include <arrow/array/concatenate.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "operators/pool_vector.h"

namespace reprise {

namespace {

/// No value's magnitude is above.
uint64_t LargestMagnitude(const DataType& type, const arrow::Array& column) {
  return VisitFixedType(type, [&](auto zero) -> uint64_t {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(int64_t)) {
      const FixedValues<T> values(column);
      const Validity valid(column);
      uint64_t largest = 0;
      for (int64_t row = 0; row < column.length(); ++row) {
        if (!valid[row]) continue;
        const auto value = static_cast<int64_t>(values[row]);
        const auto bits = static_cast<uint64_t>(value);
        largest = std::max(largest, value < 0 ? ~bits + 1 : bits);
      }
      return largest;
    } else {
      return std::numeric_limits<uint64_t>::max();
    }
  });
}

bool SumsWithin(uint64_t limit, const AggregateSpec& spec, const arrow::Array& column,
                int64_t rows_max) {
  return LargestMagnitude(spec.input_type, column) <= limit / static_cast<uint64_t>(rows_max);
}

}  // namespace

bool MergesExactly(const AggregateSpec& spec, const arrow::ArrayVector& inputs, int64_t rows_max) {
  const bool sums =
      spec.function == AggregateFunction::kSum || spec.function == AggregateFunction::kAvg;
  if (!sums) {
    return spec.function == AggregateFunction::kMin || spec.function == AggregateFunction::kMax ||
           spec.function == AggregateFunction::kCount;
  }
  if (spec.input_type.is(TypeKind::kDecimal)) {
    // No sum of so few values leaves the buffer's type.
    const DataType sum = BufferTypes(spec)[0];
    const int digits = sum.precision - spec.input_type.precision;
    return digits >= 10 || rows_max <= static_cast<int64_t>(std::pow(10, std::max(digits, 0)));
  }
  if (!spec.input_type.is_integral()) return false;
  if (spec.function == AggregateFunction::kAvg) {
    // Integers of a double.
    return SumsWithin(uint64_t{1} << 53, spec, *inputs[0], rows_max);
  }
  return !spec.ansi || SumsWithin(std::numeric_limits<int64_t>::max(), spec, *inputs[0], rows_max);
}

Result<MergeTree> MergeTree::Make(const AggregateSpec& spec, const arrow::ArrayVector& inputs,
                                  int32_t row_count, arrow::MemoryPool* pool) {
  MergeTree tree;
  PoolVector<int32_t> groups(pool);
  RETURN_NOT_OK(groups.ResizeUninitialised(row_count));
  std::iota(groups.data(), groups.data() + row_count, 0);
  std::vector<Column> columns;
  for (const auto& input : inputs) columns.push_back({input, nullptr});
  auto level = MakeAccumulator(spec, pool);
  RETURN_NOT_OK(level->Grow(row_count));
  RETURN_NOT_OK(level->Update({groups.data(), row_count}, columns));
  ARROW_ASSIGN_OR_RAISE(arrow::ArrayVector buffers, level->Buffers(0, row_count, pool));

  std::vector<arrow::ArrayVector> fields(buffers.size());
  int32_t begin = 0;
  for (int32_t count = row_count;; count = (count + 1) / 2) {
    tree.level_begins_.push_back(begin);
    begin += count;
    for (size_t i = 0; i < buffers.size(); ++i) fields[i].push_back(buffers[i]);
    if (count == 1) break;
    for (int32_t i = 0; i < count; ++i) groups[i] = i / 2;
    level = MakeAccumulator(spec, pool);
    RETURN_NOT_OK(level->Grow((count + 1) / 2));
    RETURN_NOT_OK(level->Merge({groups.data(), count}, buffers));
    ARROW_ASSIGN_OR_RAISE(buffers, level->Buffers(0, (count + 1) / 2, pool));
  }
  for (const arrow::ArrayVector& field : fields) {
    ARROW_ASSIGN_OR_RAISE(auto all, arrow::Concatenate(field, pool));
    tree.buffers_.push_back(std::move(all));
  }
  return tree;
}

void MergeTree::AppendPlaces(int32_t begin, int32_t end, std::vector<int32_t>* places) const {
  while (begin < end) {
    const auto fits = static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(end - begin)) - 1);
    const auto aligned =
        begin == 0 ? fits : static_cast<uint32_t>(std::countr_zero(static_cast<uint32_t>(begin)));
    const uint32_t level = std::min(fits, aligned);
    places->push_back(level_begins_[level] + (begin >> level));
    begin += int32_t{1} << level;
  }
}

}  // namespace reprise
