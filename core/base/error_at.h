// Errors in what a user has written, with a caret under the place.
#pragma once

#include <string_view>

#include "base/status.h"

namespace reprise {

/// Status::Invalid "KEY: WHAT at character N", the text on a line of its own, and a caret under its
/// byte `position`. Characters are counted from 1, as people count them, not bytes.
Status ErrorAt(std::string_view key, std::string_view text, size_t position, std::string_view what);

}  // namespace reprise
