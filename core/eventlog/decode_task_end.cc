// SparkListenerTaskEnd: nine tenths of a log, so only what is wanted is looked at.
#include "eventlog/decode_event.h"

namespace reprise {

namespace {

struct Accumulator {
  int64_t id = -1;
};

constexpr auto kAccumulator = MakeFields<Accumulator>({{"ID", Take<&Accumulator::id>::Do}});

// Members of the several kinds of TaskEndReason: each has one text of its own.
constexpr auto kEndReason = MakeFields<TaskFailure>({
    {"Reason", Take<&TaskFailure::reason>::Do},
    {"Class Name", Take<&TaskFailure::class_name>::Do},
    {"Description", Take<&TaskFailure::text>::Do},
    {"Message", Take<&TaskFailure::text>::Do},
    {"Kill Reason", Take<&TaskFailure::text>::Do},
    {"Loss Reason", Take<&TaskFailure::text>::Do},
});

JsonError TakeEndReason(JsonValue& value, TaskEnd* task, JsonContext& context) {
  return TakeObject(value, kEndReason, &task->end, context);
}

JsonError TakeTaskAccumulators(JsonValue& value, TaskEnd* task, JsonContext& context) {
  if (!context.task_accumulators) return simdjson::SUCCESS;
  return TakeAccumulatorIds(value, &task->accumulators, context);
}

constexpr auto kTaskInfo = MakeFields<TaskEnd>({
    {"Task ID", Take<&TaskEnd::task>::Do},
    {"Index", Take<&TaskEnd::index>::Do},
    {"Partition ID", Take<&TaskEnd::partition>::Do},
    {"Attempt", Take<&TaskEnd::attempt>::Do},
    {"Launch Time", Take<&TaskEnd::launched>::Do},
    {"Executor ID", Take<&TaskEnd::executor>::Do},
    {"Speculative", Take<&TaskEnd::speculative>::Do},
    {"Finish Time", Take<&TaskEnd::finished>::Do},
    {"Accumulables", TakeTaskAccumulators},
});

JsonError TakeTaskInfo(JsonValue& value, TaskEnd* task, JsonContext& context) {
  return TakeObject(value, kTaskInfo, task, context);
}

// Remote and local reads are told apart in the log; both are bytes that were read.
JsonError AddReadBytes(JsonValue& value, TaskFigures* figures, JsonContext&) {
  int64_t bytes = 0;
  const JsonError error = TakeInteger(value, &bytes);
  figures->shuffle_read_bytes = SaturatedSum(figures->shuffle_read_bytes, bytes);
  return error;
}

constexpr auto kShuffleRead = MakeFields<TaskFigures>({
    {"Remote Bytes Read", AddReadBytes},
    {"Local Bytes Read", AddReadBytes},
    {"Total Records Read", Take<&TaskFigures::shuffle_read_rows>::Do},
    {"Fetch Wait Time", Take<&TaskFigures::fetch_wait_ms>::Do},
});
constexpr auto kShuffleWrite = MakeFields<TaskFigures>({
    {"Shuffle Bytes Written", Take<&TaskFigures::shuffle_write_bytes>::Do},
    {"Shuffle Records Written", Take<&TaskFigures::shuffle_write_rows>::Do},
});
constexpr auto kInput = MakeFields<TaskFigures>({
    {"Bytes Read", Take<&TaskFigures::input_bytes>::Do},
    {"Records Read", Take<&TaskFigures::input_rows>::Do},
});
constexpr auto kOutput = MakeFields<TaskFigures>({
    {"Bytes Written", Take<&TaskFigures::output_bytes>::Do},
    {"Records Written", Take<&TaskFigures::output_rows>::Do},
});

template <auto& kFields>
JsonError TakeGroup(JsonValue& value, TaskFigures* figures, JsonContext& context) {
  return TakeObject(value, kFields, figures, context);
}

constexpr auto kTaskMetrics = MakeFields<TaskFigures>({
    {"Executor Deserialize Time", Take<&TaskFigures::deserialize_ms>::Do},
    {"Executor Run Time", Take<&TaskFigures::run_ms>::Do},
    {"Executor CPU Time", Take<&TaskFigures::cpu_ns>::Do},
    {"Result Size", Take<&TaskFigures::result_bytes>::Do},
    {"Peak Execution Memory", Take<&TaskFigures::peak_memory_bytes>::Do},
    {"JVM GC Time", Take<&TaskFigures::gc_ms>::Do},
    {"Memory Bytes Spilled", Take<&TaskFigures::spilled_memory_bytes>::Do},
    {"Disk Bytes Spilled", Take<&TaskFigures::spilled_disk_bytes>::Do},
    {"Shuffle Read Metrics", TakeGroup<kShuffleRead>},
    {"Shuffle Write Metrics", TakeGroup<kShuffleWrite>},
    {"Input Metrics", TakeGroup<kInput>},
    {"Output Metrics", TakeGroup<kOutput>},
});

JsonError TakeTaskMetrics(JsonValue& value, TaskEnd* task, JsonContext& context) {
  return TakeObject(value, kTaskMetrics, &task->figures, context);
}

constexpr auto kTaskEnd = MakeFields<TaskEnd>({
    {"Stage ID", Take<&TaskEnd::stage>::Do},
    {"Stage Attempt ID", Take<&TaskEnd::stage_attempt>::Do},
    {"Task End Reason", TakeEndReason},
    {"Task Info", TakeTaskInfo},
    {"Task Metrics", TakeTaskMetrics},
});

}  // namespace

JsonError TakeAccumulatorIds(JsonValue& value, std::vector<int64_t>* ids, JsonContext& context) {
  ids->clear();
  return TakeItems(value, [&](JsonValue& item) {
    Accumulator accumulator;
    const JsonError error = TakeObject(item, kAccumulator, &accumulator, context);
    if (accumulator.id >= 0) ids->push_back(accumulator.id);
    return error;
  });
}

JsonError DecodeTaskEnd(JsonObject object, TaskEnd* event, JsonContext& context) {
  return TakeObject(object, kTaskEnd, event, context);
}

}  // namespace reprise
