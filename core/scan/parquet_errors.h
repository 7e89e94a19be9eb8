// Errors of reading Parquet files. libparquet throws; here its exceptions become Status.
#pragma once

#include <parquet/exception.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "plan/data_type.h"
#include "scan/file_errors.h"

namespace reprise {

/// FAILED_READ_FILE.NO_HINT: the file is not Parquet, or its end is cut or corrupt.
Status FooterError(const std::string& path, std::string_view why);

/// FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH: the file's column cannot be read as the type
/// asked for. `actual` is the Parquet type as Spark names it ("INT32", "BINARY" …).
Status ColumnTypeError(const std::string& path, const std::string& column, const DataType& expected,
                       const std::string& actual);

/// Calls `body`, which returns a Status or Result and may call libparquet. What libparquet throws
/// is given as text to `to_error`, whose Status is returned.
template <typename Body, typename ToError>
auto GuardParquet(Body&& body, ToError&& to_error) -> decltype(body()) {
  try {
    return body();
  } catch (const CheckFailure&) {
    throw;
  } catch (const std::bad_alloc&) {
    return Status::OutOfMemory("out of memory while reading a Parquet file");
  } catch (const parquet::ParquetStatusException& error) {
    if (!IsAboutFile(error.status())) return error.status();
    return to_error(error.what());
  } catch (const std::exception& error) {
    return to_error(error.what());
  }
}

}  // namespace reprise
