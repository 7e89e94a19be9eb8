// The report of an application that still runs, or that the history server reads: event by event.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// Any thread may call it.
class LiveReport {
 public:
  /// Of more queries and stages those are left out that ended first, as Spark's own pages do.
  LiveReport(int64_t queries_max, int64_t stages_max);
  ~LiveReport();

  /// An event as Spark's event log has it. Those of kinds that a report does not tell of are passed
  /// over. Status::Invalid for one that is damaged.
  Status Add(std::string_view event);

  /// What ReportJson tells of the application so far.
  std::string Json() const;

  /// OperatorLabels of a query as a JSON array; "[]" of one that is not known.
  std::string Labels(int64_t execution) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace reprise
