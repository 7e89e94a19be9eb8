// reprise diagnose QUERY.sql --out FOLDER
//   purpose  name the operator and the rows that make a query's answer another than Spark's, or
//            than an earlier run's
//   input    SQL statements, the last of which is the query; tables as folders of Parquet files
//   output   the operator, the rows, and their dump; status 1 where the answers differ
//   example  reprise diagnose query.sql --table lineitem=data/lineitem --out diagnosis
#include "cli/cmd_diagnose.h"

#include <algorithm>
#include <filesystem>

#include "base/figure_text.h"
#include "base/local_path.h"
#include "base/printable.h"
#include "cli/cmd_shrink.h"
#include "cli/figures.h"
#include "cli/ledger_text.h"
#include "cli/partition_text.h"
#include "cli/query_runs.h"
#include "dump/dump_path.h"
#include "dump/file.h"
#include "ledger/ledger_graph.h"
#include "replay/conf_overrides.h"
#include "sql/sql_statements.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSpark = "spark";
constexpr const char* kNative = "native";
constexpr const char* kAgain = "again";
constexpr const char* kDumped = "dumped";

struct DiagnoseCommand {
  std::string query;
  std::string out;
  std::vector<std::string> tables;  ///< name=path
  std::vector<std::string> conf;    ///< key=value
  std::string master = "local[*]";
  std::string against;  ///< ledger of an earlier run; empty: compared with Spark's
  SparkEngine engine;

  std::string Within(const std::string& name) const { return (fs::path(out) / name).string(); }
};

/// An operator that departs.
struct Suspect {
  int64_t lore_id = 0;
  std::vector<int32_t> partitions;  ///< empty: all
  std::string occurrence;
  std::string fingerprint;
};

Result<QueryToRun> ReadQuery(const DiagnoseCommand& command) {
  QueryToRun query;
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadWholeFile(command.query));
  query.statements = SqlStatements(text);
  if (query.statements.empty()) return Status::Invalid(command.query, " holds no statement");
  for (const std::string& table : command.tables) {
    const size_t at = table.find('=');
    if (at == 0 || at == std::string::npos) {
      return Status::Invalid("--table ", table, ": expected NAME=FOLDER");
    }
    const std::string path = table.substr(at + 1);
    const bool is_local = path.find(':') == std::string::npos;
    query.tables[table.substr(0, at)] = is_local ? fs::absolute(path).string() : path;
  }
  query.conf = {{"spark.master", command.master},
                {"spark.memory.offHeap.enabled", "true"},
                {"spark.memory.offHeap.size", "2g"},
                {"spark.sql.warehouse.dir", command.Within("warehouse")}};
  ARROW_ASSIGN_OR_RAISE(const ConfigMap conf, ConfigMapFromPairs(command.conf));
  for (const auto& [key, value] : conf) query.conf[key] = value;
  return query;
}

std::map<std::string, std::string> WithLedger(const DiagnoseCommand& command,
                                              const std::string& name, const std::string& mode) {
  return {{"spark.reprise.sql.mode", mode},
          {"spark.reprise.ledger.path", "file:" + command.Within("ledgers/" + name)},
          {"spark.reprise.ledger.operators", "all"}};
}

Result<Ledger> LedgerOf(const DiagnoseCommand& command, const std::string& name) {
  ARROW_ASSIGN_OR_RAISE(const std::string folder, FindLedger(command.Within("ledgers/" + name)));
  return LoadLedger(folder);
}

// The ledger that the native run is compared with.
Result<Ledger> ReferenceLedger(const DiagnoseCommand& command) {
  if (command.against.empty()) return LedgerOf(command, kSpark);
  ARROW_ASSIGN_OR_RAISE(const std::string folder, FindLedger(command.against));
  return LoadLedger(folder);
}

// The pair of which it is told: of an earlier run that may have read other files, an operator
// before what Spark read of them by itself.
const ComparedPair& FirstToTell(const DiagnoseCommand& command, const Ledger& native,
                                const LedgerDiff& diff) {
  if (!command.against.empty()) {
    for (const size_t pair : diff.differences) {
      const LedgerSubject& subject = native.subjects[diff.pairs[pair].right];
      if (subject.kind == SubjectKind::kOperator) return diff.pairs[pair];
    }
  }
  return diff.pairs[diff.differences.front()];
}

// The first operator that departs. Nothing, with what there is to say printed, where none does.
Result<std::optional<Suspect>> FindDeparting(const DiagnoseCommand& command, int* exit) {
  ARROW_ASSIGN_OR_RAISE(const Ledger reference, ReferenceLedger(command));
  ARROW_ASSIGN_OR_RAISE(const Ledger native, LedgerOf(command, kNative));
  const LedgerGraph left(reference);
  const LedgerGraph right(native);
  const LedgerDiff diff = DiffLedgers(left, right);
  *exit = diff.Differs() ? kExitFalse : diff.compared > 0 ? kExitDone : kExitNotCompared;
  if (diff.compared == 0) {
    fmt::print("Nothing was compared: the query has run no operator of which both runs know.\n");
    return std::nullopt;
  }
  if (!diff.Differs()) {
    fmt::print("The answers agree: {} compared, none departs from {}.\n",
               Counted(diff.compared, "operator was", "operators were"),
               command.against.empty() ? "Spark's" : "the earlier run's");
    return std::nullopt;
  }
  const ComparedPair& first = FirstToTell(command, native, diff);
  PrintText(DepartsText(left, diff, first) + "\n");
  const LedgerSubject& subject = native.subjects[first.right];
  const OperatorNode* node = right.NodeOf(first.right);
  if (subject.kind != SubjectKind::kOperator || node == nullptr) {
    fmt::print("It is no operator of a query, so that there is no dump of it to shrink.\n");
    return std::nullopt;
  }
  if (!command.against.empty() && node->children.empty()) {
    fmt::print("It reads what lies outside of the query, and that is not what it was.\n");
    return std::nullopt;
  }
  return Suspect{subject.lore_id, first.partitions, node->occurrence, node->fingerprint};
}

// Whether two runs of today depart from each other in the operator that departs from then.
Result<bool> ChangesFromRunToRun(const DiagnoseCommand& command, const Suspect& suspect) {
  ARROW_ASSIGN_OR_RAISE(const Ledger once, LedgerOf(command, kNative));
  ARROW_ASSIGN_OR_RAISE(const Ledger again, LedgerOf(command, kAgain));
  const LedgerGraph left(once);
  const LedgerGraph right(again);
  const LedgerDiff diff = DiffLedgers(left, right);
  return std::ranges::any_of(diff.differences, [&](size_t pair) {
    return once.subjects[diff.pairs[pair].left].lore_id == suspect.lore_id;
  });
}

// What else may have changed.
Result<std::string> VersionsText(const DiagnoseCommand& command) {
  ARROW_ASSIGN_OR_RAISE(const Ledger then, ReferenceLedger(command));
  ARROW_ASSIGN_OR_RAISE(const Ledger now, LedgerOf(command, kNative));
  return fmt::format("then: reprise {}, Spark {}; now: reprise {}, Spark {}", then.reprise_version,
                     then.spark_version, now.reprise_version, now.spark_version);
}

// The operators that the queries have dumped, in their order.
Result<std::vector<OperatorDump>> DumpedOperators(const DiagnoseCommand& command) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::recursive_directory_iterator it(command.Within("dump"), error), end; !error && it != end;
       it.increment(error)) {
    if (it.depth() == 1 && OperatorOfFolder(it->path().filename().string())) {
      folders.push_back(it->path());
    }
  }
  // query-9-… before query-10-…
  std::ranges::sort(folders, {}, [](const fs::path& folder) {
    const std::string query = folder.parent_path().filename().string();
    return std::tuple(query.size(), query, folder);
  });
  std::vector<OperatorDump> dumps;
  for (const fs::path& folder : folders) {
    ARROW_ASSIGN_OR_RAISE(auto dump, OperatorDump::Open(folder.string()));
    dumps.push_back(std::move(dump));
  }
  return dumps;
}

// Of the operators with its number, those of all queries, the one that it is. Literals may have
// changed since, as current_timestamp() does, and with them the fingerprint.
Result<std::string> FolderOf(const DiagnoseCommand& command, const Suspect& suspect) {
  ARROW_ASSIGN_OR_RAISE(const auto dumps, DumpedOperators(command));
  std::string folder;
  bool is_sure = false;
  for (const OperatorDump& dump : dumps) {
    const bool is_same = dump.plan().spec.fingerprint == suspect.fingerprint;
    if (is_sure || (!is_same && dump.plan().spec.occurrence != suspect.occurrence)) continue;
    folder = dump.folder();
    is_sure = is_same;
  }
  if (!folder.empty()) return folder;
  return Status::Invalid("the operator could not be dumped: Spark's log above says why");
}

Status Dump(const DiagnoseCommand& command, const QueryToRun& query, const std::string& choice,
            const std::string& when) {
  const QueryRun run = {kDumped,
                        {{"spark.reprise.sql.mode", "execute"},
                         {"spark.reprise.lore.idsToDump", choice},
                         {"spark.reprise.lore.when", when},
                         {"spark.reprise.lore.dumpPath", "file:" + command.Within("dump")}}};
  return RunQuery(command.engine, query, {run}, command.out).status();
}

Result<int> ShrinkDeparting(const DiagnoseCommand& command, const QueryToRun& query,
                            const Suspect& suspect) {
  const std::string choice =
      fmt::format("{}[{}]", suspect.lore_id, DumpPartitions(suspect.partitions));
  RETURN_NOT_OK(Dump(command, query, choice, "always"));
  ARROW_ASSIGN_OR_RAISE(const std::string folder, FolderOf(command, suspect));
  ARROW_ASSIGN_OR_RAISE(JvmCommand jvm, SparkJvm(command.engine, "reprise.replay.SparkShrink"));
  jvm.arguments = {"--while-differs", "--out", command.Within("small"), "--", folder};
  ARROW_ASSIGN_OR_RAISE(const int status, RunJvm(jvm));
  if (status != kExitDone) {
    fmt::print(
        "\nAlone, over its recorded input, the operator gives what Spark's gives: what makes "
        "it depart is not in {}.\n",
        folder);
    if (!command.against.empty()) {
      ARROW_ASSIGN_OR_RAISE(const std::string versions, VersionsText(command));
      fmt::print("So today's answer is Spark's, and that of the earlier run was another: {}.\n",
                 versions);
    }
  }
  return kExitFalse;
}

// Natively the query fails, and on Spark it does not.
Result<int> ShrinkFailing(const DiagnoseCommand& command, const QueryToRun& query,
                          const std::string& error) {
  PrintText("Natively the query fails, on Spark it does not:\n" + Printable(error) + "\n\n");
  RETURN_NOT_OK(Dump(command, query, "*", "failure"));
  ARROW_ASSIGN_OR_RAISE(const auto dumps, DumpedOperators(command));
  for (const OperatorDump& dump : dumps) {
    if (dump.plan().spec.kind == "spark" || dump.inputs().empty()) continue;
    ShrinkCommand shrink;
    shrink.folder = dump.folder();
    shrink.shrink.out = command.Within("small");
    shrink.shrink.condition.fails = true;
    const Result<int> status = RunShrink(&shrink);
    if (status.ok()) return kExitFalse;
  }
  fmt::print("None of its operators fails when it is replayed alone: {}\n", command.Within("dump"));
  return kExitFalse;
}

// Compares the run of today with an earlier one.
Result<int> DiagnoseAgainst(const DiagnoseCommand& command, const QueryToRun& query) {
  RETURN_NOT_OK(ReferenceLedger(command).status());
  ARROW_ASSIGN_OR_RAISE(auto errors, RunQuery(command.engine, query,
                                              {{kNative, WithLedger(command, kNative, "execute")},
                                               {kAgain, WithLedger(command, kAgain, "execute")}},
                                              command.out));
  if (errors[kNative]) {
    PrintText(fmt::format("The query fails:\n{}\n", Printable(*errors[kNative])));
    return kExitNotCompared;
  }
  int exit = kExitDone;
  ARROW_ASSIGN_OR_RAISE(const auto suspect, FindDeparting(command, &exit));
  if (!suspect) return exit;
  ARROW_ASSIGN_OR_RAISE(const bool changes, ChangesFromRunToRun(command, *suspect));
  if (changes) {
    fmt::print(
        "So do two runs of today from each other: its rows change from run to run (reprise ledger "
        "diff {} {}).\n",
        command.Within("ledgers/native"), command.Within("ledgers/again"));
    return kExitFalse;
  }
  return ShrinkDeparting(command, query, *suspect);
}

Result<int> Diagnose(const DiagnoseCommand& command) {
  RETURN_NOT_OK(CheckAbsentOrEmpty(command.out, "--out"));
  ARROW_ASSIGN_OR_RAISE(const QueryToRun query, ReadQuery(command));
  RETURN_NOT_OK(SparkJvm(command.engine, "").status());
  std::error_code error;
  fs::create_directories(command.Within("ledgers"), error);
  if (error) return Status::IOError(command.out, ": cannot be made: ", error.message());
  if (!command.against.empty()) return DiagnoseAgainst(command, query);
  ARROW_ASSIGN_OR_RAISE(auto errors, RunQuery(command.engine, query,
                                              {{kSpark, WithLedger(command, kSpark, "explainOnly")},
                                               {kNative, WithLedger(command, kNative, "execute")}},
                                              command.out));
  if (errors[kSpark]) {
    PrintText(fmt::format("The query fails on Spark{}:\n{}\n",
                          errors[kNative] ? ", and natively too" : " alone",
                          Printable(*errors[kSpark])));
    return errors[kNative] ? kExitNotCompared : kExitFalse;
  }
  if (errors[kNative]) return ShrinkFailing(command, query, *errors[kNative]);
  int exit = kExitDone;
  ARROW_ASSIGN_OR_RAISE(const auto suspect, FindDeparting(command, &exit));
  return suspect ? ShrinkDeparting(command, query, *suspect) : exit;
}

Run DeclareDiagnose(CLI::App& app) {
  auto command = std::make_shared<DiagnoseCommand>();
  app.add_option("QUERY", command->query, "file of SQL statements; the last is the query")
      ->required();
  app.add_option("--out", command->out,
                 "folder for ledgers, dump and the shrunk dump: absent or empty")
      ->required();
  app.add_option("--table", command->tables,
                 "NAME=FOLDER: Parquet files that the query reads under a name; can be repeated");
  app.add_option("--conf", command->conf, "KEY=VALUE: a setting of Spark; can be repeated");
  app.add_option("--against", command->against,
                 "ledger of an earlier run of the query: compare with that in place of Spark's");
  app.add_option("--master", command->master, "Spark's master (default: local[*])");
  DeclareSparkPlace(app, &command->engine);
  return [command]() -> Result<int> {
    command->out = fs::absolute(command->out).string();
    return Diagnose(*command);
  };
}

}  // namespace

const Subcommand kDiagnose = {
    "diagnose", "Run a query on Spark and natively, and name what departs, down to the rows",
    "reprise diagnose query.sql --table lineitem=data/lineitem --out diagnosis\n"
    "Exit status: 0 the answers agree, 1 they differ, 2 bad usage or bad input, 3 nothing was "
    "compared, as where the query fails either way",
    DeclareDiagnose};

}  // namespace reprise
