#include "telemetry/otlp_request.h"

#include <bit>
#include <protozero/pbf_builder.hpp>

namespace reprise {

namespace {

// Fields by their numbers.
enum class Request : protozero::pbf_tag_type { kResourceSpans = 1 };
enum class ResourceSpans : protozero::pbf_tag_type { kResource = 1, kScopeSpans = 2 };
enum class Resource : protozero::pbf_tag_type { kAttributes = 1 };
enum class ScopeSpans : protozero::pbf_tag_type { kScope = 1, kSpans = 2 };
enum class Scope : protozero::pbf_tag_type { kName = 1, kVersion = 2 };
enum class SpanField : protozero::pbf_tag_type {
  kTrace = 1,
  kSpan = 2,
  kParent = 4,
  kName = 5,
  kKind = 6,
  kStart = 7,
  kEnd = 8,
  kAttributes = 9,
  kStatus = 15
};
enum class StatusField : protozero::pbf_tag_type { kMessage = 2, kCode = 3 };
enum class KeyValue : protozero::pbf_tag_type { kKey = 1, kValue = 2 };
enum class AnyValue : protozero::pbf_tag_type {
  kText = 1,
  kBoolean = 2,
  kInteger = 3,
  kDouble = 4
};

constexpr int32_t kInternal = 1;  // SpanKind
constexpr int32_t kError = 2;     // StatusCode

// Ids are bytes, the most significant first.
std::string BytesOf(uint64_t id) {
  std::string bytes(sizeof(id), '\0');
  for (size_t i = 0; i < sizeof(id); ++i)
    bytes[sizeof(id) - 1 - i] = static_cast<char>(id >> 8 * i);
  return bytes;
}

template <class Message, class Field>
void AddAttributes(protozero::pbf_builder<Message>* to, Field field,
                   const SpanAttributes& attributes) {
  for (const auto& [key, value] : attributes) {
    protozero::pbf_builder<KeyValue> pair(*to, field);
    pair.add_string(KeyValue::kKey, key);
    protozero::pbf_builder<AnyValue> any(pair, KeyValue::kValue);
    if (const auto* text = std::get_if<std::string>(&value)) {
      any.add_string(AnyValue::kText, *text);
    } else if (const auto* integer = std::get_if<int64_t>(&value)) {
      any.add_int64(AnyValue::kInteger, *integer);
    } else if (const auto* number = std::get_if<double>(&value)) {
      any.add_double(AnyValue::kDouble, *number);
    } else {
      any.add_bool(AnyValue::kBoolean, std::get<bool>(value));
    }
  }
}

uint64_t Nanoseconds(int64_t ms) {
  constexpr uint64_t kNanosecondsPerMs = 1'000'000;
  return static_cast<uint64_t>(std::max<int64_t>(ms, 0)) * kNanosecondsPerMs;
}

void AddSpan(protozero::pbf_builder<ScopeSpans>* to, const std::string& trace, const Span& span) {
  protozero::pbf_builder<SpanField> message(*to, ScopeSpans::kSpans);
  message.add_bytes(SpanField::kTrace, trace);
  message.add_bytes(SpanField::kSpan, BytesOf(span.id));
  if (span.parent != 0) message.add_bytes(SpanField::kParent, BytesOf(span.parent));
  message.add_string(SpanField::kName, span.name);
  message.add_enum(SpanField::kKind, kInternal);
  message.add_fixed64(SpanField::kStart, Nanoseconds(span.started_ms));
  message.add_fixed64(SpanField::kEnd, Nanoseconds(std::max(span.ended_ms, span.started_ms)));
  AddAttributes(&message, SpanField::kAttributes, span.attributes);
  if (!span.failed) return;
  protozero::pbf_builder<StatusField> status(message, SpanField::kStatus);
  status.add_string(StatusField::kMessage, span.error);
  status.add_enum(StatusField::kCode, kError);
}

}  // namespace

std::string OtlpRequest(const TraceContext& trace, const SpanAttributes& resource,
                        const std::vector<Span>& spans) {
  const std::string trace_id = BytesOf(trace.trace[0]) + BytesOf(trace.trace[1]);
  std::string bytes;
  protozero::pbf_builder<Request> request(bytes);
  protozero::pbf_builder<ResourceSpans> of_resource(request, Request::kResourceSpans);
  {
    protozero::pbf_builder<Resource> message(of_resource, ResourceSpans::kResource);
    AddAttributes(&message, Resource::kAttributes, resource);
  }
  protozero::pbf_builder<ScopeSpans> of_scope(of_resource, ResourceSpans::kScopeSpans);
  {
    protozero::pbf_builder<Scope> scope(of_scope, ScopeSpans::kScope);
    scope.add_string(Scope::kName, "reprise");
    scope.add_string(Scope::kVersion, REPRISE_VERSION);
  }
  for (const Span& span : spans) AddSpan(&of_scope, trace_id, span);
  return bytes;
}

}  // namespace reprise
