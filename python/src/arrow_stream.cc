#include "arrow_stream.h"

#include <arrow/c/abi.h>
#include <arrow/c/bridge.h>

#include "raise.h"

namespace reprise {

namespace {

void Release(void* pointer) noexcept {
  auto* stream = static_cast<ArrowArrayStream*>(pointer);
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

}  // namespace

nanobind::capsule ToStreamCapsule(std::shared_ptr<arrow::RecordBatchReader> reader) {
  auto stream = std::make_unique<ArrowArrayStream>();
  stream->release = nullptr;
  RaiseIfFailed(arrow::ExportRecordBatchReader(std::move(reader), stream.get()));
  return nanobind::capsule(stream.release(), "arrow_array_stream", Release);
}

}  // namespace reprise
