// What libparquet throws while files are written, as Status.
#pragma once

#include <parquet/exception.h>

#include <exception>

#include "base/check.h"
#include "base/status.h"

namespace reprise {

/// Calls `body`, which returns a Status or Result and may call libparquet.
template <typename Body>
auto GuardWriting(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const CheckFailure&) {
    throw;
  } catch (const std::bad_alloc&) {
    return Status::OutOfMemory("out of memory while writing a Parquet file");
  } catch (const parquet::ParquetStatusException& error) {
    return error.status();
  } catch (const std::exception& error) {
    return Status::Invalid("cannot write a Parquet file: ", error.what());
  }
}

}  // namespace reprise
