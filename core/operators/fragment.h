// A fragment: the operators of one stage that run natively and are connected.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// Makes the leaf number `leaf` of a fragment: an operator that reads rows from the JVM, or batches
/// from a dump. `spec` is the leaf's own spec (kind "row_input" or "parquet_scan").
using LeafFactory = std::function<Result<std::unique_ptr<Operator>>(int leaf, OperatorSpec spec)>;

/// Makes the capture of an operator that the fragment marks for dumping, from its "capture" member.
/// `leaf`: the number of the leaf that it is, or that it alone reads.
using CaptureFactory = std::function<Result<std::unique_ptr<Capture>>(
    const OperatorSpec& spec, const nlohmann::json& capture, std::optional<int> leaf)>;

/// Builds the operators of a fragment from its JSON:
///   {"operator":SPEC,"capture":{…}?,"inputs":[FRAGMENT…]}       an operator over its inputs
///   {"leaf":0,"operator":SPEC}                                  the task's leaf input number 0
/// An operator over its inputs may have "guest": the number of the task's guests that it runs
/// (operators/guest_project.h), and "fragment": a number that tells these from those of other
/// fragments.
/// Where "capture" has a member "fragment", it is of the fragment from this operator down to those
/// whose specifications have the member "streams" (operators/fragment_spec.h).
/// A node may have "checksummedAs": its output is checksummed for the ledger, as that of the
/// operator with this LORE id; and "ordering": the order that the plan promises of its output,
/// which is checked (operators/order_check.h). An operator's specification may have "assertions"
/// (operators/output_assertions.h), which are checked here and nowhere else. The root may have
/// "values" (operators/runtime_values.h). Leaves are made by `leaf`, everything else by
/// MakeOperator.
Result<std::unique_ptr<Operator>> BuildFragment(const nlohmann::json& fragment,
                                                const TaskContext& context, const LeafFactory& leaf,
                                                const CaptureFactory& capture);

/// All operators of the tree, the root first, each before its inputs (pre-order): the order of
/// metrics.
std::vector<const Operator*> OperatorsOf(const Operator& root);

}  // namespace reprise
