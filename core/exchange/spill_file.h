// Files of batches in the wire format, for what does not fit into memory.
#pragma once

#include <arrow/memory_pool.h>

#include <memory>
#include <optional>
#include <string>

#include "base/batch.h"
#include "exchange/block_decoder.h"
#include "exchange/block_encoder.h"

namespace reprise {

class SpillReader;
struct SpillStorage;

/// A temporary file that is written and read, any number of times. It has no name any
/// more once it is open, so the disk space is free again when the object and its readers are gone,
/// whatever becomes of the process. Used by one thread at a time.
class SpillFile {
 public:
  /// Makes an empty file in one of the directories of `storage`: in the next one at every call, and
  /// in another one where that fails. Status::IOError names all of them where no file could be
  /// made. What stands in it is encrypted where `storage` has a key. Batches have the columns of
  /// `schema`.
  static Result<std::unique_ptr<SpillFile>> Make(const SpillStorage& storage,
                                                 std::shared_ptr<arrow::Schema> schema,
                                                 arrow::MemoryPool* pool,
                                                 Codec codec = Codec::kLz4);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Appends the selected rows of `batch`. Status::IOError names the path the file was made under,
  /// how many bytes were to be written where, and what the system says (no space left …).
  Status Write(const Batch& batch);
  /// Appends a block that is encoded already.
  Status WriteBlock(const arrow::Buffer& block);

  /// Nothing more will be written: gives the memory back that writing takes.
  void EndWriting() { encoder_.reset(); }

  /// Reads from the first batch on. Several readers may read at once; each comes to what is written
  /// meanwhile as well.
  std::unique_ptr<SpillReader> Read(arrow::MemoryPool* pool) const;

  int64_t bytes() const;
  int64_t rows() const { return rows_; }
  /// The path under which the file was made.
  const std::string& path() const;

 private:
  friend class SpillReader;
  struct Descriptor;
  SpillFile(std::shared_ptr<Descriptor> descriptor, std::shared_ptr<arrow::Schema> schema,
            std::unique_ptr<BlockEncoder> encoder);

  std::shared_ptr<Descriptor> descriptor_;  // shared with readers
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<BlockEncoder> encoder_;
  int64_t rows_ = 0;
};

/// Gives the batches of a spill file in the order in which they were written.
class SpillReader {
 public:
  ~SpillReader();

  /// The next batch, or nothing at the end. Status::IOError names the path and the byte at which
  /// the block begins that could not be read or is damaged.
  Result<std::optional<Batch>> Next();
  /// The next block as it was written, or null at the end; for those who know what is in it.
  Result<std::shared_ptr<arrow::Buffer>> NextBlock();

 private:
  friend class SpillFile;
  SpillReader(std::shared_ptr<SpillFile::Descriptor> descriptor,
              std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool);

  std::shared_ptr<SpillFile::Descriptor> descriptor_;
  BlockDecoder decoder_;
  arrow::MemoryPool* pool_;
  int64_t position_ = 0;
};

}  // namespace reprise
