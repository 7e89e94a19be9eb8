// A line of an event log to an event.
#pragma once

#include <memory>
#include <string_view>

#include "base/status.h"
#include "eventlog/event.h"
#include "eventlog/event_log_reader.h"

namespace reprise {

/// Decodes line after line. Most lines of a log are of kinds that nobody asked for: these are told
/// by their first bytes and never parsed.
class EventDecoder {
 public:
  struct Wanted {
    bool tasks = true;               ///< TaskEnd
    bool sql = true;                 ///< queries and their plans, Reprise's verdicts
    bool task_accumulators = false;  ///< which accumulators each task updated (slower)
  };
  explicit EventDecoder(Wanted wanted);
  ~EventDecoder();

  /// The event, valid until the next call; nullptr for kinds that are not wanted. Status::Invalid,
  /// which says what is wrong, for a damaged line.
  Result<const Event*> Decode(const LogLine& line);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The name in `{"Event":"…`; empty where the line does not begin so. Texts before a name's last
/// point, as of org.apache.spark.sql's events, are part of it.
std::string_view EventNameOf(std::string_view line);

}  // namespace reprise
