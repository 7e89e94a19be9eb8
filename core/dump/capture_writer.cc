#include "dump/capture_writer.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "dump/attempt_ring.h"
#include "dump/attempt_writer.h"
#include "dump/dump_path.h"
#include "dump/hidden_values.h"
#include "dump/meta.h"
#include "dump/sealed_json.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr char kPlace[] = "capture";

// What a record says of a failure; nothing of values where columns are masked.
RaisedError ErrorToRecord(const FailureOfTask& failure, std::optional<bool> here, bool is_masked) {
  RaisedError error = failure.error.empty() && !failure.raised.ok()
                          ? RaisedErrorOf(failure.raised)
                          : RaisedErrorFromText(failure.error);
  if (is_masked) error = WithoutValues(std::move(error));
  error.here = here;
  return error;
}

// Of a native operator: all its streams are seen by one object.
class OperatorCapture : public Capture {
 public:
  OperatorCapture(std::unique_ptr<AttemptSink> writer, std::string error_prefix, bool is_masked)
      : writer_(std::move(writer)), prefix_(std::move(error_prefix)), is_masked_(is_masked) {}

  Status OnInput(int input, const Batch& batch) override { return writer_->Add(input, batch); }
  Status OnInputEnd(int input) override {
    writer_->SetExhausted(input);
    return Status::OK();
  }
  Status OnOutput(const Batch& batch) override { return writer_->Add(kOutputStream, batch); }
  Status OnOutputEnd() override {
    writer_->SetExhausted(kOutputStream);
    return Status::OK();
  }
  // An error may have gone along with its row through other operators: its name tells whose it is.
  // Whether one that no row has, of memory say, comes again nobody knows.
  void OnFailure(const FailureOfTask& failure) override {
    std::optional<bool> here = failure.raised.message().starts_with(prefix_);
    if (*here && !IsOfRow(failure.raised)) here.reset();
    writer_->SetError(ErrorToRecord(failure, here, is_masked_));
  }
  Status Finish(CaptureEnd end) override { return writer_->Finish(end); }

 private:
  std::unique_ptr<AttemptSink> writer_;
  const std::string prefix_;
  const bool is_masked_;
};

// The record of an attempt that several recorders of the same task fill, perhaps on several
// threads. The last of them to finish ends it.
class SharedAttempt {
 public:
  explicit SharedAttempt(std::unique_ptr<AttemptSink> writer) : writer_(std::move(writer)) {}

  Status Add(int stream, const Batch& batch) {
    const std::lock_guard lock(mutex_);
    return writer_->Add(stream, batch);
  }

  void SetExhausted(int stream) {
    const std::lock_guard lock(mutex_);
    writer_->SetExhausted(stream);
  }

  // False where one of the streams is recorded already: a task that computes a partition twice.
  bool Join(const std::vector<int>& streams) {
    const std::lock_guard lock(mutex_);
    for (const int stream : streams) {
      if (std::ranges::find(joined_, stream) != joined_.end()) return false;
    }
    joined_.insert(joined_.end(), streams.begin(), streams.end());
    ++open_;
    return true;
  }

  // Of a fragment's operators one may know the error as its own.
  void FailInside(const FailureOfTask& failure, bool is_own, bool is_masked) {
    const std::lock_guard lock(mutex_);
    came_out_ |= is_own;
    std::optional<bool> here = came_out_;
    if (came_out_ && !IsOfRow(failure.raised)) here.reset();
    writer_->SetError(ErrorToRecord(failure, here, is_masked));
  }

  // One that comes out of the operator without having come into it is its own.
  void Fail(int stream, const FailureOfTask& failure, bool is_masked) {
    const std::lock_guard lock(mutex_);
    if (failure.is_from_input) (stream == kOutputStream ? came_out_ : came_in_) = true;
    const bool is_told = came_in_ || std::ranges::find(joined_, kOutputStream) != joined_.end();
    writer_->SetError(ErrorToRecord(
        failure, is_told ? std::optional(came_out_ && !came_in_) : std::nullopt, is_masked));
  }

  Status Leave(CaptureEnd end) {
    const std::lock_guard lock(mutex_);
    if (end_ != CaptureEnd::kFailed) end_ = end;
    return --open_ == 0 ? writer_->Finish(end_) : Status::OK();
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<AttemptSink> writer_;
  std::vector<int> joined_;
  bool came_in_ = false;   // the error, by an input
  bool came_out_ = false;  // by the output
  int open_ = 0;
  CaptureEnd end_ = CaptureEnd::kSucceeded;
};

// Writes at once, or keeps what comes until the attempt's end.
Result<std::unique_ptr<AttemptSink>> MakeSink(const AttemptToWrite& what,
                                              const TaskContext& context) {
  if (what.ring_bytes > 0) return std::make_unique<AttemptRing>(what, context);
  return AttemptWriter::Open(what, context);
}

// The attempts that recorders fill in this process, by folder, partition and attempt. An entry
// without a writer is of a partition that is not to be recorded.
class SharedAttempts {
 public:
  Result<std::shared_ptr<SharedAttempt>> Find(const AttemptToWrite& what,
                                              const TaskContext& context) {
    const std::lock_guard lock(mutex_);
    std::erase_if(attempts_, [](const auto& entry) { return entry.second.expired(); });
    const Key key(what.folder, what.streams[0].stream, context.partition, context.attempt);
    if (auto known = attempts_[key].lock()) return known;
    ARROW_ASSIGN_OR_RAISE(auto writer, MakeSink(what, context));
    if (writer == nullptr) return nullptr;
    auto attempt = std::make_shared<SharedAttempt>(std::move(writer));
    attempts_[key] = attempt;
    return attempt;
  }

 private:
  using Key = std::tuple<std::string, int, int, int64_t>;
  std::mutex mutex_;
  std::map<Key, std::weak_ptr<SharedAttempt>> attempts_;
};

SharedAttempts& Attempts() {
  static auto* const attempts = new SharedAttempts();
  return *attempts;
}

// Of an operator that Spark runs: what passes the recorder is one of its streams.
class RecorderCapture : public Capture {
 public:
  RecorderCapture(std::shared_ptr<SharedAttempt> attempt, int stream, bool is_masked)
      : attempt_(std::move(attempt)), stream_(stream), is_masked_(is_masked) {}

  Status OnInput(int, const Batch& batch) override { return attempt_->Add(stream_, batch); }
  Status OnInputEnd(int) override {
    attempt_->SetExhausted(stream_);
    return Status::OK();
  }
  Status OnOutput(const Batch&) override { return Status::OK(); }
  Status OnOutputEnd() override { return Status::OK(); }
  void OnFailure(const FailureOfTask& failure) override {
    attempt_->Fail(stream_, failure, is_masked_);
  }
  Status Finish(CaptureEnd end) override { return attempt_->Leave(end); }

 private:
  std::shared_ptr<SharedAttempt> attempt_;
  int stream_;
  const bool is_masked_;
};

// Of an operator of a fragment that is dumped: what enters and leaves the fragment here.
class FragmentPartCapture : public Capture {
 public:
  FragmentPartCapture(std::shared_ptr<SharedAttempt> attempt, std::vector<int> inputs,
                      bool has_output, std::string error_prefix, bool is_masked)
      : attempt_(std::move(attempt)),
        inputs_(std::move(inputs)),
        has_output_(has_output),
        prefix_(std::move(error_prefix)),
        is_masked_(is_masked) {}

  // A broadcast is recorded by a job of its own.
  bool needs_all() const override { return false; }
  Status OnInput(int input, const Batch& batch) override {
    const int stream = inputs_[static_cast<size_t>(input)];
    return stream < 0 ? Status::OK() : attempt_->Add(stream, batch);
  }
  Status OnInputEnd(int input) override {
    const int stream = inputs_[static_cast<size_t>(input)];
    if (stream >= 0) attempt_->SetExhausted(stream);
    return Status::OK();
  }
  Status OnOutput(const Batch& batch) override {
    return has_output_ ? attempt_->Add(kOutputStream, batch) : Status::OK();
  }
  Status OnOutputEnd() override {
    if (has_output_) attempt_->SetExhausted(kOutputStream);
    return Status::OK();
  }
  void OnFailure(const FailureOfTask& failure) override {
    attempt_->FailInside(failure, failure.raised.message().starts_with(prefix_), is_masked_);
  }
  Status Finish(CaptureEnd end) override { return attempt_->Leave(end); }

 private:
  std::shared_ptr<SharedAttempt> attempt_;
  const std::vector<int> inputs_;
  const bool has_output_;
  const std::string prefix_;
  const bool is_masked_;
};

Result<std::vector<int>> Numbers(const Json& capture, const char* member) {
  const auto found = capture.find(member);
  if (found == capture.end() || found->is_null()) return std::vector<int>();
  ARROW_ASSIGN_OR_RAISE(const Json* list, ArrayMember(capture, member, kPlace));
  return PartitionListFromJson(*list, kPlace);
}

Result<bool> IsListed(const Json& capture, int partition) {
  if (!capture.contains("partitions") || capture["partitions"].is_null()) return true;
  ARROW_ASSIGN_OR_RAISE(const std::vector<int> partitions, Numbers(capture, "partitions"));
  return std::ranges::find(partitions, partition) != partitions.end();
}

Result<int> ParseStream(const Json& stream) {
  if (stream == Json(StreamName(kOutputStream))) return kOutputStream;
  if (stream.is_number_integer()) return stream.get<int>();
  return Status::Invalid(kPlace, ": a stream must be an input's number or \"output\", not ",
                         stream.dump());
}

// {"0":[FIELD…],"output":[FIELD…]}: inputs in order, then the output.
Result<std::vector<StreamToWrite>> StreamsFromJson(const Json& json) {
  std::vector<StreamToWrite> streams;
  for (const auto& [name, fields] : json.items()) {
    const bool is_output = name == StreamName(kOutputStream);
    ARROW_ASSIGN_OR_RAISE(auto schema, FieldsFromJson(fields));
    const StreamToWrite stream{is_output ? kOutputStream : std::atoi(name.c_str()),
                               std::move(schema)};
    streams.insert(is_output ? streams.end()
                             : std::ranges::find_if(streams,
                                                    [&](const StreamToWrite& other) {
                                                      return other.stream == kOutputStream ||
                                                             other.stream > stream.stream;
                                                    }),
                   stream);
  }
  return streams;
}

Result<std::vector<StreamToWrite>> StreamsOf(const OperatorSpec& spec, const Json& capture) {
  if (capture.contains("streams")) return StreamsFromJson(capture["streams"]);
  ARROW_ASSIGN_OR_RAISE(const std::vector<int> shared, Numbers(capture, "shared"));
  ARROW_ASSIGN_OR_RAISE(const bool output, BooleanMember(capture, "output", kPlace));
  std::vector<StreamToWrite> streams;
  for (int i = 0; i < static_cast<int>(spec.inputs.size()); ++i) {
    if (std::ranges::find(shared, i) != shared.end()) continue;
    streams.push_back({i, spec.inputs[i]});
  }
  if (output) streams.push_back({kOutputStream, spec.output});
  return streams;
}

// The streams of `what` that one operator of a fragment sees.
Result<std::unique_ptr<Capture>> MakePart(const OperatorSpec& spec, const Json& capture,
                                          const AttemptToWrite& what, bool is_masked,
                                          const TaskContext& context) {
  const auto is_recorded = [&](int stream) {
    return std::ranges::find(what.streams, stream, &StreamToWrite::stream) != what.streams.end();
  };
  std::vector<int> inputs;
  std::vector<int> streams;
  for (const Json& number : capture["part"].at("inputs")) {
    const int stream = number.get<int>();
    inputs.push_back(stream >= 0 && is_recorded(stream) ? stream : -1);
    if (inputs.back() >= 0) streams.push_back(inputs.back());
  }
  const bool has_output = capture["part"].at("output").get<bool>() && is_recorded(kOutputStream);
  if (has_output) streams.push_back(kOutputStream);
  ARROW_ASSIGN_OR_RAISE(auto attempt, Attempts().Find(what, context));
  if (attempt == nullptr || !attempt->Join(streams)) return nullptr;
  return std::make_unique<FragmentPartCapture>(std::move(attempt), std::move(inputs), has_output,
                                               ErrorPrefix(spec), is_masked);
}

}  // namespace

Result<std::unique_ptr<Capture>> MakeDumpCapture(const OperatorSpec& spec, const Json& capture,
                                                 const TaskContext& context) {
  if (!capture.is_object()) return Status::Invalid("capture must be an object");
  ARROW_ASSIGN_OR_RAISE(const std::string uri, StringMember(capture, "path", kPlace));
  ARROW_ASSIGN_OR_RAISE(DumpPlace place, OpenDumpPlace(uri));
  AttemptToWrite what;
  ARROW_ASSIGN_OR_RAISE(what.lore_id, IntegerMember(capture, "loreId", kPlace));
  what.store = std::move(place.store);
  what.folder = Within(place.path, OperatorFolder(what.lore_id));
  ARROW_ASSIGN_OR_RAISE(what.streams, StreamsOf(spec, capture));
  ARROW_ASSIGN_OR_RAISE(const bool listed, IsListed(capture, context.partition));
  if (!listed || what.streams.empty()) return nullptr;
  what.limits.rows = capture.value("maxRows", what.limits.rows);
  what.limits.bytes = capture.value("maxBytes", what.limits.bytes);
  what.digest_only = !capture.value("data", true);
  what.ring_bytes = capture.value("ringBytes", int64_t{0});
  ARROW_ASSIGN_OR_RAISE(what.wanted, ParseCapturedTasks(capture.value("when", "always")));
  what.masks = capture.value("mask", Json());
  what.secret = capture.value("secret", "");
  what.leaf = capture.value("leaf", Json());
  ARROW_ASSIGN_OR_RAISE(const HiddenValues hidden, HiddenValues::Of(capture));
  hidden.HideInLeaf(&what.leaf);
  what.masks = hidden.WithHiddenNames(what.masks);
  for (StreamToWrite& stream : what.streams) hidden.HideInNames(&stream.schema);
  const bool is_masked = capture.contains("mask");
  if (capture.contains("part")) return MakePart(spec, capture, what, is_masked, context);
  if (!capture.contains("stream")) {
    ARROW_ASSIGN_OR_RAISE(auto writer, MakeSink(what, context));
    if (writer == nullptr) return nullptr;
    return std::make_unique<OperatorCapture>(std::move(writer), ErrorPrefix(spec), is_masked);
  }
  ARROW_ASSIGN_OR_RAISE(const int stream, ParseStream(capture["stream"]));
  ARROW_ASSIGN_OR_RAISE(auto attempt, Attempts().Find(what, context));
  if (attempt == nullptr || !attempt->Join({stream})) return nullptr;
  return std::make_unique<RecorderCapture>(std::move(attempt), stream, is_masked);
}

}  // namespace reprise
