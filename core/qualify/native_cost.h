// What native operators cost against Spark's, by measurement.
#pragma once

#include <array>
#include <string_view>

#include "qualify/would_run.h"

namespace reprise {

/// Operators that gain alike.
enum class CostFamily {
  kScan,
  kRows,  ///< row by row: filters, projects, unions, limits, generators
  kAggregate,
  kJoin,
  kSort,
  kWindow,
  kExchange,
  kWrite,
  kPython,
  kGuests,  ///< native operators for which Spark evaluates functions
  kSpark,   ///< what Spark would still run
};
inline constexpr size_t kCostFamilies = 11;
using FamilyTimes = std::array<double, kCostFamilies>;

std::string_view NameOf(CostFamily family);

CostFamily FamilyOf(const GraphNode& node, const Forecast& forecast);

/// Task time that a query would take, of what its families take on Spark; both in ms.
double NativeMs(const FamilyTimes& spark_ms);

/// How far, as a share of it, the wall time that came of so many queries lies from what was
/// foretold, nine times in ten: what a machine makes of all alike, and of each query by itself.
double Spread(size_t queries);

}  // namespace reprise
