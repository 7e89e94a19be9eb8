// reprise ledger check RUN, reprise ledger diff RUN1 RUN2
//   purpose  find what gives other results each time, or in another run
//   input    folders that spark.reprise.ledger.path has made, a run each
//   output   the operators and RDDs that depart though what they read agrees, with partitions, and
//            those that inherit it; status 1 where values differ
//   example  reprise ledger diff /tmp/ledger/app-1 /tmp/ledger/app-2
#include "cli/cmd_ledger.h"

#include <fmt/format.h>

#include "base/figure_text.h"
#include "base/printable.h"
#include "cli/figures.h"
#include "cli/ledger_text.h"
#include "ledger/ledger_graph.h"
#include "ledger/ledger_json.h"

namespace reprise {

namespace {

struct LedgerOptions {
  std::string left;
  std::string right;
  bool order = false;
  bool json = false;
};

Result<Ledger> ReadLedger(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(Ledger ledger, LoadLedger(path));
  for (const LogDamage& damage : ledger.damages.kept()) {
    fmt::print(stderr, "reprise: skipped: {}\n", PrintableLine(damage.ToString()));
  }
  const int64_t more = ledger.damages.count() - static_cast<int64_t>(ledger.damages.kept().size());
  if (more > 0) {
    fmt::print(stderr, "reprise: skipped: {} more\n", Counted(more, "damage", "damages"));
  }
  return ledger;
}

Result<int> CheckLedger(const LedgerOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const Ledger ledger, ReadLedger(options.left));
  const LedgerGraph graph(ledger);
  const LedgerCheck check = CheckLedger(graph);
  const bool differs = check.Differs() || (options.order && !check.differences.empty());
  if (options.json) {
    fmt::print("{}\n", ToJson(graph, check).dump(2));
  } else {
    PrintText(LedgerText(ledger) + "\n" + CheckText(graph, check, options.order));
  }
  return differs ? kExitFalse : kExitDone;
}

Result<int> CompareLedgers(const LedgerOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const Ledger left, ReadLedger(options.left));
  ARROW_ASSIGN_OR_RAISE(const Ledger right, ReadLedger(options.right));
  if (left.format != right.format) {
    return Status::Invalid(
        left.path, " has format ", left.format, " and ", right.path, " format ", right.format,
        ", whose checksums are made in other ways: record both runs with one version "
        "of Reprise");
  }
  const LedgerGraph left_graph(left);
  const LedgerGraph right_graph(right);
  const LedgerDiff diff = DiffLedgers(left_graph, right_graph);
  const bool differs = diff.Differs() || (options.order && !diff.orders.empty());
  if (options.json) {
    fmt::print("{}\n", ToJson(left_graph, right_graph, diff).dump(2));
  } else {
    PrintText(fmt::format("first   {}second  {}\n{}", LedgerText(left), LedgerText(right),
                          DiffText(left_graph, right_graph, diff, options.order)));
  }
  if (diff.compared == 0) {
    return Status::Invalid(left.path, " and ", right.path,
                           " have nothing in common that could be compared");
  }
  return differs ? kExitFalse : kExitDone;
}

void DeclareShared(CLI::App* app, LedgerOptions* options) {
  app->add_flag("--order", options->order, "other orders of the same rows count, and are listed");
  app->add_flag("--json", options->json, "as JSON");
}

Run DeclareLedger(CLI::App& app) {
  auto options = std::make_shared<LedgerOptions>();
  app.require_subcommand(1);
  CLI::App* check = app.add_subcommand("check",
                                       "Compare what one run computed more than once: retries, "
                                       "speculation, later jobs");
  check->add_option("run", options->left, "folder of a run, as spark.reprise.ledger.path makes it")
      ->required();
  DeclareShared(check, options.get());
  CLI::App* diff = app.add_subcommand(
      "diff", "Name the first operator or RDD whose inputs agree and outputs differ");
  diff->add_option("first", options->left, "folder of one run")->required();
  diff->add_option("second", options->right, "folder of the other run")->required();
  DeclareShared(diff, options.get());
  return [options, check] {
    return check->parsed() ? CheckLedger(*options) : CompareLedgers(*options);
  };
}

}  // namespace

const Subcommand kLedger = {
    "ledger", "Find what gives other results in a retry or in another run, from checksums",
    "reprise ledger check /tmp/ledger/app-1\n  reprise ledger diff /tmp/ledger/app-1 "
    "/tmp/ledger/app-2",
    DeclareLedger};

}  // namespace reprise
