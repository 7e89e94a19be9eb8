// reprise top URL|LOG
//   purpose  watch a running application in a terminal
//   input    the address of Spark's page of an application with the plug-in, or an event log that
//   is
//            being written
//   output   what runs, how far it is, which operators take the time, and what is wrong: anew every
//            two seconds until the application ends; once where the output is no terminal
//   example  reprise top http://localhost:4040
#include "cli/cmd_top.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/http_get.h"
#include "cli/event_log.h"
#include "cli/figures.h"
#include "cli/top_text.h"
#include "report/report_json.h"

namespace reprise {

namespace {

struct TopOptions {
  std::string source;
  double every_s = 2;
  bool once = false;
};

bool IsAddress(const std::string& source) {
  return source.starts_with("http://") || source.starts_with("https://");
}

Result<nlohmann::json> DataOfPage(std::string address) {
  constexpr int kSeconds = 60;
  while (address.ends_with('/')) address.pop_back();
  const auto answer = HttpGet(address + "/reprise/report/data", kSeconds);
  const char* expected =
      "expected Spark's page of a running application with the plug-in, as http://localhost:4040";
  if (!answer.ok()) return answer.status().WithMessage(answer.status().message(), "; ", expected);
  nlohmann::json data = nlohmann::json::parse(*answer, nullptr, /*allow_exceptions=*/false);
  if (!data.is_object() || !data.contains("application")) {
    return Status::Invalid(address, " answers with no report; ", expected);
  }
  return data;
}

Result<nlohmann::json> DataOf(const std::string& source) {
  if (IsAddress(source)) return DataOfPage(source);
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(source, {}));
  return ReportJson(BuildReport(log.model, source));
}

// Of the terminal; of a page where there is none.
winsize Size() {
  winsize size = {.ws_row = 60, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  winsize found;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &found) == 0 && found.ws_row > 1) size = found;
  return size;
}

Result<int> Watch(const TopOptions& options) {
  const bool once = options.once || ::isatty(STDOUT_FILENO) == 0;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const nlohmann::json data, DataOf(options.source));
    const winsize size = Size();
    const std::string text = TopText(data, size.ws_row - 1, size.ws_col);
    // Drawn over what was there, so that it does not flicker.
    if (!once) fmt::print("\x1b[H\x1b[2J");
    PrintText(text);
    std::fflush(stdout);
    if (once || data["application"]["ended"].get<int64_t>() > 0) return kExitDone;
    std::this_thread::sleep_for(std::chrono::duration<double>(options.every_s));
  }
}

Run DeclareTop(CLI::App& app) {
  auto options = std::make_shared<TopOptions>();
  app.add_option("source", options->source,
                 "address of Spark's page of the application, or an event log")
      ->required();
  app.add_option("--every", options->every_s, "seconds from one look to the next (2)")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_flag("--once", options->once, "look once");
  return [options] { return Watch(*options); };
}

}  // namespace

const Subcommand kTop = {"top", "Watch a running application in the terminal",
                         "reprise top http://localhost:4040", DeclareTop};

}  // namespace reprise
