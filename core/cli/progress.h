// A progress line on stderr, only where stderr is a terminal.
#pragma once

#include <chrono>
#include <string>

namespace reprise {

class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Redraws "what [#####     ] 3 of 8" at most ten times a second, and not in the first second:
  /// short work shows none.
  void Show(int done, int total);
  /// Removes the line, so that the next output stands alone.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
  bool shown_ = false;
};

}  // namespace reprise
