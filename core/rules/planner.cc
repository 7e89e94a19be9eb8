#include "rules/planner.h"

#include <map>

#include "plan/metrics.h"
#include "rules/deep_stack.h"
#include "rules/pipeline.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kRowToNative = "RepriseRowToNative";
constexpr std::string_view kNativeToRow = "RepriseNativeToRow";
constexpr std::string_view kRowInputKind = "row_input";

/// The answer is put together as text: most of it is specifications, which need no tree of all of
/// them.
std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string MetricsText(std::string_view kind) {
  Json json = Json::array();
  for (const Metric& metric : MetricsOfKind(kind)) {
    json.push_back({{"name", metric.name}, {"label", metric.label}, {"unit", metric.unit}});
  }
  return TextOf(json);
}

/// The metrics of each kind, written once.
const std::string& CachedMetricsText(std::string_view kind) {
  static const auto* const by_kind = [] {
    auto* texts = new std::map<std::string_view, std::string>();
    texts->emplace("", MetricsText(""));
    for (const OperatorRule& rule : OperatorTable()) {
      texts->emplace(rule.kind, MetricsText(rule.kind));
    }
    return texts;
  }();
  return by_kind->at(kind);
}

/// The leaf that reads the rows of a child that is not native.
std::string RowInputText(const std::vector<Field>& columns) {
  OperatorSpec spec;
  spec.kind = kRowInputKind;
  spec.name = kRowToNative;
  spec.output = columns;
  return TextOf(ToJson(spec));
}

std::string RowInputsText(const PlanOperator& subject, const OperatorTree& tree) {
  std::string text = "[";
  const auto& children = subject.node->children;
  for (size_t i = 0; i < children.size(); ++i) {
    if (i > 0) text += ',';
    const PlanOperator* child = tree.find(*children[i]);
    const bool native = child != nullptr && child->replaceable && child->mark == '*';
    text += native ? "null" : RowInputText(subject.judgement.native->inputs[i]);
  }
  return text + "]";
}

std::string NativeText(PlanOperator* subject, const OperatorTree& tree) {
  const OperatorRule& rule = *FindOperatorRule(subject->node->class_name);
  const std::string row_inputs = RowInputsText(*subject, tree);
  NativeOperator& native = *subject->judgement.native;
  OperatorSpec spec;
  spec.kind = rule.kind;
  spec.name = rule.name;
  spec.lore_id = subject->lore_id;
  spec.fingerprint = subject->fingerprint;
  spec.occurrence = subject->occurrence;
  spec.output = std::move(native.output);
  spec.inputs = std::move(native.inputs);
  spec.arguments = std::move(native.arguments);
  std::string arguments = std::move(native.arguments_text);
  if (subject->lore_id != 0) arguments += fmt::format(" [loreId={}]", subject->lore_id);
  std::string text = fmt::format(
      R"({{"name":"{}","arguments":{},"operator":{},"input":"{}","rowInputs":{},"metrics":{})",
      rule.name, TextOf(arguments), TextOf(ToJson(spec)), native.reads_files ? "files" : "children",
      row_inputs, CachedMetricsText(rule.kind));
  if (!subject->capture.is_null()) text += R"(,"capture":)" + TextOf(subject->capture);
  return text + "}";
}

std::vector<std::string> ReasonsOf(const PlanOperator& subject) {
  if (subject.mark == '@') return subject.neighbour_reasons;
  return subject.judgement.AllReasons();
}

std::string WrapperText(const PlanNode& node) {
  const Json reasons = {
      fmt::format("{} is not an operator, it wraps others", ShortClassName(node.class_name))};
  return fmt::format(R"({{"id":{},"mark":"!","reasons":{}}})", node.id, TextOf(reasons));
}

std::string NodeText(const PlanNode& node, Planning* planning) {
  PlanOperator* subject = planning->tree.find(node);
  if (subject == nullptr) return WrapperText(node);
  std::string text = fmt::format(R"({{"id":{})", node.id);
  if (subject->lore_id != 0) {
    text += fmt::format(R"(,"loreId":{},"fingerprint":{},"occurrence":{})", subject->lore_id,
                        TextOf(subject->fingerprint), TextOf(subject->occurrence));
  }
  if (planning->is_judged) {
    text += fmt::format(R"(,"mark":"{}","reasons":{})", subject->mark, TextOf(ReasonsOf(*subject)));
  }
  const bool execute = planning->request.pass == PlanRequest::Pass::kReplace &&
                       !planning->config().explain_only && subject->replaceable;
  if (execute && subject->mark == '*') {
    text += R"(,"native":)" + NativeText(subject, planning->tree);
  }
  return text + "}";
}

std::string TransitionText(std::string_view name) {
  return fmt::format(R"({{"name":"{}","metrics":{}}})", name, CachedMetricsText(""));
}

/// Moves the specifications out of `planning`. The row inputs of a node read its child's mark only.
std::string AnswerText(Planning* planning) {
  std::string nodes;
  for (const PlanNode* node : planning->plan.nodes()) {
    if (!nodes.empty()) nodes += ',';
    nodes += NodeText(*node, planning);
  }
  return fmt::format(R"({{"ids":{},"explain":{},"nodes":[{}],"rowToNative":{},"nativeToRow":{}}})",
                     TextOf(planning->known ? planning->known->ToText() : ""),
                     TextOf(planning->explain), nodes, TransitionText(kRowToNative),
                     TransitionText(kNativeToRow));
}

Result<std::string> Answer(std::string_view plan_json, const PlanRequest& request) {
  ARROW_ASSIGN_OR_RAISE(const auto plan, PlanDocument::Decode(plan_json));
  Planning planning(*plan, request);
  RETURN_NOT_OK(RunPasses(&planning));
  return AnswerText(&planning);
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
