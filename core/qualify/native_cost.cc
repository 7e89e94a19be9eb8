#include "qualify/native_cost.h"

#include <cmath>
#include <string>

namespace reprise {

namespace {

struct FamilyCost {
  CostFamily family;
  std::string_view name;
  double cost;  ///< native task time of one of Spark's
};

// By least squares over the wall time of TPC-H's and TPC-DS's queries (`make bench-qualify`). They
// have neither Python nor guests, whose costs are set by judgement; nor writes, whose is that of
// `make bench-writes`.
constexpr FamilyCost kCosts[] = {
    {CostFamily::kScan, "scan", 0.5},           {CostFamily::kRows, "rows", 0.25},
    {CostFamily::kAggregate, "aggregate", 0.4}, {CostFamily::kJoin, "join", 0.5},
    {CostFamily::kSort, "sort", 0.25},          {CostFamily::kWindow, "window", 0.5},
    {CostFamily::kExchange, "exchange", 0.2},   {CostFamily::kWrite, "write", 0.45},
    {CostFamily::kPython, "python", 0.7},       {CostFamily::kGuests, "guests", 0.8},
    {CostFamily::kSpark, "spark", 1},
};
static_assert(std::size(kCosts) == kCostFamilies);

}  // namespace

std::string_view NameOf(CostFamily family) { return kCosts[static_cast<size_t>(family)].name; }

CostFamily FamilyOf(const GraphNode& node, const Forecast& forecast) {
  if (forecast.runs == RunsIn::kSpark) return CostFamily::kSpark;
  if (forecast.runs == RunsIn::kGuest) return CostFamily::kGuests;
  const std::string& name = node.operator_name;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (IsPythons(name)) return CostFamily::kPython;
  if (has("Scan")) return CostFamily::kScan;
  if (has("Aggregate")) return CostFamily::kAggregate;
  if (IsJoin(node)) return CostFamily::kJoin;
  if (has("Exchange")) return CostFamily::kExchange;
  if (has("WriteFiles")) return CostFamily::kWrite;
  if (has("Window")) return CostFamily::kWindow;
  if (has("Sort") || has("TakeOrdered")) return CostFamily::kSort;
  return CostFamily::kRows;
}

double Spread(size_t queries) {
  constexpr double kOfAll = 0.25;
  constexpr double kOfEach = 0.25;
  return kOfAll + kOfEach / std::sqrt(static_cast<double>(std::max<size_t>(queries, 1)));
}

double NativeMs(const FamilyTimes& spark_ms) {
  double ms = 0;
  for (size_t i = 0; i < kCostFamilies; ++i) ms += kCosts[i].cost * spark_ms[i];
  return ms;
}

}  // namespace reprise
