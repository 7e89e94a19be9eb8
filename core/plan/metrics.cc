#include "plan/metrics.h"

#include <algorithm>

namespace reprise {

namespace {

struct KindMetrics {
  std::string_view kind;
  std::vector<Metric> metrics;
};

const std::vector<KindMetrics>& Table() {
  static const std::vector<KindMetrics> table = {
      {"parquet_scan",
       {{"rowGroupsRead", "row groups read", "count"},
        {"rowGroupsSkipped", "row groups skipped", "count"},
        {"bytesRead", "size of files read", "bytes"}}},
      {"shuffle_write",
       {{"dataSize", "data size", "bytes"},
        {"blocksWritten", "blocks written", "count"},
        {"bytesWritten", "size of blocks written", "bytes"}}},
      {"shuffle_read",
       {{"blocksRead", "blocks read", "count"}, {"bytesRead", "size of blocks read", "bytes"}}},
      {"broadcast_read",
       {{"blocksRead", "blocks read", "count"}, {"bytesRead", "size of blocks read", "bytes"}}},
      {"hash_aggregate",
       {{"peakMemory", "peak memory", "bytes"},
        {std::string(kSpillMetric), "spill size", "bytes"}}},
      {"sort", {{std::string(kSpillMetric), "spill size", "bytes"}}},
      {"hash_join",
       {{"buildRows", "rows of the build side", "count"},
        {"peakMemory", "peak memory", "bytes"},
        {std::string(kSpillMetric), "spill size", "bytes"}}},
      {"nested_loop_join",
       {{"buildRows", "rows of the build side", "count"},
        {"peakMemory", "peak memory", "bytes"},
        {std::string(kSpillMetric), "spill size", "bytes"}}},
      {"build_matches",
       {{"buildRows", "rows of the build side", "count"},
        {"peakMemory", "peak memory", "bytes"},
        {std::string(kSpillMetric), "spill size", "bytes"}}},
  };
  return table;
}

}  // namespace

const std::vector<Metric>& BaseMetrics() {
  static const std::vector<Metric> metrics = {
      {"numOutputRows", "number of output rows", "count"},
      {"numOutputBatches", "number of output batches", "count"},
      {"outputBytes", "size of output", "bytes"},
      {"ownTime", "own time", "ns"},
  };
  return metrics;
}

const std::vector<Metric>& ExtraMetrics(std::string_view kind) {
  static const std::vector<Metric> none;
  const auto found = std::ranges::find(Table(), kind, &KindMetrics::kind);
  return found == Table().end() ? none : found->metrics;
}

std::vector<Metric> MetricsOfKind(std::string_view kind) {
  std::vector<Metric> metrics = BaseMetrics();
  const auto& extra = ExtraMetrics(kind);
  metrics.insert(metrics.end(), extra.begin(), extra.end());
  return metrics;
}

}  // namespace reprise
