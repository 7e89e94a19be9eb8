// A line of sums.jsonl to a ledger.
#pragma once

#include <memory>

#include "ledger/ledger.h"

namespace reprise {

/// Decodes line after line into one ledger.
class LedgerLineDecoder {
 public:
  explicit LedgerLineDecoder(Ledger* ledger);
  ~LedgerLineDecoder();

  /// Takes a line in, wholly or not at all. Status::Invalid says what is wrong with it.
  Status Decode(const LogLine& line);
  /// The number of the format that the first line named; 0 before.
  int64_t format() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace reprise
