#include "profile/flame_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>

#include "base/error_at.h"
#include "base/nearest_name.h"

namespace reprise {

namespace {

constexpr std::string_view kExecutors = "spark.reprise.flameGraph.executors";
constexpr std::string_view kOptions = "spark.reprise.flameGraph.asyncProfiler.options";

// Of threads that run no task, where those that do have a wall clock of ours.
constexpr int64_t kOthersWallNs = 1'000'000'000;
constexpr int64_t kDefaultWallNs = 50'000'000;       // async-profiler's own
constexpr int64_t kDefaultProcessorNs = 10'000'000;  // async-profiler's own
constexpr int64_t kShortestWallNs = 100'000;

std::string_view Trimmed(std::string_view text, size_t* at) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
    ++*at;
  }
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Digits and nothing else.
bool Number(std::string_view text, int64_t* number) {
  if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    return false;
  }
  return std::from_chars(text.data(), text.data() + text.size(), *number).ec == std::errc();
}

enum class ValueKind { kNone, kText, kNumber, kTime, kBytes, kInterval, kClock, kStackWalker };

// An option of async-profiler; `optional` ones may go without their value.
struct Option {
  std::string_view name;
  ValueKind kind;
  bool optional = false;
};

constexpr Option kKnown[] = {
    {"jfr", ValueKind::kNone},
    {"event", ValueKind::kText},
    {"cpu", ValueKind::kNone},
    {"wall", ValueKind::kTime, true},
    {"alloc", ValueKind::kBytes, true},
    {"live", ValueKind::kNone},
    {"tlab", ValueKind::kNone},
    {"lock", ValueKind::kTime, true},
    {"nativelock", ValueKind::kTime, true},
    {"nativemem", ValueKind::kBytes, true},
    {"nofree", ValueKind::kNone},
    {"interval", ValueKind::kInterval},
    {"jstackdepth", ValueKind::kNumber},
    {"cstack", ValueKind::kStackWalker},
    {"features", ValueKind::kText},
    {"clock", ValueKind::kClock},
    {"include", ValueKind::kText},
    {"exclude", ValueKind::kText},
    {"ithread", ValueKind::kText},
    {"xthread", ValueKind::kText},
    {"alluser", ValueKind::kNone},
    {"nobatch", ValueKind::kNone},
    {"memlimit", ValueKind::kBytes},
    {"ratelimit", ValueKind::kText},
    {"signal", ValueKind::kText},
    {"sched", ValueKind::kNone},
    {"record-cpu", ValueKind::kNone},
    {"target-cpu", ValueKind::kNumber},
    {"mcache", ValueKind::kNumber, true},
};

// What would take the recording out of Reprise's hands.
constexpr std::string_view kOwned[] = {
    "start",   "stop",    "dump",    "resume",    "status",     "file", "loop",
    "timeout", "jfrsync", "jfropts", "filter",    "flamegraph", "tree", "collapsed",
    "traces",  "flat",    "otlp",    "chunksize", "chunktime",  "log",
};

bool HasUnit(std::string_view value, std::initializer_list<std::string_view> units) {
  const size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  int64_t number = 0;
  if (!Number(value.substr(0, digits), &number)) return false;
  return digits == value.size() || std::ranges::find(units, value.substr(digits)) != units.end();
}

// async-profiler would take any other text for the first one.
constexpr std::string_view kStackWalkers[] = {"fp", "dwarf", "lbr", "vm", "vmx", "no"};

// What is expected, or nothing where the value is that.
std::string_view Expected(ValueKind kind, std::string_view value) {
  int64_t number = 0;
  switch (kind) {
    case ValueKind::kNone:
      return "no value";
    case ValueKind::kText:
      return value.empty() ? "a value" : "";
    case ValueKind::kNumber:
      return Number(value, &number) ? "" : "a number";
    case ValueKind::kTime:
      return HasUnit(value, {"ns", "us", "ms", "s"}) ? "" : "a time, such as 10ms";
    case ValueKind::kBytes:
      return HasUnit(value, {"b", "k", "m", "g"}) ? "" : "a size, such as 512k";
    case ValueKind::kInterval:
      return value.find_first_of("123456789") < value.find_first_not_of("0123456789") &&
                     HasUnit(value, {"ns", "us", "ms", "s", "b", "k", "m", "g"})
                 ? ""
                 : "an interval above 0, such as 10ms or 1000000";
    case ValueKind::kStackWalker:
      return std::ranges::find(kStackWalkers, value) != std::end(kStackWalkers)
                 ? ""
                 : "fp, dwarf, lbr, vm, vmx or no";
    case ValueKind::kClock:
      return value == "monotonic" ? "" : "monotonic, the clock that tasks are timed with";
  }
  return "";
}

Status CheckOption(std::string_view text, size_t at, std::string_view option) {
  const size_t equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  if (std::ranges::find(kOwned, name) != std::end(kOwned)) {
    return ErrorAt(kOptions, text, at, fmt::format("{} is set by Reprise itself", name));
  }
  const auto* known = std::ranges::find(kKnown, name, &Option::name);
  if (known == std::end(kKnown)) {
    const auto names = kKnown | std::views::transform(&Option::name);
    return ErrorAt(
        kOptions, text, at,
        fmt::format("unknown option {}, did you mean {}?", name, NearestName(name, names)));
  }
  if (equals == std::string_view::npos) {
    if (known->kind == ValueKind::kNone || known->optional) return Status::OK();
    return ErrorAt(kOptions, text, at + option.size(), fmt::format("expected {}=VALUE", name));
  }
  const std::string_view expected = Expected(known->kind, option.substr(equals + 1));
  if (expected.empty()) return Status::OK();
  return ErrorAt(kOptions, text, at + equals + 1, fmt::format("expected {}", expected));
}

// The interval that "wall", "wall=10ms" or "interval=10ms" asks for.
int64_t IntervalNs(std::string_view option, int64_t otherwise) {
  const size_t equals = option.find('=');
  if (equals == std::string_view::npos) return otherwise;
  const std::string_view value = option.substr(equals + 1);
  const size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  int64_t number = 0;
  if (!Number(value.substr(0, digits), &number) || number == 0) return otherwise;
  const std::string_view unit = value.substr(digits);
  const int64_t ns = unit == "s"    ? 1'000'000'000
                     : unit == "ms" ? 1'000'000
                     : unit == "us" ? 1000
                                    : 1;
  // What is longer than that is longer than all that is compared with it.
  return std::max(std::min(number, kOthersWallNs) * ns, kShortestWallNs);
}

}  // namespace

Result<ExecutorChoice> ParseExecutorChoice(std::string_view text) {
  ExecutorChoice choice;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    size_t at = begin;
    const std::string_view part = Trimmed(text.substr(begin, end - begin), &at);
    const size_t hyphen = part.find('-');
    int64_t first = 0;
    int64_t last = 0;
    if (part == "*") {
      choice.all = true;
    } else if (part == "driver") {
      choice.driver = true;
    } else if (!Number(part.substr(0, hyphen), &first)) {
      return ErrorAt(kExecutors, text, at,
                     "expected *, an executor's id, a range of ids, or driver");
    } else if (hyphen == std::string_view::npos) {
      choice.ranges.emplace_back(first, first);
    } else if (!Number(part.substr(hyphen + 1), &last)) {
      return ErrorAt(kExecutors, text, at + hyphen + 1, "expected the last id of the range");
    } else if (last < first) {
      return ErrorAt(kExecutors, text, at, fmt::format("the range {} is empty", part));
    } else {
      choice.ranges.emplace_back(first, last);
    }
    begin = end + 1;
  }
  return choice;
}

bool Takes(const ExecutorChoice& choice, std::string_view executor) {
  if (choice.all) return true;
  if (executor == "driver") return choice.driver;
  int64_t id = 0;
  return Number(executor, &id) && std::ranges::any_of(choice.ranges, [&](const auto& range) {
           return range.first <= id && id <= range.second;
         });
}

Result<ProfilerOptions> CheckProfilerOptions(std::string_view text) {
  // Without system properties, which may hold passwords, and what else of the process is not asked
  // for: async-profiler's NO_SYSTEM_INFO to NO_HEAP_SUMMARY.
  ProfilerOptions options{.all = "jfropts=31", .beside_own_wall = "jfropts=31"};
  bool has_bound = false;
  bool chooses_threads = false;
  bool is_by_thread = false;
  bool leaves_out = false;
  int64_t interval_ns = kDefaultProcessorNs;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    size_t at = begin;
    const std::string_view option = Trimmed(text.substr(begin, end - begin), &at);
    begin = end + 1;
    if (option.empty()) return ErrorAt(kOptions, text, at, "expected an option of async-profiler");
    RETURN_NOT_OK(CheckOption(text, at, option));
    if (option == "jfr" || option.starts_with("clock=")) continue;
    has_bound |= option.starts_with("memlimit=");
    const std::string_view name = option.substr(0, option.find('='));
    chooses_threads |= name == "ithread" || name == "xthread" || name == "signal";
    options.all += fmt::format(",{}", option);
    if (name == "wall") options.wall_ns = IntervalNs(option, kDefaultWallNs);
    if (name == "interval") interval_ns = IntervalNs(option, kDefaultProcessorNs);
    is_by_thread |= option == "cpu" || option == "event=cpu" || option == "event=ctimer";
    leaves_out |= name == "include" || name == "exclude" || name == "nobatch" ||
                  name == "target-cpu" || name == "ratelimit";
    options.beside_own_wall +=
        name == "wall" ? fmt::format(",wall={}", kOthersWallNs) : fmt::format(",{}", option);
  }
  // Stacks that were seen are kept for the whole time: bounded, else a long application would grow.
  const std::string_view rest = has_bound ? ",clock=monotonic" : ",memlimit=256m,clock=monotonic";
  options.all += rest;
  options.beside_own_wall += rest;
  if (chooses_threads || options.wall_ns >= kOthersWallNs) options.wall_ns = 0;
  if (options.wall_ns == 0) options.beside_own_wall.clear();
  // Each thread has processor samples of its own, and about as many as ticks while it runs.
  if (is_by_thread && !leaves_out && interval_ns <= 2 * options.wall_ns) {
    options.processor_ns = interval_ns;
  }
  return options;
}

}  // namespace reprise
