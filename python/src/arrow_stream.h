// Hands record batches to Python as a capsule of Arrow's C stream interface.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <arrow/record_batch.h>

#include <memory>

namespace reprise {

/// Whether decimals of up to 18 digits are decimal64, as the core has them, or decimal128.
enum class Decimals { kAsTheyAre, kWide };

/// A PyCapsule named "arrow_array_stream", as `__arrow_c_stream__` returns it: a new reference.
/// Whoever imports it owns the stream; one that nobody imports is released with the capsule.
PyObject* ToStreamCapsule(std::shared_ptr<arrow::RecordBatchReader> reader, Decimals decimals);

}  // namespace reprise
