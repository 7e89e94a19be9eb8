// Spans as the OpenTelemetry protocol sends them. Source: opentelemetry-proto 1, trace/v1.
#pragma once

#include <string>
#include <vector>

#include "telemetry/span.h"

namespace reprise {

/// An ExportTraceServiceRequest in Protocol Buffers: `spans` of `trace`, all of one resource.
/// Texts are UTF-8, as those of events are.
std::string OtlpRequest(const TraceContext& trace, const SpanAttributes& resource,
                        const std::vector<Span>& spans);

}  // namespace reprise
