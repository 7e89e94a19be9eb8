// A store for tests, of local files by other names: what is asked of it is recorded, and any of it
// can fail or never come.
#pragma once

#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scan/file_store.h"

namespace reprise::parquet_test {

inline std::string BytesOf(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// What is asked of a TestStore, and how it behaves.
struct TestRequests {
  std::vector<std::string> opened;
  std::vector<std::string> tails_read;
  std::vector<std::pair<int64_t, int32_t>> pieces;  // offset, length
  int closed = 0;
  int64_t modified = 1;                               // of every file
  std::function<Status(int64_t offset)> fails;        // a piece, when it is waited for
  std::function<Status(const std::string&)> no_file;  // a location, when it is waited for
  std::function<bool(int64_t offset)> never_comes;    // a piece
};

/// The file of "test:/…" is that of "/…".
class TestFile final : public StoredFile {
 public:
  TestFile(std::string location, uint8_t* tail, int32_t tail_bytes, FileVersion known,
           TestRequests* requests)
      : location_(std::move(location)), known_(known), requests_(requests) {
    requests_->opened.push_back(location_);
    bytes_ = BytesOf(location_.substr(location_.find('/')));
    tail_ = {tail, tail_bytes};
  }
  ~TestFile() override { ++requests_->closed; }

  Result<std::optional<FileVersion>> AwaitOpen(int32_t) override {
    if (requests_->no_file) RETURN_NOT_OK(requests_->no_file(location_));
    const FileVersion version = {1, std::ssize(bytes_), requests_->modified};
    if (version == known_) return version;
    requests_->tails_read.push_back(location_);
    const auto length = std::min<int64_t>(tail_.second, std::ssize(bytes_));
    std::memcpy(tail_.first, bytes_.data() + bytes_.size() - length, length);
    return version;
  }

  Result<int32_t> Start(std::span<const Piece> pieces) override {
    const auto first = static_cast<int32_t>(pieces_.size());
    for (const Piece& piece : pieces) {
      requests_->pieces.emplace_back(piece.offset, piece.length);
      pieces_.push_back(piece);
    }
    return first;
  }

  Result<bool> Await(int32_t number, int32_t) override {
    const Piece& piece = pieces_[number];
    if (requests_->fails) RETURN_NOT_OK(requests_->fails(piece.offset));
    if (requests_->never_comes && requests_->never_comes(piece.offset)) return false;
    std::memcpy(piece.to, bytes_.data() + piece.offset, piece.length);
    return true;
  }

 private:
  const std::string location_;
  const FileVersion known_;
  TestRequests* const requests_;
  std::string bytes_;
  std::pair<uint8_t*, int32_t> tail_;
  std::vector<Piece> pieces_;
};

class TestStore final : public FileStore {
 public:
  explicit TestStore(TestRequests* requests) : requests_(requests) {}
  Result<std::unique_ptr<StoredFile>> Open(const std::string& location, uint8_t* tail,
                                           int32_t tail_bytes, const FileVersion& known) override {
    return std::make_unique<TestFile>(location, tail, tail_bytes, known, requests_);
  }

 private:
  TestRequests* const requests_;
};

}  // namespace reprise::parquet_test
