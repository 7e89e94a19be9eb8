#include "write/bloom_filters.h"

#include <cmath>

namespace reprise {

namespace {

Result<BloomFilterSettings> ReadOne(const nlohmann::json& json) {
  BloomFilterSettings settings;
  settings.enabled = json.at("enabled").get<bool>();
  const nlohmann::json& distinct = json.at("distinctValues");
  if (!distinct.is_null()) settings.distinct_values = distinct.get<int64_t>();
  settings.false_positives = json.at("falsePositives").get<double>();
  const bool is_share = settings.false_positives > 0 && settings.false_positives < 1;
  if (is_share) return settings;
  return Status::Invalid("\"falsePositives\" is ", settings.false_positives,
                         "; expected more than 0 and less than 1");
}

}  // namespace

int64_t DistinctValuesOf(int64_t bytes, double false_positives) {
  // The inverse of what says how many bits a filter of blocks of eight words needs.
  const double bits_a_value = -8 / std::log(1 - std::pow(false_positives, 1.0 / 8));
  return static_cast<int64_t>(static_cast<double>(bytes) * 8 / bits_a_value);
}

Result<BloomFilters> ReadBloomFilters(const nlohmann::json& json) {
  BloomFilters filters;
  ARROW_ASSIGN_OR_RAISE(filters.otherwise, ReadOne(json.at("otherwise")));
  for (const auto& [column, one] : json.at("columns").items()) {
    ARROW_ASSIGN_OR_RAISE(filters.columns[column], ReadOne(one));
  }
  filters.bytes_max = json.at("bytesMax").get<int64_t>();
  return filters;
}

}  // namespace reprise
