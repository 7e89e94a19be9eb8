// How the operators of a plan that Spark ran alone would run with the plug-in, by what its log has
// of them: names and texts, which Spark cuts where they are long. The rules of core/rules/ see
// more, types above all; what they would refuse and this lets pass is small change in practice
// (tests/test_qualify.py holds one against the other).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/plan_graph.h"

namespace reprise {

struct Forecast {
  RunsIn runs = RunsIn::kSpark;
  std::string reason;  ///< why Spark would run it, or what Spark would evaluate for it
};

/// Whether an operator of that name hands rows to Python's workers.
bool IsPythons(std::string_view name);

/// One for each node of the graph, in its order. `spark_version`: "4.1.3", of the plug-in too.
std::vector<Forecast> WouldRun(const PlanGraph& graph, std::string_view spark_version);

}  // namespace reprise
