// Recording of operators that Spark runs.
//
// Input:   an operator that is chosen for dumping, and its mark.
// Output:  the recorders that the plug-in puts around it.
// Example: Window over Sort, both row-based, the window chosen  ->  a recorder of stream 0 above
//          the sort, and one of the stream "output" above the window
#include "rules/recording.h"

#include <algorithm>

#include "plan/spec.h"
#include "rules/class_names.h"
#include "rules/leaf_text.h"
#include "rules/node_columns.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kRecordName = "RepriseRecord";
constexpr std::string_view kOutputName = "output";

/// Their tasks read and give other partitions than their own.
constexpr std::string_view kApart[] = {"UnionExec",
                                       "CoalesceExec",
                                       "CartesianProductExec",
                                       "CollectLimitExec",
                                       "CollectTailExec",
                                       "BroadcastNestedLoopJoinExec",
                                       "BroadcastExchangeExec",
                                       "TakeOrderedAndProjectExec"};

/// What reads them must find themselves, not a recorder or a check above them: the plug-in has an
/// exchange record what it gives by itself.
constexpr std::string_view kReadAsTheyAre[] = {"ShuffleExchangeExec", "BroadcastExchangeExec",
                                               "WriteFilesExec"};

struct UndumpableKind {
  std::string_view name;
  std::string_view reason;
};

constexpr UndumpableKind kUndumpable[] = {
    {"ExecutedCommandExec", "it runs on the driver and reads no rows"},
    {"CommandResultExec", "its rows are on the driver: it runs nothing"},
    {"UnionLoopExec", "it runs its branches as queries of their own"},
};

bool WritesFiles(const PlanNode& node) {
  return ShortClassName(node.class_name) == "DataWritingCommandExec" && !node.children.empty() &&
         ShortClassName(node.children[0]->class_name) == "WriteFilesExec";
}

bool IsShuffle(const PlanNode& node) {
  return ShortClassName(node.class_name) == "ShuffleExchangeExec";
}

bool IsBroadcastExchange(const PlanNode& node) {
  return ShortClassName(node.class_name) == "BroadcastExchangeExec";
}

/// The columns of its output's record.
std::vector<Field> RecordedColumns(const PlanNode& node) {
  std::vector<Field> columns = ColumnsOf(node);
  if (IsShuffle(node)) columns.push_back(PartitionColumn());
  return columns;
}

bool RecordsOutput(const PlanOperator& subject) {
  const PlanNode& node = *subject.node;
  if (node.output.empty() && !node.children.empty()) return false;
  if (ShortClassName(node.class_name) == "WriteFilesExec") return false;
  // Of a leaf there is nothing else.
  if (!node.children.empty() && !subject.capture.value("output", true)) return false;
  return WhyColumnsUnreadable(ColumnsOf(node)).empty();
}

OperatorSpec RecordSpec(const PlanOperator& subject, std::vector<Field> columns) {
  OperatorSpec spec;
  spec.kind = kRecordKind;
  spec.name = kRecordName;
  spec.lore_id = subject.lore_id;
  spec.occurrence = subject.occurrence;
  spec.output = columns;
  spec.inputs = {std::move(columns)};
  return spec;
}

/// A recorder's capture: that of the operator, as far as it concerns this stream.
Json StreamCapture(const PlanOperator& subject, const Json& stream, const Json& streams) {
  Json capture = subject.capture;
  capture["stream"] = stream;
  capture["streams"] = streams;
  return capture;
}

std::string RecorderText(const PlanOperator& subject, const std::vector<Field>& columns,
                         const std::string& leaf, const Json& capture, bool shared) {
  return fmt::format(R"("operator":{},"leaf":{},"capture":{},"shared":{})",
                     TextOf(ToJson(RecordSpec(subject, columns))), leaf, TextOf(capture), shared);
}

/// The recorder of a broadcast, which all tasks share: of one partition, whatever was chosen.
/// `stream`: the number of an input, or "output".
std::string SharedRecorderText(const PlanOperator& subject, const Json& stream,
                               const std::vector<Field>& columns, const std::string& leaf) {
  const std::string name = stream.is_string() ? stream.get<std::string>() : stream.dump();
  Json capture = StreamCapture(subject, stream, {{name, ToJson(columns)}});
  for (const char* member : {"partitions", "fragment"}) capture.erase(member);
  // The other tasks cannot do without it, whoever of them is wanted.
  capture.erase("when");
  return RecorderText(subject, columns, leaf, capture, true);
}

/// The streams that one task attempt commits together, by name.
Json StreamsTogether(const PlanOperator& subject) {
  Json streams = Json::object();
  const auto& children = subject.node->children;
  for (size_t i = 0; i < children.size(); ++i) {
    if (IsBroadcast(*children[i])) continue;
    streams[std::to_string(i)] = ToJson(ColumnsOf(*children[i]));
  }
  if (RecordsOutput(subject)) {
    streams[std::string(kOutputName)] = ToJson(RecordedColumns(*subject.node));
  }
  return streams;
}

bool IsApart(const PlanNode& node) { return Has(kApart, ShortClassName(node.class_name)); }

bool NamesRuntimeValues(const Json& json) {
  if (json.is_object() && json.contains("function") && json["function"].is_string()) {
    const auto& name = json["function"].get_ref<const std::string&>();
    if (name.starts_with("runtime_value")) return true;
  }
  if (!json.is_structured()) return false;
  return std::ranges::any_of(json, [](const Json& item) { return NamesRuntimeValues(item); });
}

/// Whether the native operator makes of each recorded partition what Spark's has made of it: it
/// reads the same streams, and its arguments need nothing that is known only when the query runs.
bool ReplaysNatively(const PlanOperator& subject) {
  const PlanNode& node = *subject.node;
  if (!subject.judgement.native) return false;
  const NativeOperator& native = *subject.judgement.native;
  // A scan's task says which files it reads.
  if (native.reads_files) {
    const std::string_view name = ShortClassName(node.class_name);
    return name == "RangeExec" || (name == "FileSourceScanExec" && !native.replays_unlike_spark);
  }
  // Its second stage takes the rows of all partitions as well as those that the first has left.
  const bool is_of_two_stages = !native.local_arguments.is_null();
  if (node.children.empty() || (IsApart(node) && !is_of_two_stages)) return false;
  if (native.parts || native.pairs_partitions || !native.union_of.empty() ||
      native.inputs.size() != node.children.size()) {
    return false;
  }
  for (size_t i = 0; i < native.inputs.size(); ++i) {
    if (native.inputs[i] != ColumnsOf(*node.children[i])) return false;
  }
  return native.output == ColumnsOf(node) && !NamesRuntimeValues(native.arguments);
}

class RecordWriter {
 public:
  RecordWriter(const PlanOperator& subject, const OperatorTree& tree, bool spark_alone)
      : subject_(subject),
        tree_(tree),
        spark_alone_(spark_alone),
        together_(StreamsTogether(subject)) {}

  std::string InputsText() const {
    std::string text;
    for (size_t i = 0; i < subject_.node->children.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? "" : ",", InputRecorderText(i));
    }
    return text;
  }

  std::string OutputText() const {
    if (!RecordsOutput(subject_)) return "";
    const PlanNode& node = *subject_.node;
    if (IsBroadcastExchange(node)) {
      const std::string leaf = LeafText(kRowInputKind, kRowToNative, ColumnsOf(node));
      return R"(,"output":{)" + SharedRecorderText(subject_, kOutputName, ColumnsOf(node), leaf) +
             "}";
    }
    return R"(,"output":)" + StreamRecorderText(kOutputName, RecordedColumns(*subject_.node));
  }

 private:
  std::string InputRecorderText(size_t child) const {
    const PlanNode& node = *subject_.node->children[child];
    const std::vector<Field> columns = ColumnsOf(node);
    if (IsBroadcast(node)) {
      const std::string leaf = spark_alone_ ? LeafText(kRowInputKind, kRowToNative, columns)
                                            : InputText(subject_, child, columns, tree_);
      return "{" + SharedRecorderText(subject_, child, columns, leaf) + "}";
    }
    return StreamRecorderText(std::to_string(child), columns);
  }

  std::string StreamRecorderText(std::string_view name, const std::vector<Field>& columns) const {
    const std::string key(name);
    const Json streams = IsApart(*subject_.node) ? Json{{key, together_.at(key)}} : together_;
    const Json number = name == kOutputName ? Json(name) : Json(std::stoi(key));
    return "{" +
           RecorderText(subject_, columns, LeafText(kRowInputKind, kRowToNative, columns),
                        StreamCapture(subject_, number, streams), false) +
           "}";
  }

  const PlanOperator& subject_;
  const OperatorTree& tree_;
  const bool spark_alone_;
  const Json together_;
};

}  // namespace

std::vector<size_t> SharedInputs(const PlanNode& node) {
  std::vector<size_t> shared;
  for (size_t i = 0; i < node.children.size(); ++i) {
    if (IsBroadcast(*node.children[i])) shared.push_back(i);
  }
  return shared;
}

std::string WhyUnrecordable(const PlanOperator& subject) {
  const PlanNode& node = *subject.node;
  const std::string_view name = ShortClassName(node.class_name);
  for (const auto& [class_name, reason] : kUndumpable) {
    if (name == class_name) return std::string(reason);
  }
  if (WritesFiles(node)) {
    return "its rows are written by the operator below it, WriteFiles: choose that one";
  }
  if (subject.input_file_wanted) {
    return "input_file_name() or its kin asks for the file being read, which a recorder would have "
           "read past";
  }
  if (node.children.empty()) return WhyColumnsUnreadable(ColumnsOf(node));
  for (const PlanNode* child : node.children) {
    const std::string reason = WhyColumnsUnreadable(ColumnsOf(*child));
    if (!reason.empty()) return reason;
  }
  return "";
}

std::string WhyUncheckable(const PlanOperator& subject) {
  const PlanNode& node = *subject.node;
  const std::string_view name = ShortClassName(node.class_name);
  if (Has(kReadAsTheyAre, name)) {
    return "its rows are those of the operator below it: choose that one";
  }
  for (const auto& [class_name, reason] : kUndumpable) {
    if (name == class_name) return std::string(reason);
  }
  if (WritesFiles(node) || node.output.empty()) return "it gives no columns";
  if (subject.input_file_wanted) {
    return "input_file_name() or its kin asks for the file being read, which a check would have "
           "read past";
  }
  return WhyColumnsUnreadable(ColumnsOf(node));
}

std::string CheckText(const PlanOperator& subject) {
  const std::vector<Field> columns = ColumnsOf(*subject.node);
  Json spec = ToJson(RecordSpec(subject, columns));
  spec["name"] = "RepriseCheck";
  spec["assertions"] = subject.assertions;
  return fmt::format(R"({{"operator":{},"leaf":{}}})", TextOf(spec),
                     LeafText(kRowInputKind, kRowToNative, columns));
}

std::string RecordText(const PlanOperator& subject, const OperatorTree& tree, bool spark_alone) {
  OperatorSpec spec;
  spec.kind = "spark";
  spec.arguments = {{"class", subject.node->class_name}};
  // An exchange may be Spark's only because what it reads is.
  if ((spark_alone || IsShuffle(*subject.node)) && ReplaysNatively(subject)) {
    spec.kind = RuleOf(subject.node->class_name, *subject.judgement.native).kind;
    spec.arguments = subject.judgement.native->arguments;
  }
  spec.name = OperatorName(*subject.node);
  spec.lore_id = subject.lore_id;
  spec.fingerprint = subject.fingerprint;
  spec.occurrence = subject.occurrence;
  spec.output = RecordedColumns(*subject.node);
  for (const PlanNode* child : subject.node->children) spec.inputs.push_back(ColumnsOf(*child));
  Json capture = subject.capture;
  capture["output"] = RecordsOutput(subject);
  const RecordWriter writer(subject, tree, spark_alone);
  return fmt::format(R"({{"operator":{},"capture":{},"apart":{},"inputs":[{}]{}}})",
                     TextOf(ToJson(spec)), TextOf(capture), IsApart(*subject.node),
                     writer.InputsText(), writer.OutputText());
}

std::string SharedText(const PlanOperator& subject, const OperatorTree& tree) {
  std::string text;
  const bool is_in_fragment = subject.fragment_root != nullptr;
  const PlanOperator& dumped = is_in_fragment ? *subject.fragment_root : subject;
  for (const size_t input : SharedInputs(*subject.node)) {
    const size_t stream =
        is_in_fragment ? static_cast<size_t>(subject.fragment_streams[input]) : input;
    const auto& columns = subject.judgement.native->inputs[input];
    text += fmt::format(
        R"({}{{"input":{},{}}})", text.empty() ? "" : ",", input,
        SharedRecorderText(dumped, stream, columns, InputText(subject, input, columns, tree)));
  }
  return "[" + text + "]";
}

}  // namespace reprise
