#include "eventlog/event_decoder.h"

#include "eventlog/decode_event.h"

namespace reprise {

namespace {

static_assert(kLinePaddingBytes >= simdjson::SIMDJSON_PADDING);

constexpr std::string_view kBegin = "{\"Event\":\"";

enum class Group { kAlways, kTasks, kSql };

// Decodes the members of one kind of event from an object.
template <typename T, JsonError (*kDecode)(simdjson::ondemand::object, T*, JsonContext&)>
JsonError To(simdjson::ondemand::object object, Event* event, JsonContext& context) {
  return kDecode(object, &event->emplace<T>(), context);
}

struct DecodedKind {
  std::string_view name;
  Group group;
  JsonError (*decode)(simdjson::ondemand::object, Event*, JsonContext&);
};

#define REPRISE_SQL_EVENT(name) "org.apache.spark.sql.execution.ui.SparkListenerSQL" name

constexpr DecodedKind kDecodedKinds[] = {
    {"SparkListenerTaskEnd", Group::kTasks, To<TaskEnd, DecodeTaskEnd>},
    {"SparkListenerJobStart", Group::kAlways, To<JobStart, DecodeJobStart>},
    {"SparkListenerJobEnd", Group::kAlways, To<JobEnd, DecodeJobEnd>},
    {"SparkListenerStageSubmitted", Group::kAlways, To<StageSubmitted, DecodeStageSubmitted>},
    {"SparkListenerStageCompleted", Group::kAlways, To<StageCompleted, DecodeStageCompleted>},
    {"SparkListenerUnpersistRDD", Group::kAlways, To<UnpersistRdd, DecodeUnpersistRdd>},
    {"SparkListenerLogStart", Group::kAlways, To<LogStart, DecodeLogStart>},
    {"SparkListenerApplicationStart", Group::kAlways, To<ApplicationStart, DecodeApplicationStart>},
    {"SparkListenerApplicationEnd", Group::kAlways, To<ApplicationEnd, DecodeApplicationEnd>},
    {"SparkListenerEnvironmentUpdate", Group::kAlways,
     To<EnvironmentUpdate, DecodeEnvironmentUpdate>},
    {"SparkListenerExecutorAdded", Group::kAlways, To<ExecutorAdded, DecodeExecutorAdded>},
    {"SparkListenerExecutorRemoved", Group::kAlways, To<ExecutorRemoved, DecodeExecutorRemoved>},
    {REPRISE_SQL_EVENT("ExecutionStart"), Group::kSql, To<SqlExecutionStart, DecodeSqlStart>},
    {REPRISE_SQL_EVENT("AdaptiveExecutionUpdate"), Group::kSql, To<SqlPlanUpdate, DecodeSqlUpdate>},
    {REPRISE_SQL_EVENT("ExecutionEnd"), Group::kSql, To<SqlExecutionEnd, DecodeSqlEnd>},
    {"org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates", Group::kSql,
     To<DriverMetrics, DecodeDriverMetrics>},
    {"reprise.event.PlanExplained", Group::kSql, To<PlanExplained, DecodePlanExplained>},
};

#undef REPRISE_SQL_EVENT

const DecodedKind* FindKind(std::string_view name) {
  for (const DecodedKind& kind : kDecodedKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

std::string PrintableBeginning(std::string_view text) {
  constexpr size_t kShown = 40;
  std::string shown;
  for (const char letter : text.substr(0, kShown)) {
    shown += letter >= ' ' && letter < 127 ? letter : '?';
  }
  return text.size() > kShown ? shown + "…" : shown;
}

}  // namespace

std::string_view EventNameOf(std::string_view line) {
  if (!line.starts_with(kBegin)) return {};
  line.remove_prefix(kBegin.size());
  return line.substr(0, line.find('"'));
}

class EventDecoder::Impl {
 public:
  explicit Impl(Wanted wanted) : wanted_(wanted) {
    context_.task_accumulators = wanted.task_accumulators;
  }

  Result<const Event*> Decode(const LogLine& line) {
    const std::string_view name = EventNameOf(line.text);
    if (name.empty()) {
      return Status::Invalid("expected {\"Event\":…, found ", PrintableBeginning(line.text));
    }
    if (line.text.back() != '}') {
      return Status::Invalid("torn: ", name, " ends after ", line.text.size(), " bytes");
    }
    const DecodedKind* kind = FindKind(name);
    if (kind == nullptr || !IsWanted(kind->group)) return nullptr;
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    JsonError error =
        parser_.iterate(line.text.data(), line.text.size(), line.text.size() + kLinePaddingBytes)
            .get(document);
    if (!error) error = document.get_object().get(object);
    if (!error) error = kind->decode(object, &event_, context_);
    // Where two lines have run into one, the first event is followed by another.
    if (!error && document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
      error = simdjson::TRAILING_CONTENT;
    }
    if (!error) return &event_;
    return Status::Invalid(name, " is damaged: ", simdjson::error_message(error));
  }

 private:
  bool IsWanted(Group group) const {
    return group == Group::kAlways || (group == Group::kTasks ? wanted_.tasks : wanted_.sql);
  }

  Wanted wanted_;
  simdjson::ondemand::parser parser_;
  JsonContext context_;
  Event event_;
};

EventDecoder::EventDecoder(Wanted wanted) : impl_(std::make_unique<Impl>(wanted)) {}
EventDecoder::~EventDecoder() = default;

Result<const Event*> EventDecoder::Decode(const LogLine& line) { return impl_->Decode(line); }

}  // namespace reprise
