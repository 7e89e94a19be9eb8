// The picture of a lineage, in Graphviz's language.
#pragma once

#include <string>

#include "lineage/lineage_graph.h"

namespace reprise {

/// A directed graph: a cluster a stage, with its figures; a box an RDD; red arrows for shuffles; a
/// legend. Stages that were skipped are dashed, cached RDDs green, what a cache made needless grey.
/// Stages, boxes and arrows have tooltips, which say what is cut off in the picture.
std::string LineageDot(const LineageGraph& graph);

}  // namespace reprise
