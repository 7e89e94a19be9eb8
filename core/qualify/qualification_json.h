// A qualification as JSON, for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "qualify/qualification.h"

namespace reprise {

/// Times in ms, shares from 0 to 1, speed-ups as factors.
nlohmann::json ToJson(const Qualification& qualification);

}  // namespace reprise
