#include "arrow_stream.h"

#include <arrow/c/abi.h>
#include <arrow/c/bridge.h>

#include "raise.h"
#include "wide_decimals.h"

namespace reprise {

namespace {

constexpr char kName[] = "arrow_array_stream";

void Release(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kName));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

class WideRows : public arrow::RecordBatchReader {
 public:
  explicit WideRows(std::shared_ptr<arrow::RecordBatchReader> rows)
      : rows_(std::move(rows)), schema_(WideDecimals(*rows_->schema())) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    RETURN_NOT_OK(rows_->ReadNext(batch));
    if (*batch == nullptr) return Status::OK();
    return WideDecimals(**batch, schema_).Value(batch);
  }

 private:
  std::shared_ptr<arrow::RecordBatchReader> rows_;
  std::shared_ptr<arrow::Schema> schema_;
};

}  // namespace

PyObject* ToStreamCapsule(std::shared_ptr<arrow::RecordBatchReader> reader, Decimals decimals) {
  if (decimals == Decimals::kWide) reader = std::make_shared<WideRows>(std::move(reader));
  auto stream = std::make_unique<ArrowArrayStream>();
  stream->release = nullptr;
  RaiseIfFailed(arrow::ExportRecordBatchReader(std::move(reader), stream.get()));
  PyObject* capsule = PyCapsule_New(stream.get(), kName, Release);
  if (capsule == nullptr) throw PythonError();
  stream.release();
  return capsule;
}

}  // namespace reprise
