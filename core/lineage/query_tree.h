// The operators of one query as a tree, from what the plug-in told of it stage by stage.
//
// Adaptive execution has each stage explained alone, so that no event says which operator reads an
// exchange. LORE ids do: the operators of the query's first plan are numbered in pre-order, plans
// of subqueries after the main plan (core/rules/lore_ids.h), and Spark's event log has that plan.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "eventlog/log_model.h"

namespace reprise {

struct OperatorNode {
  std::string name;  ///< "HashAggregate"
  std::string occurrence;
  std::string fingerprint;
  bool native = false;
  std::vector<std::string> reasons;  ///< why it does not run natively
  bool explained = false;            ///< false: known from Spark's first plan alone; it never ran
  int64_t parent = 0;                ///< LORE id of its consumer; 0: the root, or not known
  std::vector<int64_t> children;
  /// Whether its children are all that it reads: not so of what adaptive execution has added.
  bool linked = true;
  std::string cached_by;  ///< token of the query that makes what it reads of a cache
};

/// By LORE id.
using QueryTree = std::map<int64_t, OperatorNode>;

QueryTree BuildQueryTree(const LogModel& model, const ExplainedQuery& query);

/// An operator's text without the numbers that Spark draws anew: of expressions, behind '#', and of
/// nodes, behind '='.
std::string WithoutNumbers(std::string_view text);

/// The queries of an execution in the order in which they were planned: mostly one. Those that no
/// execution ran, as what fills a cache, are of number -1.
std::vector<const ExplainedQuery*> QueriesOf(const LogModel& model, int64_t execution);
/// Those too of which nothing was made ready to run yet, and only foretold.
std::vector<const ExplainedQuery*> QueriesToldOf(const LogModel& model, int64_t execution);

}  // namespace reprise
