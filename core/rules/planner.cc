#include "rules/planner.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/captured_tasks.h"
#include "base/json_text.h"
#include "rules/checksummed_operators.h"
#include "rules/deep_stack.h"
#include "rules/leaf_text.h"
#include "rules/pipeline.h"
#include "rules/recording.h"
#include "vocabulary/metrics.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kNativeToRow = "RepriseNativeToRow";
constexpr std::string_view kUnionInputName = "RepriseUnionInput";
constexpr std::string_view kPairedName = "ReprisePaired";
constexpr std::string_view kGuestProjectName = "RepriseGuestProject";
constexpr std::string_view kProjectKind = "project";
constexpr std::string_view kResultsName = "RepriseProject";

std::string MetricsText(std::string_view kind) {
  Json json = Json::array();
  for (const Metric& metric : MetricsOfKind(kind)) {
    json.push_back({{"name", metric.name}, {"label", metric.label}, {"unit", metric.unit}});
  }
  return TextOf(json);
}

/// The metrics of each kind that a verdict can name, written once; under "" those of all kinds.
const std::map<std::string_view, std::string>& MetricsTexts() {
  static const auto* const by_kind = [] {
    auto* texts = new std::map<std::string_view, std::string>();
    texts->emplace("", MetricsText(""));
    for (const OperatorKind& kind : OperatorKinds()) {
      texts->emplace(kind.name, MetricsText(kind.name));
    }
    return texts;
  }();
  return *by_kind;
}

const std::string& CachedMetricsText(std::string_view kind) { return MetricsTexts().at(kind); }

/// What the operator reads of its child: without what guests put beside it.
std::vector<Field> ColumnsRead(const NativeOperator& reader, size_t child) {
  std::vector<Field> columns =
      reader.union_of.empty() ? reader.inputs[child] : reader.union_of[child];
  if (child < reader.guests.size()) columns.resize(columns.size() - reader.guests[child].size());
  return columns;
}

std::string InputsText(const PlanOperator& subject, const OperatorTree& tree) {
  std::string text = "[";
  for (size_t i = 0; i < subject.node->children.size(); ++i) {
    if (i > 0) text += ',';
    text += InputText(subject, i, ColumnsRead(*subject.judgement.native, i), tree);
  }
  return text + "]";
}

/// The columns with those of the guests behind them.
std::vector<Field> WithGuests(std::vector<Field> columns, std::span<const Guest> guests) {
  for (const Guest& guest : guests) columns.push_back(guest.column);
  return columns;
}

/// What evaluates guests on the columns of input number `index`, and which expressions they are.
/// All of them are tried, or none. `condition`: of the rows for which they are; null: all.
std::string GuestsText(size_t index, std::span<const Guest> guests, const std::vector<Field>& input,
                       const Json& condition) {
  std::set<int> columns;
  Json expressions = Json::array();
  for (const Guest& guest : guests) {
    expressions.push_back(guest.ids);
    columns.insert(guest.reads.begin(), guest.reads.end());
  }
  const Json reads = columns;
  OperatorSpec spec;
  spec.kind = kGuestProjectKind;
  spec.name = kGuestProjectName;
  spec.inputs = {input};
  spec.output = WithGuests(input, guests);
  spec.arguments = {{"reads", reads}};
  for (const Guest& guest : guests) {
    if (guest.trial) spec.arguments["trials"].push_back(ToJson(*guest.trial));
  }
  std::string before;
  if (!condition.is_null()) {
    OperatorSpec filter;
    filter.kind = "filter";
    filter.name = "RepriseFilter";
    filter.inputs = spec.inputs;
    filter.output = spec.inputs[0];
    filter.arguments = {{"condition", condition}};
    before = R"(,"before":)" + TextOf(ToJson(filter));
  }
  return fmt::format(R"({{"input":{},"name":"{}","operator":{},"reads":{},"expressions":{}{}}})",
                     index, kGuestProjectName, TextOf(ToJson(spec)), TextOf(reads),
                     TextOf(expressions), before);
}

/// The same of guests of which some are tried: Spark need not evaluate those for every row because
/// it does the others, so these stand above one another.
void AddGuestsTexts(size_t index, std::span<const Guest> guests, std::vector<Field> input,
                    const Json& condition, std::vector<std::string>* texts) {
  bool is_first = true;  // the lowest, above which stand the rows that fulfil the condition
  while (!guests.empty()) {
    const auto end = std::ranges::find(guests, !guests[0].is_tried(), &Guest::is_tried);
    const auto some = guests.first(static_cast<size_t>(end - guests.begin()));
    texts->push_back(GuestsText(index, some, input, is_first ? condition : Json()));
    is_first = false;
    input = WithGuests(std::move(input), some);
    guests = guests.subspan(some.size());
  }
}

/// The same of all inputs.
std::string AllGuestsText(const NativeOperator& native) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < native.guests.size(); ++i) {
    AddGuestsTexts(i, native.guests[i], ColumnsRead(native, i), native.guest_condition, &texts);
  }
  return texts.empty() ? "" : fmt::format(R"(,"guests":[{}])", fmt::join(texts, ","));
}

/// Of an aggregate: the functions that Spark evaluates.
std::string FunctionsText(std::span<const GuestFunction> functions) {
  Json json = Json::array();
  for (const GuestFunction& function : functions) {
    json.push_back({{"index", function.index}, {"unsafe", function.in_unsafe}});
    if (function.reads_rows) json.back()["reads"] = function.guest.reads;
  }
  return R"(,"functions":)" + TextOf(json);
}

/// The specification with what is asserted of the operator, where that is checked, and with what of
/// it is recorded where its fragment is dumped.
std::string AssertedText(const OperatorSpec& spec, const PlanOperator& subject) {
  Json json = ToJson(spec);
  if (subject.fragment_root != nullptr) json["streams"] = subject.fragment_streams;
  if (!subject.assertions.is_null()) json["assertions"] = subject.assertions;
  return TextOf(json);
}

/// What sends the batches of `from` to the one task of an exchange.
OperatorSpec WriteToOne(const OperatorSpec& from, const Config& config) {
  OperatorSpec write;
  write.kind = kShuffleWriteKind;
  write.name = "RepriseShuffleExchange";
  write.inputs = {from.output};
  write.output = from.output;
  write.arguments = {{"partitioning", {{"type", "single"}}},
                     {"numPartitions", 1},
                     {"codec", config.text("spark.reprise.exchange.codec")}};
  return write;
}

/// What runs before the exchange of an operator of two stages, the exchange itself, and its leaf.
std::string StagesText(const PlanOperator& subject, const Config& config) {
  const NativeOperator& native = *subject.judgement.native;
  const OperatorRule& rule = *FindOperatorRule(subject.node->class_name);
  OperatorSpec local;
  local.kind = rule.kind;
  local.name = rule.name;
  local.output = native.inputs[0];
  local.inputs = native.inputs;
  local.arguments = native.local_arguments;
  return fmt::format(R"(,"local":{},"write":{},"read":{})", TextOf(ToJson(local)),
                     TextOf(ToJson(WriteToOne(local, config))),
                     LeafText(kShuffleReadKind, kShuffleReadName, native.inputs[0]));
}

/// The parts of a join, the exchange between them, and the union of their batches.
std::string PartsText(const PlanOperator& subject, const Config& config) {
  const NativeOperator& native = *subject.judgement.native;
  const JoinParts& parts = *native.parts;
  OperatorSpec whole;
  whole.kind = "union";
  whole.name = parts.unmatched.name;
  whole.inputs = {native.output};
  whole.output = native.output;
  const Json pairs = parts.pairs ? ToJson(*parts.pairs) : Json();
  return fmt::format(
      R"(,"parts":{{"pairs":{},"matches":{},"write":{},"read":{},"unmatched":{},"union":{},"leaf":{},)"
      R"("streamed":{},"whole":{}}})",
      TextOf(pairs), TextOf(ToJson(parts.matches)),
      TextOf(ToJson(WriteToOne(parts.matches, config))),
      LeafText(kShuffleReadKind, kShuffleReadName, parts.matches.output),
      TextOf(ToJson(parts.unmatched)), AssertedText(whole, subject),
      LeafText(kBatchInputKind, kUnionInputName, native.output), parts.streamed,
      LeafText(kBatchInputKind, kUnionInputName, native.inputs[parts.streamed]));
}

std::string PairedText(const NativeOperator& native) {
  return fmt::format(R"(,"paired":[{},{}])",
                     LeafText(kBatchInputKind, kPairedName, native.inputs[0]),
                     LeafText(kBatchInputKind, kPairedName, native.inputs[1]));
}

std::string PythonText(const PythonExchange& python) {
  const auto all = [](const std::vector<OperatorSpec>& specs) {
    Json json = Json::array();
    for (const OperatorSpec& spec : specs) json.push_back(ToJson(spec));
    return TextOf(json);
  };
  return fmt::format(
      R"(,"python":{{"before":{},"sent":{},"struct":{},"places":{},"groupEnd":{},"perGroup":{},"results":{},"after":{}}})",
      all(python.before), TextOf(python.sent), python.as_struct, TextOf(python.places),
      python.group_end, python.per_group, TextOf(ToJson(python.results)), all(python.after));
}

/// Where the operator takes its input from.
std::string_view InputKind(const NativeOperator& native) {
  if (native.reads_files) return "files";
  if (native.pairs_partitions) return "paired";
  if (native.parts) return "parts";
  if (native.python) return "python";
  return native.union_of.empty() ? "children" : "union";
}

/// The projection above an operator of whose results Spark evaluates some: as the verdict of a node
/// of its own, without its end.
std::string ResultsText(const PlanOperator& subject, std::string_view checksummed) {
  const NativeOperator& native = *subject.judgement.native;
  const ResultProjection& results = *native.results;
  OperatorSpec spec;
  spec.kind = kProjectKind;
  spec.name = kResultsName;
  spec.inputs = {WithGuests(native.output, results.guests)};
  spec.output = results.output;
  spec.arguments = results.arguments;
  std::vector<std::string> guests;
  AddGuestsTexts(0, results.guests, native.output, nullptr, &guests);
  return fmt::format(
      R"(,"results":{{"name":"{}","arguments":{},"operator":{},"input":"children","inputs":[null],"metrics":{},"guests":[{}]{}}})",
      kResultsName, JsonString(results.arguments_text), AssertedText(spec, subject),
      CachedMetricsText(kProjectKind), fmt::join(guests, ","), checksummed);
}

/// What people see of an operator: the user's values apart from the core's own words.
std::string ShownText(const NativeOperator& native, int64_t lore_id) {
  std::string words = native.arguments_text;
  if (lore_id != 0) words += fmt::format(" [loreId={}]", lore_id);
  std::string text = R"("arguments":)" + JsonString(words);
  if (native.shown_values.empty()) return text;
  text += R"(,"values":[)";
  for (const ShownValue& value : native.shown_values) {
    if (&value != native.shown_values.data()) text += ',';
    text += fmt::format(R"({{"before":{},"value":{}}})", JsonString(value.before),
                        JsonString(value.text));
  }
  return text + "]";
}

/// How a native operator, or the fragment that it stands in, is dumped.
std::string CaptureText(PlanOperator* subject, const OperatorTree& tree) {
  const bool is_in_fragment = subject->fragment_root != nullptr;
  if (subject->capture.is_null() && !is_in_fragment) return "";
  std::string text;
  if (!subject->capture.is_null()) {
    if (!is_in_fragment) subject->capture["shared"] = SharedInputs(*subject->node);
    text = fmt::format(R"(,"capture":{})", TextOf(subject->capture));
  }
  return text + R"(,"shared":)" + SharedText(*subject, tree);
}

std::string NativeText(PlanOperator* subject, const Planning& planning) {
  const OperatorTree& tree = planning.tree;
  const Config& config = planning.config();
  const OperatorRule& rule = RuleOf(subject->node->class_name, *subject->judgement.native);
  const std::string inputs = InputsText(*subject, tree);
  const std::string capture = CaptureText(subject, tree);
  NativeOperator& native = *subject->judgement.native;
  const std::string_view input = InputKind(native);
  std::string exchange;
  if (!native.read_kind.empty()) {
    exchange = R"(,"read":)" + LeafText(native.read_kind, native.read_name, native.output);
  }
  if (!native.local_arguments.is_null()) exchange += StagesText(*subject, config);
  if (native.python) {
    exchange += PythonText(*native.python);
  } else if (!native.union_of.empty()) {
    exchange += R"(,"union":)" + LeafText(kBatchInputKind, kUnionInputName, native.output);
  }
  if (native.pairs_partitions) exchange += PairedText(native);
  if (native.parts) exchange += PartsText(*subject, config);
  if (native.sample) exchange += R"(,"sample":)" + TextOf(ToJson(*native.sample));
  exchange += AllGuestsText(native);
  if (native.guest_condition_of_pairs) {
    exchange += R"(,"guestCondition":)" + TextOf(native.guest_condition_of_pairs->reads);
  }
  if (!native.guest_functions.empty()) exchange += FunctionsText(native.guest_functions);
  const std::string checksummed =
      IsChecksummedNatively(rule.kind, native.arguments, *subject, planning)
          ? fmt::format(R"(,"checksummedAs":{})", subject->lore_id)
          : "";
  if (native.results) exchange += ResultsText(*subject, checksummed);
  if (native.order_sensitive) exchange += R"(,"orderSensitive":true)";
  const bool has_results = native.results.has_value();
  OperatorSpec spec;
  spec.kind = rule.kind;
  spec.name = rule.name;
  spec.lore_id = subject->lore_id;
  spec.fingerprint = subject->fingerprint;
  spec.occurrence = subject->occurrence;
  spec.output = std::move(native.output);
  if (native.tells_partitions) spec.output.push_back(PartitionColumn());
  spec.inputs = std::move(native.inputs);
  spec.arguments = std::move(native.arguments);
  std::string text =
      fmt::format(R"({{"name":"{}",{},"operator":{},"input":"{}","inputs":{},"metrics":{})",
                  rule.name, ShownText(native, subject->lore_id),
                  has_results ? TextOf(ToJson(spec)) : AssertedText(spec, *subject), input, inputs,
                  CachedMetricsText(rule.kind));
  if (!native.keeps_order) text += R"(,"unordered":true)";
  if (!has_results) text += checksummed;
  return text + exchange + capture + "}";
}

/// Why the operator does not run natively; of one that does, why it has guests.
std::vector<std::string> ReasonsOf(const PlanOperator& subject) {
  if (subject.mark == '*') return subject.judgement.native->GuestReasons();
  if (subject.mark == '@' || subject.mark == '#') return subject.neighbour_reasons;
  return subject.judgement.AllReasons();
}

bool Replaces(const Planning& planning) {
  return planning.request.pass == PlanRequest::Pass::kReplace;
}

/// What the plug-in puts around an operator that Spark runs; empty: nothing.
std::string RowBasedText(const PlanOperator& subject, const Planning& planning) {
  std::string text;
  if (!subject.capture.is_null()) {
    text = R"(,"record":)" + RecordText(subject, planning.tree, planning.config().explain_only());
  }
  if (!subject.assertions.is_null()) text += R"(,"check":)" + CheckText(subject);
  return text + LedgerText(subject, planning);
}

/// The plug-in cannot reach the scan of a cached table, which its stage hides: the stage is
/// recorded in its place.
std::string HiddenRecordText(const PlanNode& node, const Planning& planning) {
  if (ShortClassName(node.class_name) != "TableCacheQueryStageExec" || !Replaces(planning)) {
    return "";
  }
  const PlanOperator* scan = planning.tree.resolve(node);
  if (scan == nullptr || !scan->replaceable) return "";
  return RowBasedText(*scan, planning);
}

std::string WrapperText(const PlanNode& node, const Planning& planning) {
  std::string text = R"({"id":)" + std::to_string(node.id) + R"(,"mark":"!","reasons":[)";
  AppendJsonString(
      std::string(ShortClassName(node.class_name)) + " is not an operator, it wraps others", &text);
  return text + "]" + HiddenRecordText(node, planning) + "}";
}

/// What the plug-in makes of the operator; empty: nothing.
std::string VerdictText(PlanOperator* subject, Planning* planning) {
  const bool spark_alone = planning->config().explain_only();
  if (subject->mark == '#' && !spark_alone) return R"(,"native":{"remove":true})";
  if (subject->mark == '*' && !spark_alone) {
    return R"(,"native":)" + NativeText(subject, *planning);
  }
  return RowBasedText(*subject, *planning);
}

std::string NodeText(const PlanNode& node, Planning* planning) {
  PlanOperator* subject = planning->tree.find(node);
  if (subject == nullptr) return WrapperText(node, *planning);
  std::string text = R"({"id":)" + std::to_string(node.id);
  if (subject->lore_id != 0) {
    text += R"(,"loreId":)" + std::to_string(subject->lore_id) + R"(,"fingerprint":)";
    AppendJsonString(subject->fingerprint, &text);
    text += R"(,"occurrence":)";
    AppendJsonString(subject->occurrence, &text);
  }
  if (const PlanOperator* above = subject->parent ? subject->parent : subject->owner) {
    text += R"(,"parent":)" + std::to_string(above->node->id);
  }
  if (planning->is_judged) {
    text += fmt::format(R"(,"mark":"{}","reasons":{})", subject->mark, TextOf(ReasonsOf(*subject)));
  }
  return text +
         (Replaces(*planning) && subject->replaceable ? VerdictText(subject, planning) : "") + "}";
}

/// For operators that stand for no node of the plan.
std::string MetricsOfText() {
  std::string text;
  for (const auto& [kind, metrics] : MetricsTexts()) {
    if (!kind.empty()) text += fmt::format(R"({}"{}":{})", text.empty() ? "" : ",", kind, metrics);
  }
  return "{" + text + "}";
}

std::string TransitionText(std::string_view name) {
  return fmt::format(R"({{"name":"{}","metrics":{}}})", name, CachedMetricsText(""));
}

std::string MissingText(const std::optional<std::vector<MissingChoice>>& missing) {
  if (!missing) return "null";
  Json json = Json::array();
  for (const MissingChoice& choice : *missing) {
    json.push_back({{"choice", choice.choice}, {"warning", choice.warning}});
    if (choice.refused) json.back()["refused"] = true;
    if (choice.did_not_run) json.back()["didNotRun"] = true;
    if (!choice.unless.empty()) json.back()["unless"] = choice.unless;
  }
  return TextOf(json);
}

/// Whether tasks will ask how long others have taken: spark.reprise.lore.when.
bool AsksForTaskTimes(const Planning& planning) {
  const auto when = ParseCapturedTasks(planning.config().text("spark.reprise.lore.when"));
  return when.ok() && when->kind == CapturedTasks::Kind::kSlow &&
         std::ranges::any_of(planning.tree.operators(), [](const PlanOperator* subject) {
           return !subject->capture.is_null();
         });
}

/// Moves the specifications out of `planning`. The inputs of a node read its child's mark only.
std::string AnswerText(Planning* planning) {
  std::string nodes;
  for (const PlanNode* node : planning->plan.nodes()) {
    if (!nodes.empty()) nodes += ',';
    nodes += NodeText(*node, planning);
  }
  std::string text =
      fmt::format(R"({{"ids":{},"explain":{},"missing":{},"nodes":[{}])",
                  JsonString(planning->known ? planning->known->ToText() : ""),
                  JsonString(planning->explain), MissingText(planning->missing), nodes);
  if (AsksForTaskTimes(*planning)) text += R"(,"taskTimes":true)";
  if (planning->request.pass == PlanRequest::Pass::kReplace) {
    text +=
        fmt::format(R"(,"rowToNative":{},"nativeToRow":{},"metricsOf":{})",
                    TransitionText(kRowToNative), TransitionText(kNativeToRow), MetricsOfText());
  }
  return text + "}";
}

Result<std::string> Answer(std::string_view plan_json, const PlanRequest& request) {
  ARROW_ASSIGN_OR_RAISE(const auto plan, PlanDocument::Decode(plan_json));
  Planning planning(*plan, request);
  RETURN_NOT_OK(RunPasses(&planning));
  return AnswerText(&planning);
}

}  // namespace

Result<std::string> Plan(std::string_view plan_json, std::string_view request_json,
                         PredicateReader predicates) {
  ARROW_ASSIGN_OR_RAISE(PlanRequest request, PlanRequestFromJson(request_json));
  request.predicates = std::move(predicates);
  const bool enabled = request.config.boolean("spark.reprise.sql.enabled");
  if (!enabled) return R"({"ids":"","explain":"","nodes":[]})";
  Result<std::string> answer = Status::UnknownError("not planned");
  RETURN_NOT_OK(RunOnStackFor(NestingOf(plan_json), [&] { answer = Answer(plan_json, request); }));
  return answer;
}

}  // namespace reprise
