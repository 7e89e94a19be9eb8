// Which columns of Parquet files have Bloom filters, as parquet-mr is told.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/status.h"

namespace reprise {

/// Of one column.
struct BloomFilterSettings {
  bool enabled = false;
  std::optional<int64_t> distinct_values;  ///< else the filter is as large as it may be
  double false_positives = 0.01;
};

/// Of the columns of a file.
struct BloomFilters {
  BloomFilterSettings otherwise;  ///< of those that are not named
  std::map<std::string, BloomFilterSettings> columns;
  int64_t bytes_max = int64_t{1} << 20;  ///< of one filter

  const BloomFilterSettings& of(const std::string& column) const {
    const auto found = columns.find(column);
    return found == columns.end() ? otherwise : found->second;
  }
};

/// How many distinct values are to be expected of a filter of so many bytes, at most.
int64_t DistinctValuesOf(int64_t bytes, double false_positives);

/// Reads {"otherwise":ONE,"columns":{"a":ONE…},"bytesMax":N}, where ONE is
/// {"enabled":bool,"distinctValues":N|null,"falsePositives":0.01}. What is missing or mistyped
/// is nlohmann's exception; a share that is none is Status::Invalid.
Result<BloomFilters> ReadBloomFilters(const nlohmann::json& json);

}  // namespace reprise
