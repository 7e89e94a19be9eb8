// Ledgers for tests: read as a run has written them.
#pragma once

#include <string>
#include <vector>

#include "eventlog/run_testing.h"
#include "ledger/ledger_diff.h"
#include "ledger/ledger_graph.h"

namespace reprise {

inline Ledger Loaded(const TestRun& run) {
  const LogFolder folder;
  return LoadLedger(run.Write(folder, "run")).ValueOrDie();
}

/// Two runs and how they differ.
struct Diffed {
  Diffed(const TestRun& first, const TestRun& second)
      : left(Loaded(first)),
        right(Loaded(second)),
        left_graph(left),
        right_graph(right),
        diff(DiffLedgers(left_graph, right_graph)) {}

  std::vector<std::string> Lines() const { return LinesOf(diff.differences); }
  std::vector<std::string> LinesOf(const std::vector<size_t>& indexes) const {
    std::vector<std::string> lines;
    for (const size_t index : indexes) {
      const ComparedPair& pair = diff.pairs[index];
      lines.push_back(fmt::format("{} {}", left_graph.NameOf(pair.left), NameOf(pair.origin)));
    }
    return lines;
  }
  const ComparedPair& First() const { return diff.pairs[diff.differences.front()]; }

  Ledger left;
  Ledger right;
  LedgerGraph left_graph;
  LedgerGraph right_graph;
  LedgerDiff diff;
};

}  // namespace reprise
