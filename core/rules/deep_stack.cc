#include "rules/deep_stack.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <exception>

namespace reprise {

namespace {

constexpr size_t kStackBytes = size_t{64} << 20;
// More than any pass needs for one level of a plan's document, and what all need besides. The JVM
// keeps some pages at the end of its threads' stacks for itself.
constexpr size_t kLevelBytes = size_t{4} << 10;
constexpr size_t kReserveBytes = size_t{256} << 10;

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

// 0 where it is not known.
size_t StackBytesLeft() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  const int error = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const char here = 0;
  const char* const begin = static_cast<const char*>(lowest);
  if (error != 0 || &here < begin || &here >= begin + size) return 0;
  return static_cast<size_t>(&here - begin);
}

}  // namespace

Status RunOnStackFor(int64_t nesting, const std::function<void()>& function) {
  if (static_cast<size_t>(nesting) * kLevelBytes + kReserveBytes < StackBytesLeft()) {
    function();
    return Status::OK();
  }
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
