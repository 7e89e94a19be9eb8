// What a log tells, as JSON: the same names in every subcommand's --json. Times are milliseconds.
#pragma once

#include <nlohmann/json.hpp>

#include "eventlog/load_log.h"

namespace reprise {

nlohmann::json ToJson(const Rdd& rdd);
/// With the figures of each attempt's tasks where `tasks` says so.
nlohmann::json ToJson(const LogModel& model, const Stage& stage, bool tasks);
nlohmann::json ToJson(const StageTasks& tasks);
nlohmann::json ToJson(const TaskFigures& figures);
nlohmann::json ToJson(const Job& job);
nlohmann::json ToJson(const LogModel& model, const SqlExecution& execution);

/// {"application":{…},"damages":[…],"damageCount":n}: what every answer about a log begins with.
nlohmann::json HeadJson(const LoadedLog& log);

}  // namespace reprise
