#include "transitions/partition_values.h"

#include <arrow/array/array_base.h>
#include <arrow/util/base64.h>

#include <limits>

#include "transitions/row_decoder.h"

namespace reprise {

Result<std::vector<std::shared_ptr<arrow::Scalar>>> DecodePartitionValues(
    std::string_view base64, const std::vector<Field>& fields) {
  auto row = arrow::util::base64_decode(base64);
  if (!row.ok()) return WithPrefix(row.status(), "partition values: ");
  if (row->size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return Status::Invalid("partition values: a row of ", row->size(), " bytes");
  }
  // Scalars may outlive a task's pool, and are few.
  ARROW_ASSIGN_OR_RAISE(auto decoder, UnsafeRowDecoder::Make(fields, arrow::default_memory_pool()));
  const auto length = static_cast<int32_t>(row->size());
  auto batch =
      decoder->Decode({reinterpret_cast<const uint8_t*>(row->data()), row->size()}, {&length, 1});
  if (!batch.ok()) return WithPrefix(batch.status(), "partition values: ");
  std::vector<std::shared_ptr<arrow::Scalar>> values;
  for (const auto& column : batch->columns) {
    ARROW_ASSIGN_OR_RAISE(auto value, column->GetScalar(0));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace reprise
