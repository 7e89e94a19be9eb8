#include "scan/orc_nullable_column.h"

#include <limits>

namespace reprise {

OrcIntegers OrcIntegersOf(const OrcColumnSource& source, OrcStreamKind kind, bool is_signed) {
  const bool is_second = source.encoding.kind == OrcEncodingKind::kDirect2 ||
                         source.encoding.kind == OrcEncodingKind::kDictionary2;
  const auto version = is_second ? OrcIntegers::Version::k2 : OrcIntegers::Version::k1;
  return {source.open(kind), version, is_signed};
}

Result<std::shared_ptr<arrow::Array>> NullableOrcColumn::Read(int64_t rows) {
  BatchValidity validity(rows, pool_);
  int64_t values = rows;
  const int16_t* levels = nullptr;
  if (present_) {
    if (std::ssize(levels_) < rows) levels_.resize(rows);
    values = 0;
    for (int64_t row = 0; row < rows; ++row) values += levels_[row] = present_->Next() ? 1 : 0;
    RETURN_NOT_OK(present_->status());
    if (values < rows) {
      levels = levels_.data();
      RETURN_NOT_OK(validity.AddLevels(0, rows, levels));
    }
  }
  return ReadValues(rows, values, levels, validity);
}

Status NullableOrcColumn::Seek(const OrcPlaces& places) {
  OrcPositions positions = places(number_);
  if (present_) {
    present_->Seek(&positions);
    RETURN_NOT_OK(present_->status());
  }
  RETURN_NOT_OK(SeekValues(&positions));
  if (positions.is_exhausted()) return Status::Invalid("an entry of an index is too short");
  return SeekParts(places);
}

Result<std::shared_ptr<arrow::Buffer>> OrcOffsets(std::span<const int64_t> lengths, int64_t rows,
                                                  const int16_t* levels,
                                                  const OrcLengthWords& words,
                                                  arrow::MemoryPool* pool) {
  constexpr int64_t kEndMax = std::numeric_limits<int32_t>::max();
  ARROW_ASSIGN_OR_RAISE(auto buffer, AllocateValues(rows + 1, sizeof(int32_t), pool));
  auto* offsets = reinterpret_cast<int32_t*>(buffer->mutable_data());
  int64_t end = 0;
  size_t value = 0;
  for (int64_t row = 0; row < rows; ++row) {
    offsets[row] = static_cast<int32_t>(end);
    if (levels != nullptr && levels[row] == 0) continue;
    const int64_t length = lengths[value++];
    if (length < 0) {
      return Status::Invalid(words.value, " is said to have ", length, " ", words.unit);
    }
    if (length > kEndMax - end) {
      return Status::CapacityError("a batch has more than ", words.most,
                                   ": lower spark.reprise.sql.batchRows");
    }
    end += length;
  }
  offsets[rows] = static_cast<int32_t>(end);
  return buffer;
}

}  // namespace reprise
