#include "replay/conf_overrides.h"

#include <algorithm>
#include <charconv>
#include <ranges>

#include "base/nearest_name.h"

namespace reprise {

namespace {

constexpr std::string_view kBatchRows = "spark.reprise.sql.batchRows";
constexpr std::string_view kBatchBytes = "spark.reprise.sql.batchBytes";
constexpr std::string_view kCodec = "spark.reprise.exchange.codec";
constexpr std::string_view kMemory = "spark.memory.offHeap.size";
constexpr std::string_view kKeys[] = {kBatchRows, kBatchBytes, kCodec, kMemory};

// "64k", "512m", "2g", "1t", each with a b behind it or not, as JavaUtils.byteStringAsBytes reads
// it.
std::optional<int64_t> Bytes(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number <= 0) return std::nullopt;
  std::string unit(end, text.data() + text.size());
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
  if (unit.size() == 2 && unit[1] == 'b') unit.pop_back();
  constexpr std::string_view kUnits = "bkmgtp";
  const size_t power = unit.empty() ? 0 : kUnits.find(unit[0]);
  if (unit.size() > 1 || power == std::string_view::npos) return std::nullopt;
  const int shift = 10 * static_cast<int>(power);
  if (number > (INT64_MAX >> shift)) return std::nullopt;
  return number << shift;
}

Status NotHere(const std::string& key, const PlanMeta& plan) {
  const auto recorded = plan.conf.find(key);
  const auto& table = ConfigTable();
  const bool known = std::ranges::find(table, key, &ConfigEntry::key) != table.end();
  if (recorded != plan.conf.end() || known || key.starts_with("spark.sql.")) {
    return Status::Invalid("--conf ", key, ": the operator does not read it when it runs",
                           recorded == plan.conf.end()
                               ? ""
                               : ", it was planned with " + recorded->dump() + " built in",
                           "; --engine spark plans again. A native replay takes ",
                           fmt::format("{}", fmt::join(kKeys, ", ")));
  }
  return Status::Invalid("unknown configuration key ", key, ", did you mean ",
                         NearestName(key, kKeys), "?");
}

}  // namespace

Result<ReplayConf> ParseReplayConf(const ConfigMap& settings, const PlanMeta& plan) {
  ReplayConf conf;
  if (settings.empty()) return conf;
  for (const auto& [key, value] : settings) {
    if (std::ranges::find(kKeys, key) == std::end(kKeys)) return NotHere(key, plan);
    if (key != kMemory) continue;
    conf.memory_bytes = Bytes(value);
    if (conf.memory_bytes) continue;
    return Status::Invalid(key, " must be a number of bytes such as 64m or 2g, found \"", value,
                           "\"");
  }
  ARROW_ASSIGN_OR_RAISE(const Config checked, ParseConfig(settings));
  const auto number = [&](std::string_view key) -> std::optional<int64_t> {
    if (!settings.contains(std::string(key))) return std::nullopt;
    return std::stoll(checked.values.at(std::string(key)));
  };
  conf.batch_rows = number(kBatchRows);
  conf.batch_bytes = number(kBatchBytes);
  if (settings.contains(std::string(kCodec))) conf.codec = checked.values.at(std::string(kCodec));
  return conf;
}

Result<ConfigMap> ConfigMapFromPairs(const std::vector<std::string>& pairs) {
  ConfigMap settings;
  for (const std::string& pair : pairs) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Status::Invalid("--conf ", pair, ": expected key=value");
    }
    settings[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return settings;
}

}  // namespace reprise
