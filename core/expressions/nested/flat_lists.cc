#include "expressions/nested/flat_lists.h"

#include <arrow/builder.h>
#include <arrow/util/bit_util.h>
#include <arrow/util/bitmap_ops.h>

#include <limits>

#include "expressions/nested/nested_values.h"
#include "transitions/item_column.h"

namespace reprise {

namespace {

using Offsets = arrow::TypedBufferBuilder<int32_t>;

/// The nulls of a column, counted from its first row.
Result<StoredNulls> NullsOf(const arrow::Array& column, arrow::MemoryPool* pool) {
  StoredNulls nulls;
  nulls.null_count = column.null_count();
  if (nulls.null_count == 0) return nulls;
  ARROW_ASSIGN_OR_RAISE(
      nulls.validity, arrow::internal::CopyBitmap(pool, column.null_bitmap_data(), column.offset(),
                                                  column.length()));
  return nulls;
}

/// The lists of the values of an opaque column, of which `append` puts away what stands in one.
Result<FlatLists> FlattenValues(const arrow::Array& column,
                                const std::function<Result<int64_t>(NestedBytes)>& append,
                                arrow::MemoryPool* pool) {
  const NestedValues values(column);
  ARROW_ASSIGN_OR_RAISE(StoredNulls nulls, NullsOf(column, pool));
  return FlattenRows(
      column.length(), std::move(nulls), [&](int64_t row) { return append(values[row]); }, pool);
}

}  // namespace

Result<FlatLists> FlattenRows(int64_t row_count, StoredNulls nulls,
                              const std::function<Result<int64_t>(int64_t row)>& append,
                              arrow::MemoryPool* pool) {
  FlatLists flat;
  Offsets offsets(pool);
  RETURN_NOT_OK(offsets.Reserve(row_count + 1));
  offsets.UnsafeAppend(0);
  for (int64_t row = 0; row < row_count; ++row) {
    if (!nulls.IsNull(row)) {
      ARROW_ASSIGN_OR_RAISE(const int64_t count, append(row));
      if (count > std::numeric_limits<int32_t>::max() - flat.count()) {
        return Status::CapacityError("the arrays of ", row_count,
                                     " rows have more than 2^31 elements");
      }
      flat.rows.insert(flat.rows.end(), static_cast<size_t>(count), static_cast<int32_t>(row));
    }
    offsets.UnsafeAppend(static_cast<int32_t>(flat.count()));
  }
  flat.lists = {row_count, nullptr, std::move(nulls)};
  ARROW_ASSIGN_OR_RAISE(flat.lists.offsets, offsets.Finish());
  return flat;
}

Result<FlatArrays> Flatten(const arrow::Array& arrays, const DataType& element_type,
                           arrow::MemoryPool* pool) {
  FlatArrays flat;
  ARROW_ASSIGN_OR_RAISE(ItemColumn elements, ItemColumn::Make(element_type, pool));
  const auto append = [&](NestedBytes array) -> Result<int64_t> {
    ARROW_ASSIGN_OR_RAISE(const NestedItems items, ElementsOf(array));
    RETURN_NOT_OK(elements.AppendAll(items));
    return items.count;
  };
  ARROW_ASSIGN_OR_RAISE(static_cast<FlatLists&>(flat), FlattenValues(arrays, append, pool));
  ARROW_ASSIGN_OR_RAISE(flat.elements, elements.Finish());
  return flat;
}

Result<FlatArrays> EvaluateFlat(const Expression& arrays, const DataType& element_type,
                                EvalInput& input) {
  if (const auto* by_element = dynamic_cast<const ArraysByElement*>(&arrays)) {
    return by_element->EvaluateElements(input);
  }
  ARROW_ASSIGN_OR_RAISE(const auto column, EvaluateToArray(arrays, input));
  return Flatten(*column, element_type, input.pool());
}

Result<FlatMaps> FlattenMaps(const arrow::Array& maps, const DataType& key_type,
                             const DataType& value_type, arrow::MemoryPool* pool) {
  FlatMaps flat;
  ARROW_ASSIGN_OR_RAISE(ItemColumn keys, ItemColumn::Make(key_type, pool));
  ARROW_ASSIGN_OR_RAISE(ItemColumn values, ItemColumn::Make(value_type, pool));
  const auto append = [&](NestedBytes map) -> Result<int64_t> {
    ARROW_ASSIGN_OR_RAISE(const NestedMap entries, EntriesOf(map));
    RETURN_NOT_OK(keys.AppendAll(entries.keys));
    RETURN_NOT_OK(values.AppendAll(entries.values));
    return entries.keys.count;
  };
  ARROW_ASSIGN_OR_RAISE(static_cast<FlatLists&>(flat), FlattenValues(maps, append, pool));
  ARROW_ASSIGN_OR_RAISE(flat.keys, keys.Finish());
  ARROW_ASSIGN_OR_RAISE(flat.values, values.Finish());
  return flat;
}

Result<std::shared_ptr<arrow::Array>> PlacesIn(const FlatLists& lists, arrow::MemoryPool* pool) {
  arrow::Int32Builder places(pool);
  RETURN_NOT_OK(places.Reserve(lists.count()));
  for (int64_t list = 0; list < lists.lists.count; ++list) {
    for (int64_t place = 0; place < lists.length(list); ++place) {
      places.UnsafeAppend(static_cast<int32_t>(place));
    }
  }
  return places.Finish();
}

Result<StoredLists> OnlyElements(const FlatLists& lists, std::span<const int32_t> elements,
                                 arrow::MemoryPool* pool) {
  StoredLists kept{lists.lists.count, nullptr, lists.lists.nulls};
  Offsets offsets(pool);
  RETURN_NOT_OK(offsets.Reserve(kept.count + 1));
  offsets.UnsafeAppend(0);
  size_t next = 0;
  for (int64_t list = 0; list < kept.count; ++list) {
    while (next < elements.size() && elements[next] < lists.lists.offset(list + 1)) ++next;
    offsets.UnsafeAppend(static_cast<int32_t>(next));
  }
  ARROW_ASSIGN_OR_RAISE(kept.offsets, offsets.Finish());
  return kept;
}

}  // namespace reprise
