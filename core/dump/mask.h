// Masking: what a dump records instead of values that must not leave the house.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/batch.h"
#include "dump/keyed_hash.h"
#include "plan/data_type.h"
#include "plan/mask_kind.h"

namespace reprise {

/// The masks of one stream.
class Mask {
 public:
  /// `columns`: {"name":"hash"|"null"|"shuffle"}; names count whatever their case. `secret` is the
  /// key's text. Status::Invalid names a column that cannot be masked so.
  static Result<Mask> Make(const nlohmann::json& columns, std::string_view secret,
                           const std::vector<Field>& schema);

  bool empty() const { return columns_.empty(); }

  /// The selected rows of the batch, masked. Other columns are handed on.
  Result<Batch> Apply(const Batch& batch, arrow::MemoryPool* pool);

 private:
  struct Column {
    int index;
    MaskKind kind;
  };

  std::vector<Field> schema_;
  std::vector<Column> columns_;
  HashKey key_{};
  uint64_t batches_ = 0;
};

}  // namespace reprise
