// Headers that nearly every file needs, compiled once for all folders.
#pragma once

#include <arrow/api.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
