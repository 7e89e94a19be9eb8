#include <random>

#include "checksums/digest.h"
#include "telemetry/span.h"

namespace reprise {

namespace {

TraceContext NewTrace() {
  std::random_device device;
  std::uniform_int_distribution<uint64_t> any(1);
  return {.trace = {any(device), any(device)}, .parent = 0};
}

}  // namespace

TraceContext TraceContext::Of(std::string_view traceparent) {
  constexpr size_t kTrace = 3;    // behind the version
  constexpr size_t kDigits = 16;  // of 64 bits
  constexpr size_t kParent = kTrace + 2 * kDigits + 1;
  constexpr size_t kFlags = kParent + kDigits + 1;
  constexpr size_t kSize = kFlags + 2;
  const bool is_whole = traceparent.size() >= kSize && traceparent.starts_with("00-") &&
                        traceparent[kParent - 1] == '-' && traceparent[kFlags - 1] == '-';
  TraceContext context;
  if (!is_whole || !ParseHex(traceparent.substr(kTrace, kDigits), &context.trace[0]) ||
      !ParseHex(traceparent.substr(kTrace + kDigits, kDigits), &context.trace[1]) ||
      !ParseHex(traceparent.substr(kParent, kDigits), &context.parent) || context.parent == 0 ||
      context.trace == std::array<uint64_t, 2>{}) {
    return NewTrace();
  }
  return context;
}

}  // namespace reprise
