// Events of jobs and stages, with the RDDs that they describe.
#include <charconv>

#include "eventlog/decode_event.h"

namespace reprise {

namespace {

constexpr auto kStorageLevel = MakeFields<StorageLevel>({
    {"Use Disk", Take<&StorageLevel::disk>::Do},
    {"Use Memory", Take<&StorageLevel::memory>::Do},
    {"Use Off Heap", Take<&StorageLevel::off_heap>::Do},
    {"Deserialized", Take<&StorageLevel::deserialized>::Do},
    {"Replication", Take<&StorageLevel::replication>::Do},
});

// A scope is an object written inside a string: {"id":"14","name":"Exchange","parent":{…}}.
struct Scope {
  std::string_view id;
  std::string_view name;
};

constexpr auto kScope = MakeFields<Scope>({
    {"id", Take<&Scope::id>::Do},
    {"name", Take<&Scope::name>::Do},
});

JsonError TakeScope(JsonValue& value, RddInfo* rdd, JsonContext& context) {
  std::string_view text;
  if (const JsonError error = TakeText(value, &text)) return error;
  context.nested_text.assign(text);
  context.nested_text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  Scope scope;
  // A scope that can't be read is none: the RDD itself is not damaged.
  if (context.nested.iterate(context.nested_text).get(document)) return simdjson::SUCCESS;
  if (document.get_object().get(object)) return simdjson::SUCCESS;
  if (TakeObject(object, kScope, &scope, context)) return simdjson::SUCCESS;
  rdd->scope_id = scope.id;
  rdd->scope_name = scope.name;
  return simdjson::SUCCESS;
}

JsonError TakeStorageLevel(JsonValue& value, RddInfo* rdd, JsonContext& context) {
  return TakeObject(value, kStorageLevel, &rdd->storage, context);
}

constexpr auto kRddInfo = MakeFields<RddInfo>({
    {"RDD ID", Take<&RddInfo::id>::Do},
    {"Name", Take<&RddInfo::name>::Do},
    {"Scope", TakeScope},
    {"Callsite", Take<&RddInfo::call_site>::Do},
    {"Parent IDs", Take<&RddInfo::parents>::Do},
    {"Storage Level", TakeStorageLevel},
    {"Barrier", Take<&RddInfo::barrier>::Do},
    {"DeterministicLevel", Take<&RddInfo::determinism>::Do},
    {"Number of Partitions", Take<&RddInfo::partitions>::Do},
});

JsonError TakeRdds(JsonValue& value, StageInfo* stage, JsonContext& context) {
  stage->rdds.clear();
  return TakeItems(value, [&](JsonValue& item) {
    return TakeObject(item, kRddInfo, &stage->rdds.emplace_back(), context);
  });
}

struct Accumulable {
  int64_t id = -1;
  std::string_view value;
  std::string_view metadata;
};

// Values of accumulators of other kinds may be anything.
JsonError TakeValue(JsonValue& value, Accumulable* accumulable, JsonContext&) {
  if (value.type() != simdjson::ondemand::json_type::string) return simdjson::SUCCESS;
  return TakeText(value, &accumulable->value);
}

constexpr auto kAccumulable = MakeFields<Accumulable>({
    {"ID", Take<&Accumulable::id>::Do},
    {"Value", TakeValue},
    {"Metadata", Take<&Accumulable::metadata>::Do},
});

JsonError TakeStageAccumulators(JsonValue& value, StageInfo* stage, JsonContext& context) {
  stage->accumulators.clear();
  stage->metrics.clear();
  return TakeItems(value, [&](JsonValue& item) {
    Accumulable found;
    const JsonError error = TakeObject(item, kAccumulable, &found, context);
    if (found.id < 0) return error;
    stage->accumulators.push_back(found.id);
    AccumulatorValue metric{found.id, 0};
    const char* const end = found.value.data() + found.value.size();
    if (found.metadata == "sql" &&
        std::from_chars(found.value.data(), end, metric.value).ec == std::errc()) {
      stage->metrics.push_back(metric);
    }
    return error;
  });
}

constexpr auto kStageInfo = MakeFields<StageInfo>({
    {"Stage ID", Take<&StageInfo::id>::Do},
    {"Stage Attempt ID", Take<&StageInfo::attempt>::Do},
    {"Stage Name", Take<&StageInfo::name>::Do},
    {"Number of Tasks", Take<&StageInfo::tasks>::Do},
    {"RDD Info", TakeRdds},
    {"Parent IDs", Take<&StageInfo::parents>::Do},
    {"Submission Time", Take<&StageInfo::submitted>::Do},
    {"Completion Time", Take<&StageInfo::completed>::Do},
    {"Failure Reason", Take<&StageInfo::failure>::Do},
    {"Accumulables", TakeStageAccumulators},
});

JsonError TakeStageInfos(JsonValue& value, JobStart* job, JsonContext& context) {
  return TakeItems(value, [&](JsonValue& item) {
    return TakeObject(item, kStageInfo, &job->stages.emplace_back(), context);
  });
}

// Properties are texts, ids among them too. A user may have set the property to anything.
JsonError TakeExecution(JsonValue& value, JobStart* job, JsonContext&) {
  std::string_view text;
  if (const JsonError error = TakeText(value, &text)) return error;
  std::from_chars(text.data(), text.data() + text.size(), job->execution);
  return simdjson::SUCCESS;
}

constexpr auto kProperties = MakeFields<JobStart>({
    {"spark.sql.execution.id", TakeExecution},
    {"spark.job.description", Take<&JobStart::description>::Do},
});

JsonError TakeProperties(JsonValue& value, JobStart* job, JsonContext& context) {
  return TakeObject(value, kProperties, job, context);
}

constexpr auto kJobStart = MakeFields<JobStart>({
    {"Job ID", Take<&JobStart::id>::Do},
    {"Submission Time", Take<&JobStart::time>::Do},
    {"Stage Infos", TakeStageInfos},
    {"Properties", TakeProperties},
});

constexpr auto kException = MakeFields<JobEnd>({
    {"Message", Take<&JobEnd::reason>::Do},
});

JsonError TakeResult(JsonValue& value, JobEnd* job, JsonContext&) {
  std::string_view result;
  if (const JsonError error = TakeText(value, &result)) return error;
  job->failed = result != "JobSucceeded";
  return simdjson::SUCCESS;
}

JsonError TakeException(JsonValue& value, JobEnd* job, JsonContext& context) {
  return TakeObject(value, kException, job, context);
}

constexpr auto kJobResult = MakeFields<JobEnd>({
    {"Result", TakeResult},
    {"Exception", TakeException},
});

JsonError TakeJobResult(JsonValue& value, JobEnd* job, JsonContext& context) {
  return TakeObject(value, kJobResult, job, context);
}

constexpr auto kJobEnd = MakeFields<JobEnd>({
    {"Job ID", Take<&JobEnd::id>::Do},
    {"Completion Time", Take<&JobEnd::time>::Do},
    {"Job Result", TakeJobResult},
});

template <typename T>
JsonError TakeStage(JsonValue& value, T* event, JsonContext& context) {
  return TakeObject(value, kStageInfo, &event->stage, context);
}

constexpr auto kStageSubmitted =
    MakeFields<StageSubmitted>({{"Stage Info", TakeStage<StageSubmitted>}});
constexpr auto kStageCompleted =
    MakeFields<StageCompleted>({{"Stage Info", TakeStage<StageCompleted>}});
constexpr auto kUnpersistRdd = MakeFields<UnpersistRdd>({{"RDD ID", Take<&UnpersistRdd::id>::Do}});

}  // namespace

JsonError DecodeJobStart(JsonObject object, JobStart* event, JsonContext& context) {
  return TakeObject(object, kJobStart, event, context);
}

JsonError DecodeJobEnd(JsonObject object, JobEnd* event, JsonContext& context) {
  return TakeObject(object, kJobEnd, event, context);
}

JsonError DecodeStageSubmitted(JsonObject object, StageSubmitted* event, JsonContext& context) {
  return TakeObject(object, kStageSubmitted, event, context);
}

JsonError DecodeStageCompleted(JsonObject object, StageCompleted* event, JsonContext& context) {
  return TakeObject(object, kStageCompleted, event, context);
}

JsonError DecodeUnpersistRdd(JsonObject object, UnpersistRdd* event, JsonContext& context) {
  return TakeObject(object, kUnpersistRdd, event, context);
}

}  // namespace reprise
