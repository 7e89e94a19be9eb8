#include "base/check.h"

namespace reprise {

void FailCheck(const char* file, int line, const char* condition, const std::string& message) {
  const std::string path(file);
  const size_t core = path.rfind("core/");
  throw CheckFailure(fmt::format("check failed at {}:{}: {}{}{}",
                                 core == std::string::npos ? path : path.substr(core), line,
                                 condition, message.empty() ? "" : ": ", message));
}

}  // namespace reprise
