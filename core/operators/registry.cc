#include "operators/registry.h"

#include <algorithm>

#include "plan/value_form.h"
#include "vocabulary/kinds.h"
#include "vocabulary/metrics.h"

namespace reprise {

// What makes each kind.
#define KIND(name, input_count, maker, metrics)                                          \
  Result<std::unique_ptr<Operator>> maker(OperatorSpec spec,                             \
                                          std::vector<std::unique_ptr<Operator>> inputs, \
                                          const TaskContext& context);
#include "vocabulary/operators.def"

namespace {

using MakeFunction = Result<std::unique_ptr<Operator>> (*)(OperatorSpec,
                                                           std::vector<std::unique_ptr<Operator>>,
                                                           const TaskContext&);

struct Maker {
  std::string_view kind;
  MakeFunction make;
};

constexpr Maker kMakers[] = {
#define KIND(name, inputs, maker, metrics) {name, maker},
#include "vocabulary/operators.def"
};

// The spec says what the operator expects; `inputs` are what it gets. Both must agree, or columns
// would be misread.
Status CheckInputs(const OperatorSpec& spec, const OperatorKind& kind,
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
      if (HaveSameForm(given[column].type, wanted.type)) continue;
      return Status::Invalid("column ", column, " (", wanted.name, ") of input ", i, " is ",
                             given[column].type.ToString(), ", expected ", wanted.type.ToString());
    }
  }
  return Status::OK();
}

Result<std::unique_ptr<Operator>> CheckAndMake(OperatorSpec spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context) {
  const OperatorKind* kind = FindKind(spec.kind);
  if (kind == nullptr) {
    return Status::NotImplemented("there is no operator of kind \"", spec.kind, "\"");
  }
  const auto* maker = std::ranges::find(kMakers, kind->name, &Maker::kind);
  if (maker == std::end(kMakers)) {
    return Status::Invalid("kind \"", spec.kind,
                           "\" is a leaf: it is made by the leaf factory of its fragment");
  }
  RETURN_NOT_OK(CheckInputs(spec, *kind, inputs));
  RETURN_NOT_OK(ToArrowSchema(spec.output));
  try {
    return maker->make(std::move(spec), std::move(inputs), context);
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
