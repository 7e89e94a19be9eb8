#include "base/fragment_trace.h"

namespace reprise {

FragmentTrace::FragmentTrace(std::shared_ptr<TraceFile> file, const TraceTask& task)
    : file_(std::move(file)),
      task_(task),
      recorder_(file_->Begin(task)),
      thread_(std::this_thread::get_id()) {}

FragmentTrace::~FragmentTrace() { (void)End(); }

void FragmentTrace::MoveToThisThread() {
  if (thread_ == std::this_thread::get_id() || recorder_ == nullptr) return;
  thread_ = std::this_thread::get_id();
  recorder_->set_lane(file_->LaneHere(task_));
}

Status FragmentTrace::End() {
  if (recorder_ == nullptr) return Status::OK();
  return file_->End(task_, std::move(recorder_));
}

}  // namespace reprise
