#include "operators/fragment_spec.h"

#include "operators/registry.h"
#include "operators/spec_members.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr char kPlace[] = "fragment to be dumped";

// What is put beside an operator's members for where it runs alone.
constexpr const char* kOfTheRun[] = {"assertions", "streams"};

Json LeafOfStream(int64_t stream, const std::vector<Field>& columns) {
  OperatorSpec spec;
  spec.kind = kBatchInputKind;
  spec.name = "input-" + std::to_string(stream);
  spec.output = columns;
  return {{"leaf", stream}, {"operator", ToJson(spec)}};
}

Result<const Json*> Object(const Json& json, const char* member) {
  const auto found = json.find(member);
  if (found != json.end() && found->is_object()) return &*found;
  return Status::Invalid(kPlace, ": member \"", member, "\" is missing or no object");
}

Result<Json> OperatorsFrom(const Json& node, const std::vector<std::vector<Field>>& streams) {
  ARROW_ASSIGN_OR_RAISE(const Json* spec, Object(node, "operator"));
  ARROW_ASSIGN_OR_RAISE(const Json* reads, ArrayMember(*spec, "streams"));
  ARROW_ASSIGN_OR_RAISE(const Json* inputs, ArrayMember(node, "inputs"));
  if (reads->size() != inputs->size()) {
    return Status::Invalid(kPlace, ": an operator has ", inputs->size(), " inputs, but ",
                           reads->size(), " streams");
  }
  Json made = {{"operator", *spec}, {"inputs", Json::array()}};
  for (const char* member : kOfTheRun) made["operator"].erase(member);
  for (size_t i = 0; i < reads->size(); ++i) {
    const int64_t stream = (*reads)[i].get<int64_t>();
    if (stream >= static_cast<int64_t>(streams.size())) {
      return Status::Invalid(kPlace, ": there is no stream ", stream);
    }
    if (stream >= 0) {
      made["inputs"].push_back(LeafOfStream(stream, streams[static_cast<size_t>(stream)]));
    } else {
      ARROW_ASSIGN_OR_RAISE(Json below, OperatorsFrom((*inputs)[i], streams));
      made["inputs"].push_back(std::move(below));
    }
  }
  return made;
}

Status Collect(const Json& node, int depth, std::vector<FragmentOperator>* operators) {
  if (node.contains("leaf")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const Json* spec, Object(node, "operator"));
  ARROW_ASSIGN_OR_RAISE(OperatorSpec parsed, OperatorSpecFromJson(*spec));
  operators->push_back({std::move(parsed), depth});
  ARROW_ASSIGN_OR_RAISE(const Json* inputs, ArrayMember(node, "inputs"));
  for (const Json& input : *inputs) RETURN_NOT_OK(Collect(input, depth + 1, operators));
  return Status::OK();
}

}  // namespace

Result<Json> FragmentArguments(const Json& root, const std::vector<std::vector<Field>>& inputs) {
  ARROW_ASSIGN_OR_RAISE(Json operators, OperatorsFrom(root, inputs));
  return Json{{"operators", std::move(operators)}};
}

Result<std::unique_ptr<Operator>> MakeFragment(const OperatorSpec& spec,
                                               std::vector<std::unique_ptr<Operator>> inputs,
                                               const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const Json* operators, Object(spec.arguments, "operators"));
  const LeafFactory leaf = [&](int stream,
                               const OperatorSpec&) -> Result<std::unique_ptr<Operator>> {
    const auto number = static_cast<size_t>(stream);
    if (number >= inputs.size() || inputs[number] == nullptr) {
      return Status::Invalid(spec.name, ": stream ", stream, " is missing, or read twice");
    }
    return std::move(inputs[number]);
  };
  return BuildFragment(*operators, context, leaf, {});
}

Result<std::vector<FragmentOperator>> OperatorsOfFragment(const OperatorSpec& spec) {
  ARROW_ASSIGN_OR_RAISE(const Json* operators, Object(spec.arguments, "operators"));
  std::vector<FragmentOperator> all;
  RETURN_NOT_OK(Collect(*operators, 0, &all));
  return all;
}

}  // namespace reprise
