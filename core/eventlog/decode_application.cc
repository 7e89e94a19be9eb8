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

}  // namespace reprise
