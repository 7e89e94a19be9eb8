#include "rules/planner.h"

#include "plan/metrics.h"
#include "rules/deep_stack.h"
#include "rules/pipeline.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kRowToNative = "RepriseRowToNative";
constexpr std::string_view kNativeToRow = "RepriseNativeToRow";
constexpr std::string_view kRowInputKind = "row_input";

Json MetricsJson(const std::vector<Metric>& metrics) {
  Json json = Json::array();
  for (const Metric& metric : metrics) {
    json.push_back({{"name", metric.name}, {"label", metric.label}, {"unit", metric.unit}});
  }
  return json;
}

/// The leaf that reads the rows of a child that is not native.
Json RowInput(const std::vector<Field>& columns) {
  OperatorSpec spec;
  spec.kind = kRowInputKind;
  spec.name = kRowToNative;
  spec.output = columns;
  return ToJson(spec);
}

Json RowInputs(const PlanOperator& subject, const OperatorTree& tree) {
  Json inputs = Json::array();
  const auto& children = subject.node->children;
  for (size_t i = 0; i < children.size(); ++i) {
    const PlanOperator* child = tree.find(*children[i]);
    const bool native = child != nullptr && child->replaceable && child->mark == '*';
    inputs.push_back(native ? Json() : RowInput(subject.judgement.native->inputs[i]));
  }
  return inputs;
}

Json NativeJson(const PlanOperator& subject, const OperatorTree& tree) {
  const OperatorRule& rule = *FindOperatorRule(subject.node->class_name);
  const NativeOperator& native = *subject.judgement.native;
  OperatorSpec spec;
  spec.kind = rule.kind;
  spec.name = rule.name;
  spec.lore_id = subject.lore_id;
  spec.fingerprint = subject.fingerprint;
  spec.occurrence = subject.occurrence;
  spec.output = native.output;
  spec.inputs = native.inputs;
  spec.arguments = native.arguments;
  std::string arguments = native.arguments_text;
  if (subject.lore_id != 0) arguments += fmt::format(" [loreId={}]", subject.lore_id);
  Json json = {{"name", rule.name},
               {"arguments", std::move(arguments)},
               {"operator", ToJson(spec)},
               {"input", native.reads_files ? "files" : "children"},
               {"rowInputs", RowInputs(subject, tree)},
               {"metrics", MetricsJson(MetricsOfKind(rule.kind))}};
  if (!subject.capture.is_null()) json["capture"] = subject.capture;
  return json;
}

std::vector<std::string> ReasonsOf(const PlanOperator& subject) {
  if (subject.mark == '@') return subject.neighbour_reasons;
  return subject.judgement.AllReasons();
}

Json NodeJson(const PlanNode& node, const Planning& planning) {
  Json json = {{"id", node.id}, {"mark", "!"}};
  const PlanOperator* subject = planning.tree.find(node);
  if (subject == nullptr) {
    json["reasons"] = {
        fmt::format("{} is not an operator, it wraps others", ShortClassName(node.class_name))};
    return json;
  }
  if (subject->lore_id != 0) {
    json["loreId"] = subject->lore_id;
    json["fingerprint"] = subject->fingerprint;
    json["occurrence"] = subject->occurrence;
  }
  json["mark"] = std::string(1, subject->mark);
  json["reasons"] = ReasonsOf(*subject);
  const bool execute = planning.request.pass == PlanRequest::Pass::kReplace &&
                       !planning.config().explain_only && subject->replaceable;
  if (execute && subject->mark == '*') json["native"] = NativeJson(*subject, planning.tree);
  return json;
}

Json AnswerJson(const Planning& planning) {
  Json nodes = Json::array();
  for (const PlanNode* node : planning.plan.nodes()) nodes.push_back(NodeJson(*node, planning));
  const Json metrics = MetricsJson(BaseMetrics());
  return {{"ids", planning.known ? planning.known->ToText() : ""},
          {"explain", planning.explain},
          {"nodes", std::move(nodes)},
          {"rowToNative", {{"name", kRowToNative}, {"metrics", metrics}}},
          {"nativeToRow", {{"name", kNativeToRow}, {"metrics", metrics}}}};
}

Result<std::string> Answer(std::string_view plan_json, const PlanRequest& request) {
  ARROW_ASSIGN_OR_RAISE(const auto plan, PlanDocument::Decode(plan_json));
  Planning planning(*plan, request);
  RETURN_NOT_OK(RunPasses(&planning));
  return AnswerJson(planning).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<std::string> Plan(std::string_view plan_json, std::string_view request_json) {
  ARROW_ASSIGN_OR_RAISE(const PlanRequest request, PlanRequestFromJson(request_json));
  if (!request.config.sql_enabled) return R"({"ids":"","explain":"","nodes":[]})";
  Result<std::string> answer = Status::UnknownError("not planned");
  RETURN_NOT_OK(RunOnDeepStack([&] { answer = Answer(plan_json, request); }));
  return answer;
}

}  // namespace reprise
