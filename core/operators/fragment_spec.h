// A fragment that is dumped as one: its operators in one specification.
#pragma once

#include <nlohmann/json.hpp>

#include "operators/fragment.h"

namespace reprise {

/// The arguments of a specification of kind "fragment": {"operators":FRAGMENT}, the operators of
/// the fragment JSON `root` (operators/fragment.h) from that one down to those that read `inputs`,
/// the fragment's streams, which become its leaves by their numbers. Which these are the operators'
/// specifications say: {…,"streams":[0,-1]}, by input the number of the stream, or -1. What is
/// checked, captured and checksummed of them is left out. Status::Invalid where they do not say it.
Result<nlohmann::json> FragmentArguments(const nlohmann::json& root,
                                         const std::vector<std::vector<Field>>& inputs);

/// Makes the operators of a specification of kind "fragment" over its `inputs`, one a stream, and
/// gives the root. Status::Invalid where there are not as many, or the specification is malformed.
Result<std::unique_ptr<Operator>> MakeFragment(const OperatorSpec& spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context);

/// The specifications in one of kind "fragment", the root first, each before its inputs, with how
/// many operators stand above it.
struct FragmentOperator {
  OperatorSpec spec;
  int depth = 0;
};
Result<std::vector<FragmentOperator>> OperatorsOfFragment(const OperatorSpec& spec);

}  // namespace reprise
