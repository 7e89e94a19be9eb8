// What all columns of ORC have in common: which rows are null.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scan/batch_validity.h"
#include "scan/orc_columns.h"
#include "scan/orc_runs.h"

namespace reprise {

/// Runs of integers of a column, in the version of the format that it is encoded in.
OrcIntegers OrcIntegersOf(const OrcColumnSource& source, OrcStreamKind kind, bool is_signed);

/// What lengths are of, for errors.
struct OrcLengthWords {
  const char* value;  ///< "a list"
  const char* unit;   ///< "elements"
  const char* most;   ///< that a batch may have: "2^31 elements"
};

/// Where each of `rows` values begins, and the last one ends: `lengths` are those of the values
/// that are not null. All are where `levels` is null, else those whose level is not 0; null ones
/// are empty. Status::Invalid for a length below 0, Status::CapacityError where 32 bits do not hold
/// the end.
Result<std::shared_ptr<arrow::Buffer>> OrcOffsets(std::span<const int64_t> lengths, int64_t rows,
                                                  const int16_t* levels,
                                                  const OrcLengthWords& words,
                                                  arrow::MemoryPool* pool);

class NullableOrcColumn : public OrcColumn {
 public:
  Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) final;
  Status Seek(const OrcPlaces& places) final;

 protected:
  explicit NullableOrcColumn(const OrcColumnSource& source)
      : number_(source.number), pool_(source.pool) {
    if (source.may_have_nulls) present_.emplace(source.open(OrcStreamKind::kPresent));
  }

  /// `values` of the next `rows` rows are not null: all where `levels` is null, else those whose
  /// level is not 0.
  virtual Result<std::shared_ptr<arrow::Array>> ReadValues(int64_t rows, int64_t values,
                                                           const int16_t* levels,
                                                           const BatchValidity& validity) = 0;
  virtual Status SeekValues(OrcPositions* positions) = 0;
  /// What it is made of goes to places of its own.
  virtual Status SeekParts(const OrcPlaces& /*places*/) { return Status::OK(); }

  arrow::MemoryPool* pool() const { return pool_; }

 private:
  const uint32_t number_;
  arrow::MemoryPool* pool_;
  std::optional<OrcBits> present_;
  std::vector<int16_t> levels_;
};

}  // namespace reprise
