#include "eventlog/event.h"

#include <algorithm>

#include "base/first_line.h"
#include "base/python_error.h"

namespace reprise {

namespace {

// A traceback of Python ends with its error, anything else begins with it. Since Spark 4.2 a
// sentence stands before the traceback.
std::string_view TellingLine(std::string_view text) {
  const std::string_view first = FirstLine(text);
  if (first.find(kTracebackHeading) != std::string_view::npos) return PythonErrorLine(text);
  return first.substr(0, first.find_last_not_of(' ') + 1);
}

}  // namespace

std::string StorageLevel::ToString() const {
  if (!cached()) return "";
  if (off_heap) return "OFF_HEAP";
  const std::string_view kind = memory ? (disk ? "MEMORY_AND_DISK" : "MEMORY_ONLY") : "DISK_ONLY";
  // What is only on disk is always serialized, and its name does not say so.
  return fmt::format("{}{}{}", kind, memory && !deserialized ? "_SER" : "",
                     replication > 1 ? fmt::format("_{}", replication) : "");
}

std::string TaskFailure::ToString() const {
  std::string shown(reason.empty() ? std::string_view("unknown") : reason);
  if (!class_name.empty()) shown.append(": ").append(class_name);
  const std::string_view line = TellingLine(text);
  if (!line.empty()) shown.append(": ").append(line);
  return shown;
}

TaskFigures& TaskFigures::operator+=(const TaskFigures& other) {
  const auto add = [&](int64_t TaskFigures::*figure) {
    this->*figure = SaturatedSum(this->*figure, other.*figure);
  };
  add(&TaskFigures::run_ms);
  add(&TaskFigures::cpu_ns);
  add(&TaskFigures::gc_ms);
  add(&TaskFigures::deserialize_ms);
  add(&TaskFigures::result_bytes);
  add(&TaskFigures::fetch_wait_ms);
  peak_memory_bytes = std::max(peak_memory_bytes, other.peak_memory_bytes);
  add(&TaskFigures::spilled_memory_bytes);
  add(&TaskFigures::spilled_disk_bytes);
  add(&TaskFigures::input_bytes);
  add(&TaskFigures::input_rows);
  add(&TaskFigures::output_bytes);
  add(&TaskFigures::output_rows);
  add(&TaskFigures::shuffle_read_bytes);
  add(&TaskFigures::shuffle_read_rows);
  add(&TaskFigures::shuffle_write_bytes);
  add(&TaskFigures::shuffle_write_rows);
  return *this;
}

}  // namespace reprise
