#include "jni/java_errors.h"

#include "base/error_context.h"
#include "jni/java_classes.h"
#include "jni/java_text.h"

namespace reprise {

namespace {

// Marks a Status that is to become an exception class of Java's own.
class JavaExceptionDetail : public arrow::StatusDetail {
 public:
  enum class Kind { kIllegalArgument, kIllegalState };
  explicit JavaExceptionDetail(Kind kind) : kind_(kind) {}
  const char* type_id() const override { return "reprise::JavaExceptionDetail"; }
  std::string ToString() const override {
    return kind_ == Kind::kIllegalArgument ? "IllegalArgumentException" : "IllegalStateException";
  }
  jclass java_class() const {
    return kind_ == Kind::kIllegalArgument ? Java().illegal_argument : Java().illegal_state;
  }

 private:
  Kind kind_;
};

// Carries what Java has thrown.
class ThrowableDetail : public arrow::StatusDetail {
 public:
  ThrowableDetail(JNIEnv* env, jthrowable throwable) : throwable_(env, throwable) {}
  const char* type_id() const override { return "reprise::ThrowableDetail"; }
  std::string ToString() const override { return "thrown by Java"; }
  jthrowable throwable() const { return static_cast<jthrowable>(throwable_.get()); }

 private:
  GlobalRef throwable_;
};

Status WithJavaException(JavaExceptionDetail::Kind kind, std::string message) {
  return Status(arrow::StatusCode::Invalid, std::move(message),
                std::make_shared<JavaExceptionDetail>(kind));
}

// Throws an exception of a class with a constructor (String). ThrowNew would take the message in
// modified UTF-8.
void ThrowOf(JNIEnv* env, jclass exception_class, const std::string& message) {
  jstring text = ToJava(env, message);
  if (text == nullptr) return;
  jmethodID constructor = env->GetMethodID(exception_class, "<init>", "(Ljava/lang/String;)V");
  if (constructor == nullptr) return;
  auto* exception = static_cast<jthrowable>(env->NewObject(exception_class, constructor, text));
  if (exception != nullptr) env->Throw(exception);
}

void ThrowNative(JNIEnv* env, const std::string& message, const SparkErrorDetail* detail,
                 const std::string& error_context = "") {
  const auto& java = Java();
  const size_t parameter_count = detail ? detail->parameters().size() : 0;
  jobjectArray parameters =
      env->NewObjectArray(static_cast<jsize>(2 * parameter_count), java.string, nullptr);
  jstring text = parameters ? ToJava(env, message) : nullptr;
  if (text == nullptr) return;
  jstring condition = nullptr;
  if (detail) {
    condition = ToJava(env, detail->condition());
    jsize next = 0;
    for (const auto& [name, value] : detail->parameters()) {
      for (const std::string& part : {name, value}) {
        jstring element = ToJava(env, part);
        if (element == nullptr) return;
        env->SetObjectArrayElement(parameters, next++, element);
        env->DeleteLocalRef(element);
      }
    }
  }
  jstring context = ToJava(env, error_context);
  if (context == nullptr) return;
  auto* exception = static_cast<jthrowable>(env->NewObject(
      java.native_exception, java.new_native_exception, text, condition, parameters, context));
  if (exception != nullptr) env->Throw(exception);
}

}  // namespace

Status IllegalArgument(std::string message) {
  return WithJavaException(JavaExceptionDetail::Kind::kIllegalArgument, std::move(message));
}

Status IllegalState(std::string message) {
  return WithJavaException(JavaExceptionDetail::Kind::kIllegalState, std::move(message));
}

Status ThrownByJava(JNIEnv* env, jthrowable throwable, std::string message) {
  return Status(arrow::StatusCode::ExecutionError, std::move(message),
                std::make_shared<ThrowableDetail>(env, throwable));
}

Status AsIllegalArgument(const Status& status) {
  const bool of_argument = status.IsInvalid() || status.IsNotImplemented();
  if (!of_argument || status.detail() != nullptr) return status;
  return IllegalArgument(status.message());
}

void ThrowToJava(JNIEnv* env, const Status& status) {
  if (env->ExceptionCheck()) return;
  if (auto* detail = dynamic_cast<const JavaExceptionDetail*>(status.detail().get())) {
    ThrowOf(env, detail->java_class(), status.message());
  } else if (auto* thrown = dynamic_cast<const ThrowableDetail*>(status.detail().get())) {
    env->Throw(thrown->throwable());
  } else if (status.IsCancelled()) {
    ThrowOf(env, Java().cancellation, status.message());
  } else if (status.IsOutOfMemory()) {
    ThrowNative(env, "out of native memory: " + status.message(), nullptr);
  } else {
    ThrowNative(env, status.message(), SparkErrorOf(status), ContextOf(status));
  }
}

void ThrowNativeException(JNIEnv* env, const std::string& message) {
  if (!env->ExceptionCheck()) ThrowNative(env, message, nullptr);
}

}  // namespace reprise
