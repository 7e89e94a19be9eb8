// How operators are dumped that Spark runs itself: recorders below and above them.
#pragma once

#include <string>
#include <vector>

#include "base/config.h"
#include "rules/operator_tree.h"

namespace reprise {

/// Why the rows that the operator reads or gives cannot be recorded while Spark runs it; empty:
/// they can.
std::string WhyUnrecordable(const PlanOperator& subject);

/// The member "record" of the answer for an operator that Spark runs and that is to be dumped:
///   {"operator":SPEC, of kind "spark" where the core can't run it,"capture":{…},"apart":bool,
///    "inputs":[RECORDER|null…],     one a child; null: nothing of it is recorded
///    "output":RECORDER?}            absent where the output is not recorded
/// RECORDER = {"operator":SPEC of kind "record","leaf":SPEC,"capture":{…},"shared":bool}: a
/// fragment whose rows Spark gets; shared: a broadcast, recorded once by a job of its own.
///
/// `spark_alone`: nothing of the query runs natively (spark.reprise.sql.mode=explainOnly). An
/// operator that the core could run has then the specification of the native one, so that the core
/// replays what Spark has done.
std::string RecordText(const PlanOperator& subject, const OperatorTree& tree, bool spark_alone);

/// Why the rows that the operator gives cannot be checked against assertions; empty: they can.
std::string WhyUncheckable(const PlanOperator& subject);

/// The member "check" of the answer for an operator that Spark runs and that something is asserted
/// of: {"operator":SPEC of kind "record","leaf":SPEC}, a fragment above it that checks its rows.
std::string CheckText(const PlanOperator& subject);

/// The inputs that all tasks read whole: broadcasts.
std::vector<size_t> SharedInputs(const PlanNode& node);

/// The member "shared" of the verdict of a native operator that is dumped, or whose fragment is:
/// [{"input":1,RECORDER…}…], its broadcasts.
std::string SharedText(const PlanOperator& subject, const OperatorTree& tree);

}  // namespace reprise
