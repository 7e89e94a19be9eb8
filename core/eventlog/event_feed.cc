#include "eventlog/event_feed.h"

namespace reprise {

Result<const Event*> EventFeed::Add(std::string_view text) {
  line_.reserve(text.size() + kLinePaddingBytes);
  line_.assign(text);
  ARROW_ASSIGN_OR_RAISE(const Event* event,
                        decoder_.Decode({std::string_view(line_), ++number_, true}));
  if (event != nullptr) model_.Apply(*event);
  return event;
}

}  // namespace reprise
