// DictionaryGroups: the shortcut of a group table for keys that are all dictionary-encoded strings.
#pragma once

#include <arrow/array.h>

#include <functional>
#include <memory>
#include <vector>

#include "base/status.h"

namespace reprise {

/// Remembers the group of every combination of dictionary codes that has occurred, for as long as
/// the dictionaries stay the same. So the strings themselves are looked at once a dictionary, not
/// once a row.
class DictionaryGroups {
 public:
  /// Groups rows by their values: GroupTable::Map of the table that this is a shortcut for.
  using MapRows =
      std::function<Status(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups)>;

  /// Takes up the dictionaries of `keys`. False where the shortcut does not apply: a key is not
  /// dictionary-encoded, or there are too many combinations of codes.
  bool Accepts(const arrow::ArrayVector& keys);

  /// As GroupTable::Map; only after Accepts(keys) was true. Rows with new combinations go to
  /// `map_rows`.
  Status Map(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups,
             arrow::MemoryPool* pool, const MapRows& map_rows);

 private:
  // What tells two dictionaries apart: their buffers, which are kept, so that no other can take
  // their address.
  struct Dictionary {
    std::shared_ptr<arrow::Buffer> offsets;
    std::shared_ptr<arrow::Buffer> bytes;
    int64_t offset = 0;
    int64_t length = 0;
    bool operator==(const Dictionary&) const = default;
  };

  std::vector<Dictionary> dictionaries_;
  std::vector<int32_t> group_of_code_;  // by combined code; kUnknown: has not occurred
  std::vector<uint32_t> codes_;         // combined code of each row of the batch at hand
};

}  // namespace reprise
