// How a dump's columns can be masked: what the rules check and the dump's writer does.
#pragma once

#include <optional>
#include <string_view>

#include "plan/data_type.h"

namespace reprise {

enum class MaskKind {
  /// Another value for each value, the same one wherever it occurs in the query, so that joins and
  /// group-bys find the same rows, and no others. Integers, floats, decimals up to 18 digits,
  /// dates and timestamps are permuted within their range; doubles, longer decimals and strings
  /// are replaced by 64-bit hashes (a string by 16 hexadecimal digits).
  kHash,
  kNull,     ///< null; in a column that has no nulls, zero or the empty string
  kShuffle,  ///< the values of a batch in another order: their distribution stays
};

/// "hash", "null" or "shuffle".
std::optional<MaskKind> MaskKindOf(std::string_view name);

std::string_view MaskName(MaskKind kind);

/// Whether a column of this type can be hashed; any can be made null or shuffled.
bool CanHash(const DataType& type);

/// Whether two column names are the same to a mask: whatever the case of their ASCII letters.
bool SameColumnName(std::string_view left, std::string_view right);

}  // namespace reprise
