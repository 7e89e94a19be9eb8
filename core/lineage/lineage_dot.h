// The picture of a lineage, in Graphviz's language.
#pragma once

#include <string>

#include "lineage/lineage_graph.h"

namespace reprise {

/// A directed graph: a cluster a stage, a box an RDD, red arrows for shuffles. Stages that were
/// skipped are dashed, cached RDDs green, what a cache made needless grey.
std::string LineageDot(const LineageGraph& graph);

}  // namespace reprise
