// Events of the application itself.
#include "eventlog/decode_event.h"

namespace reprise {

namespace {

constexpr auto kLogStart = MakeFields<LogStart>({
    {"Spark Version", Take<&LogStart::spark_version>::Do},
});

constexpr auto kApplicationStart = MakeFields<ApplicationStart>({
    {"App Name", Take<&ApplicationStart::name>::Do},
    {"App ID", Take<&ApplicationStart::id>::Do},
    {"App Attempt ID", Take<&ApplicationStart::attempt>::Do},
    {"Timestamp", Take<&ApplicationStart::time>::Do},
});

constexpr auto kApplicationEnd = MakeFields<ApplicationEnd>({
    {"Timestamp", Take<&ApplicationEnd::time>::Do},
});

constexpr auto kEnvironment = MakeFields<EnvironmentUpdate>({
    {"Spark Properties", Take<&EnvironmentUpdate::settings>::Do},
});

JsonError TakeExecutorInfo(JsonValue& value, ExecutorAdded* event, JsonContext& context) {
  static constexpr auto kInfo = MakeFields<ExecutorAdded>({
      {"Host", Take<&ExecutorAdded::host>::Do},
      {"Total Cores", Take<&ExecutorAdded::cores>::Do},
  });
  return TakeObject(value, kInfo, event, context);
}

constexpr auto kExecutorAdded = MakeFields<ExecutorAdded>({
    {"Timestamp", Take<&ExecutorAdded::time>::Do},
    {"Executor ID", Take<&ExecutorAdded::id>::Do},
    {"Executor Info", TakeExecutorInfo},
});

constexpr auto kExecutorRemoved = MakeFields<ExecutorRemoved>({
    {"Timestamp", Take<&ExecutorRemoved::time>::Do},
    {"Executor ID", Take<&ExecutorRemoved::id>::Do},
    {"Removed Reason", Take<&ExecutorRemoved::reason>::Do},
});

}  // namespace

JsonError DecodeLogStart(JsonObject object, LogStart* event, JsonContext& context) {
  return TakeObject(object, kLogStart, event, context);
}

JsonError DecodeApplicationStart(JsonObject object, ApplicationStart* event, JsonContext& context) {
  return TakeObject(object, kApplicationStart, event, context);
}

JsonError DecodeApplicationEnd(JsonObject object, ApplicationEnd* event, JsonContext& context) {
  return TakeObject(object, kApplicationEnd, event, context);
}

JsonError DecodeEnvironmentUpdate(JsonObject object, EnvironmentUpdate* event,
                                  JsonContext& context) {
  return TakeObject(object, kEnvironment, event, context);
}

JsonError DecodeExecutorAdded(JsonObject object, ExecutorAdded* event, JsonContext& context) {
  return TakeObject(object, kExecutorAdded, event, context);
}

JsonError DecodeExecutorRemoved(JsonObject object, ExecutorRemoved* event, JsonContext& context) {
  return TakeObject(object, kExecutorRemoved, event, context);
}

}  // namespace reprise
