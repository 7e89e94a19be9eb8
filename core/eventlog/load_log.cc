#include "eventlog/load_log.h"

#include "eventlog/event_decoder.h"

namespace reprise {

namespace {

constexpr int64_t kProgressLines = 1000;

}  // namespace

Result<LoadedLog> LoadLog(const std::string& path, const LoadOptions& options) {
  LoadedLog loaded;
  ARROW_ASSIGN_OR_RAISE(loaded.files, FindEventLog(path));
  RETURN_NOT_OK(ExpectEventLog(loaded.files));
  EventLogReader reader(loaded.files);
  EventDecoder decoder({options.tasks, options.sql, options.task_accumulators});
  for (;;) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<LogLine> line, reader.Next());
    if (!line) break;
    const Result<const Event*> event = decoder.Decode(*line);
    if (!event.ok()) {
      reader.Damaged(event.status().message());
      continue;
    }
    if (*event != nullptr) loaded.model.Apply(**event);
    if (++loaded.events % kProgressLines == 0 && options.progress) {
      options.progress(reader.position(), loaded.files.bytes);
    }
  }
  loaded.damages = reader.damages();
  loaded.codec = reader.codec();
  loaded.text_bytes = reader.text_bytes();
  return loaded;
}

}  // namespace reprise
