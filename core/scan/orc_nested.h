// Columns of arrays, maps and structs of an ORC stripe, in the bytes that Spark's rows keep them
// in.
//
// Input:   a column's own streams, which say which values are null and how long lists are; the
//          columns of its parts, which have values for those alone that are not null.
// Example: of the arrays [1, 2], null, [], [3] the lengths are 2, 0, 1, and the elements 1, 2, 3.
#pragma once

#include <memory>
#include <vector>

#include "scan/orc_columns.h"

namespace reprise {

/// What a nested column is made of.
struct OrcPart {
  DataType type;                      ///< in which its values travel
  std::unique_ptr<OrcColumn> column;  ///< null: the file lacks it
};

/// Structs of `fields`, of which the file has one at least.
Result<std::unique_ptr<OrcColumn>> MakeOrcStructs(const OrcColumnSource& source,
                                                  std::vector<OrcPart> fields);

/// Arrays of one part, maps of two. The file has all parts.
Result<std::unique_ptr<OrcColumn>> MakeOrcLists(const OrcColumnSource& source,
                                                std::vector<OrcPart> parts);

}  // namespace reprise
