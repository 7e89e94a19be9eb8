// How a dump's meta files write digests.
#pragma once

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "checksums/digest.h"

namespace reprise {

/// {"rows":3,"ordered":"16 hex","unordered":"16 hex","columns":["16 hex"…]}
nlohmann::json ToJson(const StreamDigest& digest);
/// The reader of the same; Status::Invalid names the member that is missing or malformed.
Result<StreamDigest> StreamDigestFromJson(const nlohmann::json& json);

}  // namespace reprise
