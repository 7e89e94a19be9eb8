// What an ORC file says of itself: its types, its stripes, and of each stripe where its streams
// lie.
//
// Input:   a file.   Output: its footer; a stripe's footer; a column's index.
// Source:  the ORC specification, version 1 (orc_proto.proto).
#pragma once

#include <arrow/io/interfaces.h>

#include <optional>
#include <string>
#include <vector>

#include "scan/orc_stream.h"

namespace reprise {

/// Type.Kind.
enum class OrcKind {
  kBoolean,
  kByte,
  kShort,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kString,
  kBinary,
  kTimestamp,
  kList,
  kMap,
  kStruct,
  kUnion,
  kDecimal,
  kDate,
  kVarchar,
  kChar,
  kInstant
};

struct OrcType {
  OrcKind kind = OrcKind::kStruct;
  std::vector<uint32_t> children;  ///< numbers of types
  std::vector<std::string> names;  ///< of a struct's children
  int precision = 0;
  int scale = 0;
  std::string spark_type;  ///< as which Spark wrote it: "timestamp_ntz"; empty if it has not said
};

struct OrcStripe {
  int64_t start = 0;  ///< in the file
  int64_t index_bytes = 0;
  int64_t data_bytes = 0;
  int64_t footer_bytes = 0;
  int64_t rows = 0;
};

struct OrcTail {
  std::vector<OrcType> types;  ///< that of the rows first
  std::vector<OrcStripe> stripes;
  std::vector<std::string> statistics;  ///< of each type, as stored; may be empty
  int64_t rows = 0;
  int64_t index_rows = 0;     ///< of an entry of an index; 0: there are none
  bool is_proleptic = false;  ///< old dates are of the proleptic Gregorian calendar
  bool is_encrypted = false;
  bool bounds_are_trusted = true;  ///< statistics are not of a writer that is known to err
  std::optional<OrcCompression> compression;  ///< nothing: of a kind that is not read

  static Result<OrcTail> Read(arrow::io::RandomAccessFile* file, arrow::MemoryPool* pool);
};

/// Stream.Kind.
enum class OrcStreamKind {
  kPresent,
  kData,
  kLength,
  kDictionary,
  kDictionaryCount,
  kSecondary,
  kRowIndex
};

/// ColumnEncoding.Kind.
enum class OrcEncodingKind { kDirect, kDictionary, kDirect2, kDictionary2 };

struct OrcStoredStream {
  OrcStreamKind kind = OrcStreamKind::kPresent;
  uint32_t column = 0;  ///< the number of its type
  int64_t start = 0;    ///< in the file
  int64_t bytes = 0;
};

struct OrcEncoding {
  OrcEncodingKind kind = OrcEncodingKind::kDirect;
  int64_t dictionary_size = 0;
};

struct OrcStripeFooter {
  std::vector<OrcStoredStream> streams;
  std::vector<OrcEncoding> encodings;  ///< of each type
  std::string zone;                    ///< in which its timestamps were written

  /// Status::Invalid for one that is not well formed, or whose streams do not lie in the stripe.
  static Result<OrcStripeFooter> Of(const OrcStripe& stripe, OrcStream stored,
                                    arrow::MemoryPool* pool);

  const OrcStoredStream* Find(uint32_t column, OrcStreamKind kind) const;
};

/// Of each entry of a column's index where its streams are then, and what is known of its values.
struct OrcIndexEntry {
  std::vector<uint64_t> positions;
  std::string statistics;
};
Result<std::vector<OrcIndexEntry>> ReadOrcIndex(OrcStream stored, arrow::MemoryPool* pool);

}  // namespace reprise
