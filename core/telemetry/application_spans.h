// The spans of a running application: of itself, its queries, their stages, tasks and operators.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "eventlog/event_feed.h"
#include "telemetry/span.h"

namespace reprise {

/// Told of events, makes spans of what has ended. An id is made of what a span is of, so that a
/// task, which ends first, knows the id of its stage. Any thread may call it.
///
///   application                    from its start to its end
///     query                        a query that runs within another is that one's child
///       stage attempt              one that is no query's is the application's child
///         task attempt
///         operator of the query    from the stage's start to its end: tasks compute operators
///                                  together. What was computed in no stage is the query's child
class ApplicationSpans {
 public:
  /// Of more spans between two calls of Take the newest tasks are left out.
  static constexpr size_t kSpansMax = 20'000;

  /// `service` names the application where several are looked at; "": its own name.
  ApplicationSpans(const TraceContext& trace, std::string service)
      : trace_(trace), service_(std::move(service)) {}

  /// An event as Spark's event log has it. Status::Invalid for one that is damaged.
  Status Add(std::string_view event);

  /// A request (telemetry/otlp_request.h) of what has ended since the last call; "": nothing has.
  std::string Take();

  /// What has ended since the last call.
  std::vector<Span> TakeSpans();

 private:
  uint64_t Id(std::string_view kind, int64_t first, int64_t second = 0) const;
  uint64_t ApplicationId() const { return Id("application", 0); }
  uint64_t ParentOfQuery(const SqlExecution& execution) const;
  uint64_t ParentOfStage(int64_t stage) const;

  void EndTask(const TaskEnd& task);
  void EndStage(const StageInfo& stage);
  void EndQuery(int64_t execution);
  void EndApplication();

  const TraceContext trace_;
  const std::string service_;
  std::mutex mutex_;
  EventFeed feed_;
  std::vector<Span> ended_;
  int64_t left_out_ = 0;  ///< tasks
};

}  // namespace reprise
