// replayed_operator: an operator of Spark's in a replay.
//
// Input: none; Spark reads the record by itself. Output: the rows that Spark gives, as batches.
// Example: a Generate over the recorded row [[1, 2]] gives the batch {1, 2}.
#include "jni/replayed_operator.h"

#include "dump/dump_input.h"
#include "dump/raised_error.h"
#include "dump/record_input.h"
#include "jni/java_classes.h"
#include "jni/java_text.h"
#include "operators/row_input.h"
#include "vocabulary/kinds.h"

namespace reprise {

namespace {

// An exception's text without the frames of Java's stack, which are Spark's and ours. Those of
// Python, which are the user's, stay.
std::string WithoutFrames(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_frame = line.starts_with("\tat ") || line.starts_with("\t... ") || line.empty() ||
                          line == "Driver stacktrace:";
    if (!is_frame) kept += fmt::format("{}{}", kept.empty() ? "" : "\n", line);
  }
  return kept;
}

// What is to be compared of what `operator_object` has thrown; null: there is none yet.
Result<RaisedError> Told(JNIEnv* env, jobject operator_object, jthrowable thrown) {
  if (operator_object == nullptr) return RaisedError();
  auto json = static_cast<jstring>(env->CallObjectMethod(operator_object, Java().told, thrown));
  if (env->ExceptionCheck()) env->ExceptionClear();
  if (json == nullptr) return RaisedError();
  ARROW_ASSIGN_OR_RAISE(const std::string text, FromJava(env, json, "error"));
  env->DeleteLocalRef(json);
  return RaisedErrorFromText(text);
}

// The pending Java exception as an error of the operator.
Status TakeThrown(JNIEnv* env, jobject operator_object) {
  jthrowable thrown = env->ExceptionOccurred();
  env->ExceptionClear();
  ARROW_ASSIGN_OR_RAISE(const RaisedError error, Told(env, operator_object, thrown));
  auto text = static_cast<jstring>(env->CallObjectMethod(thrown, Java().throwable_text));
  if (env->ExceptionCheck()) env->ExceptionClear();
  env->DeleteLocalRef(thrown);
  if (text == nullptr) return Status::ExecutionError("Java has thrown");
  ARROW_ASSIGN_OR_RAISE(const std::string message, FromJava(env, text, "message"));
  env->DeleteLocalRef(text);
  if (message.find(RecordEndText()) != std::string::npos) return RecordEnd();
  return RaisedStatus(error, WithoutFrames(message));
}

class ReplayedRows : public RowSource {
 public:
  // `error` receives what Java throws; to the reader the rows are at their end there.
  ReplayedRows(jobject operator_object, int partition, int64_t attempt,
               std::shared_ptr<Status> error)
      : operator_(operator_object),
        partition_(partition),
        attempt_(attempt),
        error_(std::move(error)) {}

  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    JNIEnv* env = CurrentEnv();
    if (env == nullptr) return Status::Invalid("a replay ran on a thread that is not the JVM's");
    if (source_.get() == nullptr) *error_ = Open(env);
    if (!error_->ok()) return Filled{0, 0};
    const jint filled = env->CallIntMethod(
        source_.get(), Java().fill, reinterpret_cast<jlong>(rows), static_cast<jlong>(capacity),
        reinterpret_cast<jlong>(lengths), static_cast<jint>(rows_max));
    if (env->ExceptionCheck()) {
      *error_ = TakeThrown(env, operator_);
      return Filled{0, 0};
    }
    if (filled >= 0) return Filled{filled, 0};
    return Filled{0, -static_cast<int64_t>(filled)};
  }

 private:
  Status Open(JNIEnv* env) {
    jobject source =
        env->CallObjectMethod(operator_, Java().open_replayed, static_cast<jint>(partition_),
                              static_cast<jlong>(attempt_));
    if (env->ExceptionCheck()) return TakeThrown(env, operator_);
    if (source == nullptr) return Status::Invalid("ReplayedOperator.open has given nothing");
    source_ = GlobalRef(env, source);
    env->DeleteLocalRef(source);
    return Status::OK();
  }

  jobject operator_;
  int partition_;
  int64_t attempt_;
  std::shared_ptr<Status> error_;
  GlobalRef source_;
};

// Its own time is all of the time that Spark takes, with reading the record.
class ReplayedOperator : public Operator {
 public:
  ReplayedOperator(OperatorSpec spec, std::unique_ptr<Operator> rows, std::shared_ptr<Status> error,
                   const TaskContext& context)
      : Operator(std::move(spec), {}, context), rows_(std::move(rows)), error_(std::move(error)) {}

 protected:
  // The rows before an error are rows of its output.
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(auto batch, rows_->Next());
    if (!batch) RETURN_NOT_OK(*error_);
    return batch;
  }

 private:
  std::unique_ptr<Operator> rows_;
  std::shared_ptr<Status> error_;
};

}  // namespace

OperatorFactory ReplayInJava(jobject operator_object, std::optional<int64_t> attempt) {
  return
      [operator_object, attempt](OperatorSpec spec, std::vector<std::unique_ptr<Operator>>,
                                 const TaskContext& context) -> Result<std::unique_ptr<Operator>> {
        OperatorSpec leaf;
        leaf.kind = kRowInputKind;
        leaf.name = "Spark";
        leaf.output = spec.output;
        auto error = std::make_shared<Status>();
        auto source = std::make_unique<ReplayedRows>(operator_object, context.partition,
                                                     attempt.value_or(-1), error);
        ARROW_ASSIGN_OR_RAISE(auto rows, MakeRowInput(std::move(leaf), std::move(source), context));
        spec.inputs.clear();
        return std::make_unique<ReplayedOperator>(std::move(spec), std::move(rows),
                                                  std::move(error), context);
      };
}

Result<OperatorFactory> OpenInJava(jobject dumps, const std::string& folder) {
  JNIEnv* env = CurrentEnv();
  if (env == nullptr) return Status::Invalid("a replay ran on a thread that is not the JVM's");
  jstring text = ToJava(env, folder);
  if (text == nullptr) return TakeThrown(env, nullptr);
  jobject opened = env->CallObjectMethod(dumps, Java().open_dump, text);
  env->DeleteLocalRef(text);
  if (env->ExceptionCheck()) return TakeThrown(env, nullptr);
  const auto kept = std::make_shared<GlobalRef>(env, opened);
  env->DeleteLocalRef(opened);
  const OperatorFactory make = ReplayInJava(kept->get(), std::nullopt);
  return [kept, make](OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                      const TaskContext& context) {
    return make(std::move(spec), std::move(inputs), context);
  };
}

}  // namespace reprise
