#include "rules/deep_stack.h"

#include <pthread.h>

#include <cstring>
#include <exception>

namespace reprise {

namespace {

constexpr size_t kStackBytes = size_t{64} << 20;

struct Call {
  const std::function<void()>* function;
  std::exception_ptr thrown;
};

void* Run(void* argument) {
  Call* call = static_cast<Call*>(argument);
  try {
    (*call->function)();
  } catch (...) {
    call->thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

Status RunOnDeepStack(const std::function<void()>& function) {
  Call call{&function, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, Run, &call);
  pthread_attr_destroy(&attributes);
  if (error != 0) return Status::UnknownError("cannot make a thread: ", std::strerror(error));
  pthread_join(thread, nullptr);
  if (call.thrown) std::rethrow_exception(call.thrown);
  return Status::OK();
}

}  // namespace reprise
