#include "write/nested_leaves.h"

#include <arrow/array/array_nested.h>

#include "base/batch.h"

namespace reprise {

namespace {

constexpr int32_t kNoValue = -1;

/// Where a node of the schema may have values, in the order in which they are written.
struct Places {
  std::vector<int32_t> rows;  // of the node's array; kNoValue: something above is null or empty
  std::vector<int16_t> definition_levels;
  std::vector<int16_t> repetition_levels;
  int16_t repetition_level_max = 0;

  void Add(int32_t row, int16_t definition, int16_t repetition) {
    rows.push_back(row);
    definition_levels.push_back(definition);
    repetition_levels.push_back(repetition);
  }
};

/// One place a row.
Places PlacesOfRows(int64_t rows) {
  Places places;
  for (int64_t row = 0; row < rows; ++row) places.Add(static_cast<int32_t>(row), 0, 0);
  return places;
}

/// Of what the node's values have themselves: a level more where they may be null and are not.
Status LeaveNullsOut(const arrow::Array& array, const arrow::Field& field, Places* places) {
  for (size_t i = 0; i < places->rows.size(); ++i) {
    if (places->rows[i] == kNoValue) continue;
    const bool is_null = array.IsNull(places->rows[i]);
    if (is_null && !field.nullable()) {
      return Status::Invalid("field ", field.name(), " has a null, but was said to have none");
    }
    if (is_null) places->rows[i] = kNoValue;
    if (!is_null && field.nullable()) ++places->definition_levels[i];
  }
  return Status::OK();
}

/// Those of the elements of lists, or of the entries of maps.
Places PlacesOfElements(const arrow::ListArray& lists, const Places& places) {
  Places elements;
  elements.repetition_level_max = static_cast<int16_t>(places.repetition_level_max + 1);
  for (size_t i = 0; i < places.rows.size(); ++i) {
    const int32_t row = places.rows[i];
    const int16_t definition = places.definition_levels[i];
    const int16_t repetition = places.repetition_levels[i];
    const int32_t begin = row == kNoValue ? 0 : lists.value_offset(row);
    const int32_t end = row == kNoValue ? 0 : lists.value_offset(row + 1);
    if (begin == end) elements.Add(kNoValue, definition, repetition);
    for (int32_t element = begin; element < end; ++element) {
      elements.Add(element, static_cast<int16_t>(definition + 1),
                   element == begin ? repetition : elements.repetition_level_max);
    }
  }
  return elements;
}

class Leaves {
 public:
  explicit Leaves(arrow::MemoryPool* pool) : pool_(pool) {}

  Status Add(const std::shared_ptr<arrow::Array>& array, const arrow::Field& field, Places places) {
    RETURN_NOT_OK(LeaveNullsOut(*array, field, &places));
    switch (array->type_id()) {
      case arrow::Type::LIST: {
        const auto& lists = static_cast<const arrow::ListArray&>(*array);
        return Add(lists.values(), *lists.list_type()->value_field(),
                   PlacesOfElements(lists, places));
      }
      case arrow::Type::MAP: {
        const auto& maps = static_cast<const arrow::MapArray&>(*array);
        Places entries = PlacesOfElements(maps, places);
        RETURN_NOT_OK(Add(maps.keys(), *maps.map_type()->key_field(), entries));
        return Add(maps.items(), *maps.map_type()->item_field(), std::move(entries));
      }
      case arrow::Type::STRUCT: {
        const auto& structs = static_cast<const arrow::StructArray&>(*array);
        for (int i = 0; i < structs.num_fields(); ++i) {
          RETURN_NOT_OK(Add(structs.field(i), *structs.type()->field(i), places));
        }
        return Status::OK();
      }
      default:
        return AddLeaf(array, std::move(places));
    }
  }

  std::vector<LeafColumn> Take() { return std::move(leaves_); }

 private:
  Status AddLeaf(const std::shared_ptr<arrow::Array>& array, Places places) {
    std::erase(places.rows, kNoValue);
    std::shared_ptr<arrow::Array> values = array;
    if (std::ssize(places.rows) != array->length()) {
      ARROW_ASSIGN_OR_RAISE(values, Gather(*array, places.rows, pool_));
    }
    leaves_.push_back({std::move(values), std::move(places.definition_levels),
                       std::move(places.repetition_levels)});
    return Status::OK();
  }

  arrow::MemoryPool* const pool_;
  std::vector<LeafColumn> leaves_;
};

}  // namespace

Result<std::vector<LeafColumn>> LeavesOf(const std::shared_ptr<arrow::Array>& column,
                                         const arrow::Field& field, arrow::MemoryPool* pool) {
  Leaves leaves(pool);
  RETURN_NOT_OK(leaves.Add(column, field, PlacesOfRows(column->length())));
  return leaves.Take();
}

}  // namespace reprise
