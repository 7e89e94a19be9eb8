// A task's part of a write of Parquet files.
#pragma once

#include <memory>

#include "exchange/block.h"
#include "operators/operator.h"

namespace reprise {

/// Kind "parquet_write", arguments
///   {"codec":"SNAPPY","zstdLevel":3,"rowGroupBytes":N,"pageBytes":N,"pageRows":N,
///    "dictionary":bool,"dictionaryPageBytes":N,"pageChecksums":bool,
///    "bloomFilters":{…},"timestamps":"INT96"|"TIMESTAMP_MICROS"|"TIMESTAMP_MILLIS","legacyDecimals":bool,
///    "write":[{"columns":[{"column":0,"name":"a","nullable":bool,
///                          "type":"{…}","fieldId":N}…],"fieldIds":bool,
///              "partitionColumns":[3…],"buckets":{"columns":[0…],"count":N},
///              "footer":[["key","value"]…],"maxRecordsPerFile":N}]}
/// "columns" are those of a file in their order, and which of the input's each is; "type", of a
/// nested one, which may have nulls elsewhere than the input's, and "fieldId" may be absent, and so
/// may "fieldIds", whether the fields of structs have the ids of their type, and "buckets": a row's
/// is pmod(Murmur3Hash(columns, 42), count). Rows are written in the order in which they come; a
/// new file begins where the values of "partitionColumns" or the bucket change, and after
/// "maxRecordsPerFile" rows, where that is above 0. "bloomFilters" as in ReadBloomFilters
/// (write/bloom_filters.h). One input; the output has the input's columns and rows.
///
/// The operator made is a BlockProducer. Of the blocks of NextBlock(), `partition` is the file's
/// number, from 0 on. A file begins with a block whose `rows` is -1, or -2 - b for bucket b, and
/// whose bytes are the UnsafeRow of the partition columns' values; then come its bytes, with the
/// file's rows told by its last block. A partition without rows gives no files, but where there are
/// neither partition columns nor buckets the first partition has one without rows: it tells readers
/// the schema.
Result<std::unique_ptr<Operator>> MakeParquetWrite(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context);

}  // namespace reprise
