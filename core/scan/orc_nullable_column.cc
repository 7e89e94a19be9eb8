#include "scan/orc_nullable_column.h"

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

}  // namespace reprise
