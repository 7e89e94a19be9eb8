#include "scan/orc_stream.h"

#include <algorithm>
#include <cstring>

namespace reprise {

namespace {

// Its length, and whether it is stored as it is.
constexpr int64_t kHeaderBytes = 3;

}  // namespace

Result<int64_t> OrcCompression::Decompress(std::span<const uint8_t> block, uint8_t* to) const {
  if (codec->compression_type() != arrow::Compression::ZSTD) {
    return codec->Decompress(std::ssize(block), block.data(), block_bytes, to);
  }
  // In one call this one wants to know how many bytes there will be.
  ARROW_ASSIGN_OR_RAISE(const auto decompressor, codec->MakeDecompressor());
  ARROW_ASSIGN_OR_RAISE(const auto result,
                        decompressor->Decompress(std::ssize(block), block.data(), block_bytes, to));
  if (result.bytes_read < std::ssize(block) || !decompressor->IsFinished()) {
    return Status::IOError("its frame does not end where it should");
  }
  return result.bytes_written;
}

bool OrcStream::NextBlock() {
  while (status_.ok() && at_ == end_) {
    if (stored_ == nullptr || next_block_ >= stored_->size()) {
      Fail("a stream ends before its last value");
    } else {
      status_ = MakeBlock();
    }
  }
  return status_.ok();
}

Status OrcStream::MakeBlock() {
  const uint8_t* stored = stored_->data() + next_block_;
  const int64_t left = stored_->size() - next_block_;
  if (compression_.codec == nullptr) {
    at_ = stored;
    end_ = stored + left;
    next_block_ = stored_->size();
    return Status::OK();
  }
  if (left < kHeaderBytes) return Status::Invalid("a stream ends within a block's header");
  const uint32_t header = stored[0] | stored[1] << 8 | stored[2] << 16;
  const bool is_plain = (header & 1) != 0;
  const int64_t length = header >> 1;
  if (length > left - kHeaderBytes) return Status::Invalid("a stream ends within a block");
  next_block_ += kHeaderBytes + length;
  at_ = stored + kHeaderBytes;
  end_ = at_ + length;
  if (is_plain) return Status::OK();
  if (block_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(block_, arrow::AllocateBuffer(compression_.block_bytes, pool_));
  }
  uint8_t* block = block_->mutable_data();
  auto bytes = compression_.Decompress({at_, static_cast<size_t>(length)}, block);
  at_ = end_ = nullptr;
  if (!bytes.ok()) {
    return Status::Invalid("a block cannot be decompressed: ", bytes.status().message());
  }
  at_ = block;
  end_ = block + *bytes;
  return Status::OK();
}

void OrcStream::Read(uint8_t* to, int64_t count) {
  while (count > 0) {
    if (at_ == end_ && !NextBlock()) {
      std::memset(to, 0, count);
      return;
    }
    const int64_t taken = std::min(count, end_ - at_);
    std::memcpy(to, at_, taken);
    at_ += taken;
    to += taken;
    count -= taken;
  }
}

uint64_t OrcStream::SlowVarint() {
  uint64_t value = 0;
  for (int i = 0; i < kVarintBytesMax; ++i) {
    const uint8_t byte = Byte();
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    if ((byte & 0x80) == 0) return value;
  }
  return TooLong();
}

std::span<const uint8_t> OrcStream::Block() {
  while (status_.ok() && at_ == end_) {
    if (stored_ == nullptr || next_block_ >= stored_->size()) return {};
    status_ = MakeBlock();
  }
  return {std::exchange(at_, end_), end_};
}

void OrcStream::Seek(OrcPositions* positions) {
  next_block_ = positions->Next();
  at_ = end_ = nullptr;
  int64_t skipped = compression_.codec == nullptr ? 0 : positions->Next();
  const int64_t size = stored_ == nullptr ? 0 : stored_->size();
  if (next_block_ < 0 || next_block_ > size || skipped < 0) {
    next_block_ = size;
    return Fail("an index names a place that a stream does not have");
  }
  while (skipped > 0) {
    if (at_ == end_ && !NextBlock()) return;
    const int64_t taken = std::min(skipped, end_ - at_);
    at_ += taken;
    skipped -= taken;
  }
}

Result<std::shared_ptr<arrow::Buffer>> AllOf(OrcStream stream, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto bytes, arrow::AllocateResizableBuffer(0, pool));
  int64_t size = 0;
  for (auto block = stream.Block(); !block.empty(); block = stream.Block()) {
    const int64_t needed = size + std::ssize(block);
    if (needed > bytes->size()) {
      RETURN_NOT_OK(bytes->Resize(std::max(needed, 2 * size), /*shrink_to_fit=*/false));
    }
    std::memcpy(bytes->mutable_data() + size, block.data(), block.size());
    size = needed;
  }
  RETURN_NOT_OK(stream.status());
  RETURN_NOT_OK(bytes->Resize(size, /*shrink_to_fit=*/false));
  return std::shared_ptr<arrow::Buffer>(std::move(bytes));
}

}  // namespace reprise
