// Columns of an ORC stripe as Arrow arrays.
//
// Input:   the streams of a column; how it is encoded.
// Output:  its values, batch by batch, in the Arrow type of the Spark type that it is read as.
// Strings that are stored as a dictionary leave as the indices over it, unless that would cost the
// readers more than it spares them.
#pragma once

#include <arrow/array.h>

#include <functional>
#include <memory>

#include "plan/data_type.h"
#include "scan/orc_tail.h"
#include "scan/parquet_calendar.h"

namespace reprise {

/// Where a column of the file is at some row: by the number of its type.
using OrcPlaces = std::function<OrcPositions(uint32_t number)>;

class OrcColumn {
 public:
  virtual ~OrcColumn() = default;

  /// The next `rows` rows. Status::Invalid where the streams are not as they must be.
  virtual Result<std::shared_ptr<arrow::Array>> Read(int64_t rows) = 0;

  /// Goes to where the entries of the indexes of the column and its parts say.
  virtual Status Seek(const OrcPlaces& places) = 0;
};

/// What a column is made of.
struct OrcColumnSource {
  uint32_t number = 0;  ///< of its type in the file
  DataType type;        ///< one for which IsOrcType; nothing of nested columns
  OrcEncoding encoding;
  bool may_have_nulls = false;                   ///< there is a stream that says which are null
  std::function<OrcStream(OrcStreamKind)> open;  ///< an empty one where there is none
  int64_t rows = 0;                              ///< at most so many in the stripe
  int64_t epoch = 0;       ///< of timestamps: seconds since 1970 at which they begin to count
  InstantRebase instants;  ///< of those before 1900
  arrow::MemoryPool* pool = nullptr;
};

/// Whether flat columns of the type are read of ORC natively.
bool IsOrcType(const DataType& type);

/// Status::Invalid for an encoding that the type does not have, or a dictionary that is not as it
/// must be.
Result<std::unique_ptr<OrcColumn>> MakeOrcColumn(OrcColumnSource source);

}  // namespace reprise
