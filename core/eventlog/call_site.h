// Where Spark says that something was made.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// A short call site, or a description made of one, as it is in every run. That of Spark Connect is
/// the beginning of a request, on several lines: on one, without the session's id.
std::string CallSiteInAnyRun(std::string_view text);

}  // namespace reprise
