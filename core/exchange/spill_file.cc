#include "exchange/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "exchange/spill_cipher.h"
#include "exchange/spill_storage.h"

namespace reprise {

namespace {

constexpr int64_t kEncryptedPieceBytes = 32 << 10;

}  // namespace

struct SpillFile::Descriptor {
  std::string path;
  int file = -1;
  int64_t bytes = 0;
  std::optional<SpillCipher> cipher;

  ~Descriptor() {
    if (file >= 0) close(file);
  }

  Status Append(const uint8_t* data, int64_t size) {
    if (!cipher) return Write(data, size);
    std::array<uint8_t, kEncryptedPieceBytes> piece;
    for (int64_t done = 0; done < size; done += kEncryptedPieceBytes) {
      const int64_t piece_bytes = std::min(size - done, kEncryptedPieceBytes);
      RETURN_NOT_OK(cipher->Apply(bytes, data + done, piece.data(), piece_bytes));
      RETURN_NOT_OK(Write(piece.data(), piece_bytes));
    }
    return Status::OK();
  }

  Status Write(const uint8_t* data, int64_t size) {
    int64_t done = 0;
    while (done < size) {
      const ssize_t written =
          pwrite(file, data + done, static_cast<size_t>(size - done), bytes + done);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        return Status::IOError("cannot write ", size, " bytes at byte ", bytes, " of spill file ",
                               path, ": ", std::strerror(written < 0 ? errno : ENOSPC));
      }
      done += written;
    }
    bytes += size;
    return Status::OK();
  }

  Status Read(int64_t position, uint8_t* out, int64_t size) const {
    int64_t done = 0;
    while (done < size) {
      const ssize_t got =
          pread(file, out + done, static_cast<size_t>(size - done), position + done);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        return Status::IOError("cannot read ", size, " bytes at byte ", position, " of spill file ",
                               path, ": ", got < 0 ? std::strerror(errno) : "the file ends before");
      }
      done += got;
    }
    return cipher ? cipher->Apply(position, out, out, size) : Status::OK();
  }
};

namespace {

// Makes a file and takes its name away, so that nothing is left of it whatever happens.
int OpenNameless(const std::string& directory, std::string* path) {
  std::string name = directory + "/reprise-spill-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  *path = std::move(name);
  return file;
}

}  // namespace

SpillFile::SpillFile(std::shared_ptr<Descriptor> descriptor, std::shared_ptr<arrow::Schema> schema,
                     std::unique_ptr<BlockEncoder> encoder)
    : descriptor_(std::move(descriptor)),
      schema_(std::move(schema)),
      encoder_(std::move(encoder)) {}

SpillFile::~SpillFile() = default;

Result<std::unique_ptr<SpillFile>> SpillFile::Make(const SpillStorage& storage,
                                                   std::shared_ptr<arrow::Schema> schema,
                                                   arrow::MemoryPool* pool, Codec codec) {
  const std::vector<std::string>& directories = storage.directories;
  if (directories.empty()) return Status::IOError("there is no directory to spill to");
  static std::atomic<size_t> next{0};
  ARROW_ASSIGN_OR_RAISE(auto encoder, BlockEncoder::Make(schema, codec, pool));
  auto descriptor = std::make_shared<Descriptor>();
  if (!storage.key.empty()) {
    ARROW_ASSIGN_OR_RAISE(const auto first, SpillCipher::RandomCounter());
    ARROW_ASSIGN_OR_RAISE(descriptor->cipher, SpillCipher::Make(storage.key, first));
  }
  const size_t first = next++;
  std::string failures;
  for (size_t i = 0; i < directories.size(); ++i) {
    const std::string& directory = directories[(first + i) % directories.size()];
    descriptor->file = OpenNameless(directory, &descriptor->path);
    if (descriptor->file >= 0) {
      return std::unique_ptr<SpillFile>(
          new SpillFile(std::move(descriptor), std::move(schema), std::move(encoder)));
    }
    failures +=
        fmt::format("{}{}: {}", failures.empty() ? "" : "; ", directory, std::strerror(errno));
  }
  return Status::IOError("cannot make a spill file in ", failures);
}

Status SpillFile::Write(const Batch& batch) {
  ARROW_ASSIGN_OR_RAISE(const auto block, encoder_->Encode(batch));
  return WriteBlock(*block);
}

Status SpillFile::WriteBlock(const arrow::Buffer& block) {
  RETURN_NOT_OK(descriptor_->Append(block.data(), block.size()));
  rows_ += reinterpret_cast<const block::Header*>(block.data())->rows;
  return Status::OK();
}

std::unique_ptr<SpillReader> SpillFile::Read(arrow::MemoryPool* pool) const {
  return std::unique_ptr<SpillReader>(new SpillReader(descriptor_, schema_, pool));
}

int64_t SpillFile::bytes() const { return descriptor_->bytes; }

const std::string& SpillFile::path() const { return descriptor_->path; }

SpillReader::SpillReader(std::shared_ptr<SpillFile::Descriptor> descriptor,
                         std::shared_ptr<arrow::Schema> schema, arrow::MemoryPool* pool)
    : descriptor_(std::move(descriptor)), decoder_(std::move(schema), pool), pool_(pool) {}

SpillReader::~SpillReader() = default;

Result<std::shared_ptr<arrow::Buffer>> SpillReader::NextBlock() {
  if (position_ >= descriptor_->bytes) return nullptr;
  block::Header header;
  RETURN_NOT_OK(descriptor_->Read(position_, reinterpret_cast<uint8_t*>(&header), sizeof(header)));
  Status status = CheckHeader(header);
  const auto left = static_cast<uint64_t>(descriptor_->bytes - position_ - block::kHeaderBytes);
  if (status.ok() && header.body_bytes > left) {
    status = Status::IOError("the block is cut off or damaged: ", left,
                             " bytes follow its header, expected ", header.body_bytes);
  }
  if (!status.ok()) {
    return WithPrefix(status,
                      fmt::format("spill file {}, byte {}: ", descriptor_->path, position_));
  }
  const int64_t size = block::kHeaderBytes + static_cast<int64_t>(header.body_bytes);
  ARROW_ASSIGN_OR_RAISE(auto block, arrow::AllocateBuffer(size, pool_));
  RETURN_NOT_OK(descriptor_->Read(position_, block->mutable_data(), size));
  position_ += size;
  return std::shared_ptr<arrow::Buffer>(std::move(block));
}

Result<std::optional<Batch>> SpillReader::Next() {
  const int64_t begin = position_;
  ARROW_ASSIGN_OR_RAISE(auto block, NextBlock());
  if (!block) return std::nullopt;
  auto batch = decoder_.Decode(std::move(block));
  if (!batch.ok()) {
    return WithPrefix(batch.status(),
                      fmt::format("spill file {}, byte {}: ", descriptor_->path, begin));
  }
  return std::optional<Batch>(std::move(*batch));
}

}  // namespace reprise
