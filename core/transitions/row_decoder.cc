#include "transitions/row_decoder.h"

#include <arrow/array/util.h>

#include <algorithm>

#include "base/check.h"
#include "plan/unsafe_row.h"
#include "transitions/row_column_reader.h"

namespace reprise {

UnsafeRowDecoder::UnsafeRowDecoder(std::shared_ptr<arrow::Schema> schema,
                                   std::vector<std::unique_ptr<RowColumnReader>> readers)
    : schema_(std::move(schema)), readers_(std::move(readers)) {}

UnsafeRowDecoder::~UnsafeRowDecoder() = default;

Result<std::unique_ptr<UnsafeRowDecoder>> UnsafeRowDecoder::Make(const std::vector<Field>& fields,
                                                                 arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto schema, ToArrowSchema(fields));
  std::vector<std::unique_ptr<RowColumnReader>> readers;
  const int field_count = static_cast<int>(fields.size());
  for (int i = 0; i < field_count; ++i) {
    ARROW_ASSIGN_OR_RAISE(auto reader, MakeRowColumnReader(fields[i], i, field_count, pool));
    readers.push_back(std::move(reader));
  }
  return std::unique_ptr<UnsafeRowDecoder>(
      new UnsafeRowDecoder(std::move(schema), std::move(readers)));
}

Status UnsafeRowDecoder::CheckLengths(std::span<const uint8_t> rows,
                                      std::span<const int32_t> lengths) const {
  const int64_t fixed_bytes = FixedRowBytes(static_cast<int64_t>(readers_.size()));
  int64_t sum = 0;
  bool malformed = false;
  for (const int32_t length : lengths) {
    malformed |= length < fixed_bytes || length % kRowWordBytes != 0;
    sum += length;
  }
  if (malformed) {
    const auto bad = std::find_if(lengths.begin(), lengths.end(), [&](int32_t length) {
      return length < fixed_bytes || length % kRowWordBytes != 0;
    });
    return Status::Invalid("row ", bad - lengths.begin(), " has ", *bad, " bytes; a row of ",
                           readers_.size(), " fields has a multiple of 8 and at least ",
                           fixed_bytes);
  }
  if (sum != static_cast<int64_t>(rows.size())) {
    return Status::Invalid("the lengths of ", lengths.size(), " rows add up to ", sum,
                           " bytes, but the rows have ", rows.size());
  }
  return Status::OK();
}

Result<Batch> UnsafeRowDecoder::Decode(std::span<const uint8_t> rows,
                                       std::span<const int32_t> lengths) {
  RETURN_NOT_OK(CheckLengths(rows, lengths));
  const auto row_count = static_cast<int64_t>(lengths.size());
  for (auto& reader : readers_) {
    RETURN_NOT_OK(reader->Begin(row_count, static_cast<int64_t>(rows.size())));
  }
  const uint8_t* row = rows.data();
  const uint8_t* pointers[kRowBlockRows];
  const size_t null_words = (readers_.size() + 63) / 64;
  std::vector<uint64_t> null_bits(null_words);
  for (int64_t first = 0; first < row_count && !readers_.empty(); first += kRowBlockRows) {
    const auto count = static_cast<size_t>(std::min(kRowBlockRows, row_count - first));
    const auto block_lengths = lengths.subspan(static_cast<size_t>(first), count);
    std::fill(null_bits.begin(), null_bits.end(), 0);
    for (size_t i = 0; i < count; ++i) {
      pointers[i] = row;
      for (size_t w = 0; w < null_words; ++w) {
        null_bits[w] |= LoadAs<uint64_t>(row + w * kRowWordBytes);
      }
      row += block_lengths[i];
    }
    const RowBlock block{first, {pointers, count}, block_lengths, null_bits};
    for (auto& reader : readers_) RETURN_NOT_OK(reader->Append(block));
  }
  Batch batch{schema_, {}, row_count, nullptr};
  batch.columns.reserve(readers_.size());
  for (auto& reader : readers_) {
    ARROW_ASSIGN_OR_RAISE(auto data, reader->Finish());
    batch.columns.push_back(arrow::MakeArray(data));
  }
  return batch;
}

}  // namespace reprise
