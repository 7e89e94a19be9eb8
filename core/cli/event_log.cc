#include "cli/event_log.h"

#include <fmt/format.h>

#include "base/figure_text.h"
#include "base/printable.h"
#include "cli/progress.h"

namespace reprise {

void EventLogOptions::Declare(CLI::App& app) {
  app.add_option("log", path, "event log: a file, or the folder of a rolled one")->required();
  app.add_flag("--json", json, "as JSON");
}

Result<LoadedLog> ReadEventLog(const std::string& path, LoadOptions options) {
  constexpr int64_t kMegabyte = 1'000'000;
  Progress progress("reading, in MB");
  options.progress = [&](int64_t done, int64_t total) {
    progress.Show(static_cast<int>(done / kMegabyte), static_cast<int>(total / kMegabyte));
  };
  ARROW_ASSIGN_OR_RAISE(LoadedLog log, LoadLog(path, options));
  progress.Clear();
  for (const LogDamage& damage : log.damages.kept()) {
    fmt::print(stderr, "reprise: skipped: {}\n", PrintableLine(damage.ToString()));
  }
  const int64_t more = log.damages.count() - static_cast<int64_t>(log.damages.kept().size());
  if (more > 0) {
    fmt::print(stderr, "reprise: skipped: {} more\n", Counted(more, "damage", "damages"));
  }
  return log;
}

std::string TimeText(const StageAttempt& attempt) {
  if (attempt.completed == 0 || attempt.submitted == 0) return "";
  return MillisecondText(attempt.completed - attempt.submitted);
}

std::string VolumeText(int64_t rows, int64_t bytes) {
  if (rows == 0 && bytes == 0) return "";
  return fmt::format("{}, {}", Counted(rows, "row", "rows"), ByteText(bytes));
}

}  // namespace reprise
