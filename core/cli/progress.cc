#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace reprise {

namespace {

constexpr int kBarColumns = 40;

}  // namespace

void Progress::Show(int done, int total) {
  static const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  if (!is_terminal || total <= 0 || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  const int filled = static_cast<int>(int64_t{kBarColumns} * done / total);
  fmt::print(stderr, "\r{} [{:#<{}}{: <{}}] {} of {}", what_, "", filled, "", kBarColumns - filled,
             done, total);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::Clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace reprise
