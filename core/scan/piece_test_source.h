// What stands for Spark's reader in tests of scans.
#pragma once

#include <utility>
#include <vector>

#include "scan/piece_source.h"

namespace reprise {

/// Gives no rows, and notes which parts it is asked for.
class NotedPieces final : public PieceSource {
 public:
  using Parts = std::vector<std::pair<int64_t, int64_t>>;
  explicit NotedPieces(Parts* parts) : parts_(parts) {}
  Status Read(int32_t, int64_t start, int64_t length) override {
    parts_->emplace_back(start, length);
    return Status::OK();
  }
  Result<Filled> Fill(uint8_t*, int64_t, int32_t*, int32_t) override { return Filled{}; }

 private:
  Parts* const parts_;
};

}  // namespace reprise
