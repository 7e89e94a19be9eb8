#include "operators/operator.h"

#include <filesystem>

#include "base/check.h"
#include "base/operator_log.h"
#include "base/trace.h"

namespace reprise {

namespace {

std::shared_ptr<arrow::Schema> CheckedSchema(const OperatorSpec& spec) {
  auto schema = ToArrowSchema(spec.output);
  REPRISE_CHECK(schema.ok(), "{}: output has a type without native form: {}", spec.name,
                schema.status().message());
  return *schema;
}

constexpr TraceRange kCaptureRange = {"capture", "dump"};

const TraceRange* TraceRangeOf(const OperatorSpec& spec, const TaskContext& context) {
  if (context.trace == nullptr) return nullptr;
  const std::string name =
      spec.lore_id == 0 ? spec.name : fmt::format("{} [loreId={}]", spec.name, spec.lore_id);
  const nlohmann::json arguments = {{"operator", spec.name},          {"kind", spec.kind},
                                    {"loreId", spec.lore_id},         {"stage", context.stage},
                                    {"partition", context.partition}, {"attempt", context.attempt}};
  const std::string text = arguments.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return &context.trace->Describe(name, "operator", {"rows", "bytes", "batch"},
                                  std::string_view(text).substr(1, text.size() - 2));
}

}  // namespace

std::string ErrorPrefix(const OperatorSpec& spec) {
  if (spec.lore_id == 0) return spec.name + ": ";
  return fmt::format("{} (LORE id {}): ", spec.name, spec.lore_id);
}

SpillStorage SpillStorageOf(const TaskContext& context) {
  SpillStorage storage = context.spill_storage;
  if (storage.directories.empty()) {
    storage.directories = {std::filesystem::temp_directory_path().string()};
  }
  return storage;
}

Operator::Operator(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                   const TaskContext& context)
    : spec_(std::move(spec)),
      output_schema_(CheckedSchema(spec_)),
      inputs_(std::move(inputs)),
      context_(context),
      trace_range_(TraceRangeOf(spec_, context)) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    inputs_[i]->consumer_ = this;
    inputs_[i]->consumer_input_ = static_cast<int>(i);
  }
  if (context_.memory != nullptr) context_.memory->Register(this);
}

Operator::~Operator() {
  if (context_.memory != nullptr) context_.memory->Unregister(this);
}

std::string Operator::MemoryName() const {
  const std::string prefix = ErrorPrefix(spec_);
  return prefix.substr(0, prefix.size() - std::string_view(": ").size());
}

void Operator::CountSpilled(int64_t disk_bytes) {
  metrics_.spilled_disk_bytes += disk_bytes;
  if (context_.memory != nullptr) context_.memory->CountSpilledToDisk(disk_bytes);
}

void Operator::set_checksummed_as(int64_t lore_id) {
  checksummed_ = std::make_unique<ChecksummedOutput>(lore_id, output_schema_->num_fields());
  if (inputs_.size() != 1 || inputs_[0]->checksummed_ == nullptr) return;
  ChecksummedOutput* below = inputs_[0]->checksummed_.get();
  // With as many columns as it reads it may be a filter.
  if (inputs_[0]->output_schema_->num_fields() == output_schema_->num_fields()) {
    below->checksummer.KeepLast();
    checksummed_->below = &below->checksummer;
  }
}

Result<std::optional<Batch>> Operator::Next() {
  if (at_end_) return std::nullopt;
  RETURN_NOT_OK(due_value_.status());
  RETURN_NOT_OK(context_.CheckCancelled());
  TraceScope range(context_.trace, trace_range_);
  const OperatorScope profiled(spec_.lore_id);
  const int64_t start = MonotonicNs();
  elsewhere_ns_ = 0;
  Result<std::optional<Batch>> result = [this] {
    const ComputingScope computes(context_.memory, this);
    return NextWithinBounds();
  }();
  metrics_.own_time_ns += MonotonicNs() - start - elsewhere_ns_;
  if (!result.ok()) {
    // An error from below already carries the name of the operator that it is from.
    if (result.status().IsCancelled() || error_from_input_) return result;
    return WithPrefix(result.status(), ErrorPrefix(spec_));
  }
  if (!result->has_value()) {
    at_end_ = true;
    range.Count(0, 0);
    if (checksummed_) checksummed_->complete = true;
    if (capture_) RETURN_NOT_OK(capture_->OnOutputEnd());
    return result;
  }
  if ((*result)->errors != nullptr) RETURN_NOT_OK(EndAtUsedError(&**result));
  const Batch& batch = **result;
  const int64_t rows = batch.selected_count();
  const int64_t bytes = is_piece_ ? PlainBytes(batch) : ByteSize(batch);
  range.Count(rows, bytes, metrics_.output_batches);
  metrics_.output_rows += rows;
  metrics_.output_batches += 1;
  metrics_.output_bytes += bytes;
  if (context_.activity != nullptr) context_.activity->Note(*this, rows, bytes);
  if (checksummed_) RETURN_NOT_OK(checksummed_->Add(WithoutErrors(batch)));
  if (capture_) {
    const TraceScope captures(context_.trace, kCaptureRange);
    RETURN_NOT_OK(capture_->OnOutput(WithoutErrors(batch)));
  }
  return result;
}

ValueErrors Operator::Named(ValueErrors errors) const {
  for (ValueError& error : errors) error.status = WithPrefix(error.status, ErrorPrefix(spec_));
  return errors;
}

// Leaves the rows before the first with an error in place of a value that is used above.
Status Operator::EndAtUsedError(Batch* batch) {
  if (drops_errors_) {
    for (const ValueError& error : ErrorsByPlace(*batch)) {
      if (on_dropped_) on_dropped_(error.status);
    }
    *batch = WithoutErrors(*batch);
    return Status::OK();
  }
  return due_value_.EndAtValue(batch, [this](int column) {
    return consumer_ == nullptr || !consumer_->hands_on(consumer_input_, column);
  });
}

Result<std::optional<Batch>> Operator::NextWithinBounds() {
  is_piece_ = true;
  if (!rest_.has_more()) {
    ARROW_ASSIGN_OR_RAISE(auto batch, NextBatch());
    is_piece_ = batch.has_value() && may_be_cut() && !IsWithin(*batch, bounds());
    if (!is_piece_) return batch;
    rest_.Start(*std::move(batch));
  }
  ARROW_ASSIGN_OR_RAISE(Batch piece, rest_.Next(bounds(), pool()));
  return piece;
}

Result<std::optional<Batch>> Operator::Pull(int index) {
  const int64_t start = MonotonicNs();
  Result<std::optional<Batch>> result = [this, index] {
    const ComputingScope waits(context_.memory, this, /*computes=*/false);
    return inputs_[index]->Next();
  }();
  if (result.ok() && capture_) {
    const TraceScope captures(context_.trace, kCaptureRange);
    const Status captured = result->has_value() ? capture_->OnInput(index, WithoutErrors(**result))
                                                : capture_->OnInputEnd(index);
    if (!captured.ok()) result = captured;
  }
  error_from_input_ = !result.ok();
  elsewhere_ns_ += MonotonicNs() - start;
  return result;
}

void Operator::TellFailure(const FailureOfTask& failure) {
  for (const auto& input : inputs_) input->TellFailure(failure);
  if (!capture_) return;
  FailureOfTask here = failure;
  here.is_from_input = error_from_input_;
  capture_->OnFailure(here);
}

Status Operator::Finish(CaptureEnd end) {
  Status status;
  for (const auto& input : inputs_) status &= input->Finish(end);
  if (capture_) status &= capture_->Finish(end);
  return status;
}

}  // namespace reprise
