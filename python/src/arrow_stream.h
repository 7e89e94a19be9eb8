// Hands record batches to Python as a capsule of Arrow's C stream interface.
#pragma once

#include <arrow/record_batch.h>
#include <nanobind/nanobind.h>

#include <memory>

namespace reprise {

/// A PyCapsule named "arrow_array_stream", as `__arrow_c_stream__` returns it. Whoever imports it
/// owns the stream; one that nobody imports is released with the capsule.
nanobind::capsule ToStreamCapsule(std::shared_ptr<arrow::RecordBatchReader> reader);

}  // namespace reprise
