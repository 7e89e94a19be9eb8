// One function a kind of event; tables of members stand beside each.
#pragma once

#include "eventlog/event.h"
#include "eventlog/json_fields.h"

namespace reprise {

using JsonObject = simdjson::ondemand::object;

JsonError DecodeLogStart(JsonObject object, LogStart* event, JsonContext& context);
JsonError DecodeApplicationStart(JsonObject object, ApplicationStart* event, JsonContext& context);
JsonError DecodeApplicationEnd(JsonObject object, ApplicationEnd* event, JsonContext& context);
JsonError DecodeEnvironmentUpdate(JsonObject object, EnvironmentUpdate* event,
                                  JsonContext& context);
JsonError DecodeExecutorAdded(JsonObject object, ExecutorAdded* event, JsonContext& context);
JsonError DecodeExecutorRemoved(JsonObject object, ExecutorRemoved* event, JsonContext& context);
JsonError DecodeJobStart(JsonObject object, JobStart* event, JsonContext& context);
JsonError DecodeJobEnd(JsonObject object, JobEnd* event, JsonContext& context);
JsonError DecodeStageSubmitted(JsonObject object, StageSubmitted* event, JsonContext& context);
JsonError DecodeStageCompleted(JsonObject object, StageCompleted* event, JsonContext& context);
JsonError DecodeUnpersistRdd(JsonObject object, UnpersistRdd* event, JsonContext& context);
JsonError DecodeTaskEnd(JsonObject object, TaskEnd* event, JsonContext& context);
JsonError DecodeSqlStart(JsonObject object, SqlExecutionStart* event, JsonContext& context);
JsonError DecodeSqlUpdate(JsonObject object, SqlPlanUpdate* event, JsonContext& context);
JsonError DecodeSqlEnd(JsonObject object, SqlExecutionEnd* event, JsonContext& context);
JsonError DecodeDriverMetrics(JsonObject object, DriverMetrics* event, JsonContext& context);
JsonError DecodePlanExplained(JsonObject object, PlanExplained* event, JsonContext& context);

/// The "ID" of every item of "Accumulables".
JsonError TakeAccumulatorIds(JsonValue& value, std::vector<int64_t>* ids, JsonContext& context);

}  // namespace reprise
