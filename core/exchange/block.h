// Blocks: what travels through an exchange. exchange/block_format.h says what is in one.
#pragma once

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <memory>
#include <optional>

#include "base/status.h"

namespace reprise {

/// One block of the wire format, and where it goes.
struct EncodedBlock {
  std::shared_ptr<arrow::Buffer> bytes;
  int partition = 0;
  int64_t rows = 0;
};

/// Where blocks come from. jni/ implements it over a Java iterator.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  /// The next block, in memory of `pool`; null at the end. May block.
  virtual Result<std::shared_ptr<arrow::Buffer>> Next(arrow::MemoryPool* pool) = 0;
};

/// An operator whose output leaves as blocks: the writing side of an exchange.
class BlockProducer {
 public:
  virtual ~BlockProducer() = default;
  /// The next block, or nothing at the end.
  virtual Result<std::optional<EncodedBlock>> NextBlock() = 0;
};

}  // namespace reprise
