// The figures that native operators report, by operator kind: what the rules announce to the
// plug-in, and the operators count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// A figure that an operator counts.
struct Metric {
  std::string name;   ///< key in Spark's metrics: "rowGroupsSkipped"
  std::string label;  ///< as the SQL tab shows it: "row groups skipped"
  std::string unit;   ///< "count" | "bytes" | "ns"

  bool operator==(const Metric&) const = default;
};

/// The name of the figure of kinds that spill: the bytes written to spill files, which every
/// operator counts by CountSpilled.
inline constexpr std::string_view kSpillMetric = "spillSize";

/// The base figures' metrics, in the order in which they are reported: rows, batches, bytes, own
/// time.
const std::vector<Metric>& BaseMetrics();

/// The figures that a kind counts beside the base ones, in the order of OperatorMetrics::extra.
/// Empty for kinds that have none and for unknown kinds.
const std::vector<Metric>& ExtraMetrics(std::string_view kind);

/// BaseMetrics() and then ExtraMetrics(kind).
std::vector<Metric> MetricsOfKind(std::string_view kind);

}  // namespace reprise
