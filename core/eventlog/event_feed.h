// An application that is told of event by event, as while it runs.
#pragma once

#include <string>
#include <string_view>

#include "eventlog/event_decoder.h"
#include "eventlog/log_model.h"

namespace reprise {

/// Not for several threads at once.
class EventFeed {
 public:
  EventFeed() : decoder_({}) {}

  /// Takes an event as Spark's event log has it into the model. The event, valid until the next
  /// call; nullptr for kinds of which the model knows nothing. Status::Invalid for a damaged one.
  Result<const Event*> Add(std::string_view text);

  /// As LogModel::KeepNewest.
  void KeepNewest(int64_t queries, int64_t stages) { model_.KeepNewest(queries, stages); }

  const LogModel& model() const { return model_; }

 private:
  EventDecoder decoder_;
  LogModel model_;
  std::string line_;
  int64_t number_ = 0;
};

}  // namespace reprise
