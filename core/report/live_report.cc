#include "report/live_report.h"

#include <mutex>

#include "eventlog/event_feed.h"
#include "report/operator_labels.h"
#include "report/report_json.h"

namespace reprise {

class LiveReport::Impl {
 public:
  Impl(int64_t queries_max, int64_t stages_max)
      : queries_max_(queries_max), stages_max_(stages_max) {}

  Status Add(std::string_view text) {
    const std::lock_guard lock(mutex_);
    ARROW_ASSIGN_OR_RAISE(const Event* event, feed_.Add(text));
    if (event == nullptr) return Status::OK();
    if (std::holds_alternative<JobEnd>(*event) || std::holds_alternative<SqlExecutionEnd>(*event)) {
      feed_.KeepNewest(queries_max_, stages_max_);
    }
    return Status::OK();
  }

  std::string Json() const {
    const std::lock_guard lock(mutex_);
    return ReportJson(BuildReport(feed_.model(), "LOG"))
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::string Labels(int64_t execution) const {
    const std::lock_guard lock(mutex_);
    const auto& executions = feed_.model().executions();
    const auto found = executions.find(execution);
    if (found == executions.end()) return "[]";
    return nlohmann::json(OperatorLabels(feed_.model(), found->second)).dump();
  }

 private:
  const int64_t queries_max_;
  const int64_t stages_max_;
  mutable std::mutex mutex_;
  EventFeed feed_;
};

LiveReport::LiveReport(int64_t queries_max, int64_t stages_max)
    : impl_(std::make_unique<Impl>(queries_max, stages_max)) {}
LiveReport::~LiveReport() = default;

Status LiveReport::Add(std::string_view event) { return impl_->Add(event); }
std::string LiveReport::Json() const { return impl_->Json(); }
std::string LiveReport::Labels(int64_t execution) const { return impl_->Labels(execution); }

}  // namespace reprise
