#include "report/live_report.h"

#include <mutex>

#include "eventlog/event_decoder.h"
#include "report/operator_labels.h"
#include "report/report_json.h"

namespace reprise {

class LiveReport::Impl {
 public:
  Impl(int64_t queries_max, int64_t stages_max)
      : queries_max_(queries_max), stages_max_(stages_max), decoder_({}) {}

  Status Add(std::string_view text) {
    const std::lock_guard lock(mutex_);
    line_.reserve(text.size() + kLinePaddingBytes);
    line_.assign(text);
    ARROW_ASSIGN_OR_RAISE(const Event* event,
                          decoder_.Decode({std::string_view(line_), ++number_, true}));
    if (event == nullptr) return Status::OK();
    model_.Apply(*event);
    if (std::holds_alternative<JobEnd>(*event) || std::holds_alternative<SqlExecutionEnd>(*event)) {
      model_.KeepNewest(queries_max_, stages_max_);
    }
    return Status::OK();
  }

  std::string Json() const {
    const std::lock_guard lock(mutex_);
    return ReportJson(BuildReport(model_, "LOG"))
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::string Labels(int64_t execution) const {
    const std::lock_guard lock(mutex_);
    const auto found = model_.executions().find(execution);
    if (found == model_.executions().end()) return "[]";
    return nlohmann::json(OperatorLabels(model_, found->second)).dump();
  }

 private:
  const int64_t queries_max_;
  const int64_t stages_max_;
  mutable std::mutex mutex_;
  EventDecoder decoder_;
  LogModel model_;
  std::string line_;
  int64_t number_ = 0;
};

LiveReport::LiveReport(int64_t queries_max, int64_t stages_max)
    : impl_(std::make_unique<Impl>(queries_max, stages_max)) {}
LiveReport::~LiveReport() = default;

Status LiveReport::Add(std::string_view event) { return impl_->Add(event); }
std::string LiveReport::Json() const { return impl_->Json(); }
std::string LiveReport::Labels(int64_t execution) const { return impl_->Labels(execution); }

}  // namespace reprise
