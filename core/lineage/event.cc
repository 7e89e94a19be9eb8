#include "lineage/event.h"

#include <algorithm>

namespace reprise {

namespace {

// A traceback of Python ends with its error, anything else begins with it.
std::string_view TellingLine(std::string_view text) {
  const bool traceback = text.starts_with("Traceback (most recent call last)");
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  if (traceback) return text.substr(text.rfind('\n') + 1);
  return text.substr(0, text.find('\n'));
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
  run_ms += other.run_ms;
  cpu_ns += other.cpu_ns;
  gc_ms += other.gc_ms;
  deserialize_ms += other.deserialize_ms;
  result_bytes += other.result_bytes;
  spilled_memory_bytes += other.spilled_memory_bytes;
  spilled_disk_bytes += other.spilled_disk_bytes;
  input_bytes += other.input_bytes;
  input_rows += other.input_rows;
  output_bytes += other.output_bytes;
  output_rows += other.output_rows;
  shuffle_read_bytes += other.shuffle_read_bytes;
  shuffle_read_rows += other.shuffle_read_rows;
  shuffle_write_bytes += other.shuffle_write_bytes;
  shuffle_write_rows += other.shuffle_write_rows;
  return *this;
}

}  // namespace reprise
