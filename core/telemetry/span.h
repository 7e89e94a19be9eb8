// Spans: what happened from when to when, within what, as distributed tracing knows it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace reprise {

using SpanAttribute = std::variant<std::string, int64_t, double, bool>;
using SpanAttributes = std::vector<std::pair<std::string, SpanAttribute>>;

struct Span {
  uint64_t id = 0;
  uint64_t parent = 0;  ///< 0: none
  std::string name;
  int64_t started_ms = 0;  ///< since 1970
  int64_t ended_ms = 0;
  SpanAttributes attributes;
  bool failed = false;
  std::string error;  ///< of one that failed
};

/// The trace that an application's spans belong to.
struct TraceContext {
  std::array<uint64_t, 2> trace = {};
  uint64_t parent = 0;  ///< the span that the application is part of; 0: none

  /// From a `traceparent` of W3C's Trace Context, "00-<32 hexadecimal digits>-<16>-<2>". What is
  /// none begins a trace of its own, as that document asks.
  static TraceContext Of(std::string_view traceparent);
};

}  // namespace reprise
