#include "vocabulary/metrics.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

struct NamedMetric {
  std::string_view name;  ///< in operators.def
  Metric metric;
};

/// The figures that kinds count beside the base ones.
const std::vector<NamedMetric>& NamedMetrics() {
  static const auto* const metrics = new std::vector<NamedMetric>{
      {"rowGroupsRead", {"rowGroupsRead", "row groups read", "count"}},
      {"rowGroupsSkipped", {"rowGroupsSkipped", "row groups skipped", "count"}},
      {"fileBytesRead", {"bytesRead", "size of files read", "bytes"}},
      {"sparkBytesRead", {"sparkBytesRead", "size read by Spark's reader", "bytes"}},
      {"filesWritten", {"filesWritten", "files written", "count"}},
      {"rowGroupsWritten", {"rowGroupsWritten", "row groups written", "count"}},
      {"fileBytesWritten", {"bytesWritten", "size of files written", "bytes"}},
      {"dataSize", {"dataSize", "data size", "bytes"}},
      {"blocksWritten", {"blocksWritten", "blocks written", "count"}},
      {"bytesWritten", {"bytesWritten", "size of blocks written", "bytes"}},
      {"blocksRead", {"blocksRead", "blocks read", "count"}},
      {"bytesRead", {"bytesRead", "size of blocks read", "bytes"}},
      {"guestRows", {"guestRows", "rows that Spark evaluated", "count"}},
      {"buildRows", {"buildRows", "rows of the build side", "count"}},
      {"peakMemory", {"peakMemory", "peak memory", "bytes"}},
      {kSpillMetric, {std::string(kSpillMetric), "spill size", "bytes"}},
  };
  return *metrics;
}

std::vector<Metric> MetricsNamed(const OperatorKind& kind) {
  std::vector<Metric> metrics;
  for (const std::string_view name : WordsOf(kind.metrics)) {
    const auto found = std::ranges::find(NamedMetrics(), name, &NamedMetric::name);
    REPRISE_CHECK(found != NamedMetrics().end(), "{} counts {}", kind.name, name);
    metrics.push_back(found->metric);
  }
  return metrics;
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
  static const auto* const by_kind = [] {
    auto* map = new std::map<std::string_view, std::vector<Metric>>();
    for (const OperatorKind& known : OperatorKinds()) map->emplace(known.name, MetricsNamed(known));
    return map;
  }();
  static const std::vector<Metric> none;
  const auto found = by_kind->find(kind);
  return found == by_kind->end() ? none : found->second;
}

std::vector<Metric> MetricsOfKind(std::string_view kind) {
  std::vector<Metric> metrics = BaseMetrics();
  const auto& extra = ExtraMetrics(kind);
  metrics.insert(metrics.end(), extra.begin(), extra.end());
  return metrics;
}

}  // namespace reprise
