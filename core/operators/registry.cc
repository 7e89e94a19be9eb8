#include "operators/registry.h"

#include "operators/aggregate/hash_aggregate.h"
#include "operators/expand.h"
#include "operators/filter.h"
#include "operators/gathered.h"
#include "operators/join/build_matches.h"
#include "operators/join/build_rest.h"
#include "operators/join/hash_join.h"
#include "operators/join/nested_loop_join.h"
#include "operators/limit.h"
#include "operators/project.h"
#include "operators/range.h"
#include "operators/record.h"
#include "operators/shuffle_write.h"
#include "operators/sort.h"
#include "operators/take_ordered.h"
#include "plan/metrics.h"

namespace reprise {

namespace {

using MakeFunction = Result<std::unique_ptr<Operator>> (*)(OperatorSpec,
                                                           std::vector<std::unique_ptr<Operator>>,
                                                           const TaskContext&);

struct Kind {
  std::string_view name;
  int input_count;
  MakeFunction make;  // null: a leaf, made by the fragment's LeafFactory
};

// One row a kind. docs/howto/adding-an-operator.md says what else a new operator needs.
constexpr Kind kKinds[] = {
    {"parquet_scan", 0, nullptr},
    {"row_input", 0, nullptr},
    {"batch_input", 0, nullptr},
    {"shuffle_read", 0, nullptr},
    {"broadcast_read", 0, nullptr},
    {"range", 0, MakeRange},
    {"shuffle_write", 1, MakeShuffleWrite},
    {"filter", 1, MakeFilter},
    {"project", 1, MakeProject},
    {"hash_aggregate", 1, MakeHashAggregate},
    {"hash_join", 2, MakeHashJoin},
    {"nested_loop_join", 2, MakeNestedLoopJoin},
    {"build_matches", 2, MakeBuildMatches},
    {"build_rest", 2, MakeBuildRest},
    {"sort", 1, MakeSort},
    {"take_ordered", 1, MakeTakeOrdered},
    {"limit", 1, MakeLimit},
    {"expand", 1, MakeExpand},
    {"record", 1, MakeRecord},
    {"union", 1, MakeGathered},
    {"coalesce", 1, MakeGathered},
};

const Kind* FindKind(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

// The spec says what the operator expects; `inputs` are what it gets. Both must agree, or columns
// would be misread.
Status CheckInputs(const OperatorSpec& spec, const Kind& kind,
                   const std::vector<std::unique_ptr<Operator>>& inputs) {
  const size_t expected = static_cast<size_t>(kind.input_count);
  if (inputs.size() != expected || spec.inputs.size() != expected) {
    return Status::Invalid("kind \"", spec.kind, "\" has ", expected, " inputs; the spec lists ",
                           spec.inputs.size(), " and ", inputs.size(), " are given");
  }
  for (size_t i = 0; i < expected; ++i) {
    const std::vector<Field>& given = inputs[i]->spec().output;
    if (given.size() != spec.inputs[i].size()) {
      return Status::Invalid("input ", i, " has ", given.size(), " columns, expected ",
                             spec.inputs[i].size());
    }
    for (size_t column = 0; column < given.size(); ++column) {
      const Field& wanted = spec.inputs[i][column];
      if (given[column].type == wanted.type) continue;
      return Status::Invalid("column ", column, " (", wanted.name, ") of input ", i, " is ",
                             given[column].type.ToString(), ", expected ", wanted.type.ToString());
    }
  }
  return Status::OK();
}

Result<std::unique_ptr<Operator>> CheckAndMake(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context) {
  const Kind* kind = FindKind(spec.kind);
  if (kind == nullptr) {
    return Status::NotImplemented("there is no operator of kind \"", spec.kind, "\"");
  }
  if (kind->make == nullptr) {
    return Status::Invalid("kind \"", spec.kind,
                           "\" is a leaf: it is made by the leaf factory of its fragment");
  }
  RETURN_NOT_OK(CheckInputs(spec, *kind, inputs));
  RETURN_NOT_OK(ToArrowSchema(spec.output));
  try {
    return kind->make(std::move(spec), std::move(inputs), context);
  } catch (const nlohmann::json::exception& error) {
    return Status::Invalid("malformed arguments: ", error.what());
  }
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeOperator(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context) {
  const std::string prefix = ErrorPrefix(spec);
  auto made = CheckAndMake(std::move(spec), std::move(inputs), context);
  if (!made.ok()) return WithPrefix(made.status(), prefix);
  return made;
}

std::vector<Metric> MetricsOf(std::string_view kind) { return MetricsOfKind(kind); }

}  // namespace reprise
