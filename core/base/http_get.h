// What an HTTP server answers.
#pragma once

#include <string>

#include "base/status.h"

namespace reprise {

/// The body of what `url` answers within `seconds`, redirections followed. Fails with what to do
/// where nobody answers, where the answer is no 200, and where libcurl is not installed.
Result<std::string> HttpGet(const std::string& url, int seconds);

}  // namespace reprise
