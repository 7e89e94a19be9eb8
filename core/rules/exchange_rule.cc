// ShuffleExchangeExec, BroadcastExchangeExec -> shuffle_write, read by shuffle_read or
// broadcast_read.
//
// Input:   the exchange's partitioning, over its child's output.
// Output:  {"partitioning":PARTITIONING,"numPartitions":200,"codec":"lz4","tellsPartitions":true};
//          PARTITIONING as in exchange/partitioning.h. The bounds of a range partitioning are known
//          only when the query runs: {"runtime":0}, and `sample` is the projection to the keys that
//          Spark samples.
// Example: Exchange hashpartitioning(a#1, 200)  ->
//          {"partitioning":{"type":"hash","expressions":[column 0]},"numPartitions":200,…}
//
// Whether the child is native, without which an exchange does not pay, is asked by the pass
// "neighbours".
#include "plan/plan_text.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"
#include "rules/order_translation.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

/// The short class name of a partitioning, be it a case class, a case object or something unknown.
std::string_view PartitioningName(const PlanValue& partitioning) {
  if (partitioning.object != nullptr) return ShortClassName(partitioning.object->class_name);
  return ShortClassName(partitioning.text);
}

Json HashJson(OperatorTranslation* translation, const PlanObject& partitioning) {
  auto expressions = Json::array();
  for (const PlanValue& key : partitioning.children) {
    const auto spec = translation->TranslateKey(key);
    if (!spec) continue;
    if (!IsHashable(spec->type)) {
      translation->judgement().reasons.push_back("values of type " + TypeText(spec->type) +
                                                 " are not hashed natively");
    }
    expressions.push_back(ToJson(*spec));
  }
  return {{"type", "hash"}, {"expressions", std::move(expressions)}};
}

/// The keys of each row, by which Spark finds the bounds. It reads what the exchange reads.
OperatorSpec SampleSpec(const Json& ordering) {
  OperatorSpec spec;
  spec.kind = "project";
  spec.name = "RepriseRangeKeys";
  auto expressions = Json::array();
  for (const Json& order : ordering) {
    const Json& expression = order["expression"];
    spec.output.push_back({fmt::format("key{}", spec.output.size()),
                           ParseDataType(expression["type"].get<std::string>()), true});
    expressions.push_back(expression);
  }
  spec.arguments["expressions"] = std::move(expressions);
  return spec;
}

Json RangeJson(OperatorTranslation* translation, const PlanObject& partitioning) {
  Json ordering = OrderJson(translation, partitioning.children);
  if (ordering.size() == partitioning.children.size()) {
    translation->native().sample = SampleSpec(ordering);
  }
  return {{"type", "range"}, {"ordering", std::move(ordering)}, {"bounds", {{"runtime", 0}}}};
}

/// Rows of which each partition gets one after the other: where they are not sorted before, and
/// there is more than one partition, what comes in another order goes to other partitions.
Json RoundRobinJson(OperatorTranslation* translation, const PlanObject& partitioning,
                    const Config& config) {
  const bool is_sorted = config.spark_boolean("spark.sql.execution.sortBeforeRepartition", true);
  const PlanValue* count = partitioning.argument("numPartitions");
  translation->native().order_sensitive = !is_sorted && count != nullptr && count->integer > 1;
  return {{"type", "round_robin"}, {"sorted", is_sorted}};
}

/// Null, and a reason, for a partitioning that has no native form.
Json PartitioningJson(OperatorTranslation* translation, const PlanValue& partitioning,
                      const Config& config) {
  const std::string_view name = PartitioningName(partitioning);
  if (name == "SinglePartition") return {{"type", "single"}};
  if (partitioning.object != nullptr) {
    if (name == "HashPartitioning") return HashJson(translation, *partitioning.object);
    if (name == "RangePartitioning") return RangeJson(translation, *partitioning.object);
    if (name == "RoundRobinPartitioning") {
      return RoundRobinJson(translation, *partitioning.object, config);
    }
  }
  translation->judgement().reasons.push_back(
      fmt::format("partitioning {} is not written natively", name));
  return nullptr;
}

void Write(const OperatorQuestion& question, OperatorTranslation* translation, Json partitioning,
           int64_t partitions, std::string_view read_kind, std::string_view read_name) {
  if (!translation->ok()) return;
  NativeOperator& native = translation->native();
  native.arguments = {{"partitioning", std::move(partitioning)},
                      {"numPartitions", partitions},
                      {"codec", question.config.text("spark.reprise.exchange.codec")}};
  native.read_kind = read_kind;
  native.read_name = read_name;
}

}  // namespace

Judgement JudgeShuffleExchange(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  translation.AllowGuests();
  const PlanValue* partitioning = question.node.argument("outputPartitioning");
  if (partitioning == nullptr) {
    return Refused("ShuffleExchangeExec has no argument \"outputPartitioning\"");
  }
  // Of Spark 4.3: its readers begin before its writers end.
  const PlanValue* pipelined = question.node.argument("pipelined");
  if (pipelined != nullptr && pipelined->boolean) {
    return Refused("exchanges of streams in real time are not run natively");
  }
  Json json = PartitioningJson(&translation, *partitioning, question.config);
  const PlanValue* count =
      partitioning->object != nullptr ? partitioning->object->argument("numPartitions") : nullptr;
  if (translation.ok()) translation.native().arguments_text = ValueText(*partitioning);
  Write(question, &translation, std::move(json), count != nullptr ? count->integer : 1,
        kShuffleReadKind, kShuffleReadName);
  if (translation.ok()) {
    translation.native().tells_partitions = true;
    translation.native().arguments["tellsPartitions"] = true;
  }
  return translation.Take();
}

Judgement JudgeBroadcastExchange(const OperatorQuestion& question) {
  OperatorTranslation translation(question);
  if (!translation.ok()) return translation.Take();
  const PlanValue* mode = question.node.argument("mode");
  if (mode != nullptr) translation.native().arguments_text = ValueText(*mode);
  Write(question, &translation, {{"type", "single"}}, 1, kBroadcastReadKind, kBroadcastReadName);
  return translation.Take();
}

}  // namespace reprise
