// `--conf key=value` of a replay: what of the configuration an operator still sees when it runs.
#pragma once

#include <cstdint>
#include <optional>

#include "base/config.h"
#include "dump/meta.h"

namespace reprise {

/// Settings that replace the recorded ones; absent: as recorded.
struct ReplayConf {
  std::optional<int64_t> batch_rows;   ///< spark.reprise.sql.batchRows
  std::optional<int64_t> batch_bytes;  ///< spark.reprise.sql.batchBytes
  std::optional<int64_t>
      memory_bytes;   ///< spark.memory.offHeap.size: of one task; absent: no limit
  std::string codec;  ///< spark.reprise.exchange.codec; empty: as recorded
};

/// Reads the settings. Status::Invalid for a value that the key does not take; for a key that was
/// built into the operator's expressions when it was planned, which only `--engine spark` can
/// change; and for an unknown key, with the nearest that can be set.
Result<ReplayConf> ParseReplayConf(const ConfigMap& settings, const PlanMeta& plan);

/// "key=value" as the command line has it. Status::Invalid where there is no '='.
Result<ConfigMap> ConfigMapFromPairs(const std::vector<std::string>& pairs);

}  // namespace reprise
