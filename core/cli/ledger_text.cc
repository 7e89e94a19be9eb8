#include "cli/ledger_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/figure_text.h"
#include "cli/partition_text.h"
#include "ledger/ledger_graph.h"

namespace reprise {

namespace {

constexpr size_t kListedMax = 5;

std::string ThingsText(int64_t count) {
  return Counted(count, "operator or RDD", "operators and RDDs");
}

std::string InPartitions(const std::vector<int32_t>& partitions) {
  if (partitions.empty()) return "";
  return fmt::format(" in {} {}", partitions.size() == 1 ? "partition" : "partitions",
                     PartitionText(partitions));
}

std::string InColumns(const std::vector<std::string>& columns) {
  if (columns.empty()) return "";
  return fmt::format(" in {} {}", columns.size() == 1 ? "column" : "columns",
                     fmt::join(columns, ", "));
}

std::string AttemptText(const Ledger& ledger, const LedgerChecksums& checksums) {
  const LedgerTask& task = ledger.tasks[checksums.task];
  return fmt::format("{} by task {} (stage {}.{}, attempt {}, executor {}{})",
                     Counted(checksums.rows, "row", "rows"), task.id, task.stage,
                     task.stage_attempt, task.attempt, ledger.executors[task.executor],
                     task.success ? "" : ", which failed");
}

// One attempt of each result.
std::string PartitionLines(const Ledger& ledger, const CheckedPartition& partition) {
  std::string text;
  size_t shown = 0;
  for (size_t i = 0; i < partition.attempts.size() && shown < kListedMax; ++i) {
    if (partition.versions[i] != shown) continue;
    const std::string head =
        shown == 0 ? fmt::format("  partition {}: ", partition.partition) : "    and ";
    text += head + AttemptText(ledger, *partition.attempts[i]) + "\n";
    ++shown;
  }
  return text;
}

std::string BetweenText(const std::vector<std::string>& between) {
  if (between.empty()) return "";
  return fmt::format("  Not recorded between it and its input, and as likely at fault: {}.\n",
                     fmt::join(between, ", "));
}

std::string RddLines(const LedgerGraph& graph, size_t subject) {
  const std::vector<std::string> rdds = graph.RddsOf(subject);
  if (rdds.empty()) return "";
  std::string text = "  One of the RDDs that its stage computes in one go makes the difference:\n";
  for (const std::string& rdd : rdds) text += fmt::format("    {}\n", rdd);
  return text;
}

std::string BatchLines(int64_t batches) {
  if (batches == 0) return "";
  return fmt::format(
      "  {} of Python's values could not be taken apart: there another order, or another cut, "
      "reads as other values.\n",
      Counted(batches, "batch", "batches"));
}

std::string TitleOf(const LedgerGraph& graph, size_t subject) {
  const std::string name = graph.NameOf(subject);
  const std::string place = graph.PlaceOf(subject);
  const bool of_query = graph.ledger().subjects[subject].kind == SubjectKind::kOperator;
  return of_query ? fmt::format("{} of {}", name, place) : fmt::format("{} ({})", name, place);
}

// An RDD with all that read it.
std::string TitleOf(const LedgerGraph& graph, const CheckedSubject& each) {
  if (each.readers.size() < 2) return TitleOf(graph, each.subject);
  std::vector<std::string> places;
  for (size_t i = 0; i < each.readers.size() && i < kListedMax; ++i) {
    places.push_back(graph.PlaceOf(each.readers[i]));
  }
  if (each.readers.size() > kListedMax) {
    places.push_back(fmt::format("and {} more", each.readers.size() - kListedMax));
  }
  return fmt::format("{} ({})", graph.NameOf(each.subject), fmt::join(places, "; "));
}

std::string CheckedText(const LedgerGraph& graph, const CheckedSubject& each) {
  std::vector<int32_t> partitions;
  bool action = false;
  for (const CheckedPartition& partition : each.partitions) {
    if (partition.agreement != each.agreement) continue;
    partitions.push_back(partition.partition);
    action |= partition.of_value;
  }
  std::string what = each.agreement == Agreement::kOrder ? "its rows came in another order"
                     : action ? "what the action made of its rows differs"
                              : "its output differs";
  what += InColumns(each.columns) + InPartitions(partitions);
  if (each.origin == Origin::kInherits) {
    return fmt::format("  {}: {}\n", TitleOf(graph, each), what);
  }
  const std::string input = each.origin == Origin::kInputUnknown ? "its input was not recorded"
                            : each.inputs == 0                   ? "it reads nothing that differs"
                                                                 : "its input agrees";
  std::string text = fmt::format("{} departs: {}, {}.\n", TitleOf(graph, each), input, what);
  text += BetweenText(each.between);
  for (size_t i = 0, shown = 0; i < each.partitions.size() && shown < kListedMax; ++i) {
    if (each.partitions[i].agreement != each.agreement) continue;
    text += PartitionLines(graph.ledger(), each.partitions[i]);
    ++shown;
  }
  return text + BatchLines(graph.ledger().subjects[each.subject].python_batches) +
         RddLines(graph, each.subject);
}

std::string InputText(const LedgerDiff& diff, const ComparedPair& pair) {
  if (pair.origin == Origin::kInputUnknown) return "its input was not recorded in both runs";
  if (pair.inputs.empty()) return "it reads nothing that was recorded";
  std::vector<std::string> rows;
  for (const size_t input : pair.inputs) {
    rows.push_back(Counted(diff.pairs[input].left_rows, "row", "rows"));
  }
  return fmt::format("its {} ({})", rows.size() == 1 ? "input agrees" : "inputs agree",
                     fmt::join(rows, ", "));
}

std::string DifferenceText(const LedgerGraph& left, const ComparedPair& pair) {
  const auto columns = ColumnNames(left.ledger().subjects[pair.left], pair.columns);
  std::string text =
      pair.agreement == Agreement::kOrder ? "its rows come in another order" : "its output differs";
  text += InColumns(columns) + InPartitions(pair.partitions);
  if (pair.left_rows != pair.right_rows) {
    text += fmt::format(": {} in the first run, {} in the second",
                        Counted(pair.left_rows, "row", "rows"), Thousands(pair.right_rows));
  }
  if (pair.in_total) text += ", all partitions together";
  return text;
}

std::string NextStep(const LedgerGraph& left, const LedgerGraph& right, const ComparedPair& pair) {
  const LedgerSubject& subject = left.ledger().subjects[pair.left];
  if (subject.kind != SubjectKind::kOperator) {
    const int32_t partition = pair.partitions.empty() ? 0 : pair.partitions.front();
    return fmt::format(
        "  To look into it, record a run with spark.reprise.lineage.path, and debug a task:\n"
        "    reprise debug-task RECORDING --stage {} --partition {}\n",
        *left.StagesOf(pair.left).rbegin(), partition);
  }
  const int64_t other = right.ledger().subjects[pair.right].lore_id;
  const std::string partitions = DumpPartitions(pair.partitions);
  const std::string second = other == subject.lore_id
                                 ? ""
                                 : fmt::format(" (there idsToDump is {}[{}])", other, partitions);
  return fmt::format(
      "  To take it home, set before that query in both runs, and compare the records:\n"
      "    spark.conf.set(\"spark.reprise.lore.idsToDump\", \"{0}[{1}]\")\n"
      "    spark.conf.set(\"spark.reprise.lore.dumpPath\", \"file:/tmp/first\")"
      "   # file:/tmp/second in the second run{2}\n"
      "    spark.conf.set(\"spark.reprise.lore.perQuery\", \"false\")\n"
      "    reprise replay /tmp/first/loreId-{0} --compare /tmp/second/loreId-{3}\n",
      subject.lore_id, partitions, second, other);
}

std::string DepartureText(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff,
                          const ComparedPair& pair) {
  std::string text = DepartsText(left, diff, pair);
  if (pair.IsLook()) {
    text +=
        fmt::format("  {} looked at it for its partitioner, and gave it to nothing else{}.\n",
                    pair.looked_at_for,
                    pair.explained ? "; what it sees depends on partitions, or on the order" : "");
  } else if (pair.input_distributed) {
    text += "  Its input has its rows in other partitions, which alone may explain it.\n";
  } else if (pair.reader_distributed) {
    text += "  What reads it has the same rows in other partitions, which alone may explain it.\n";
  }
  if (pair.input_reordered) {
    text += "  Its input has its rows in another order, which alone may explain it.\n";
  }
  if (pair.IsLook() && pair.explained) return text;
  if (pair.absorbed) text += "  What comes of it agrees again.\n";
  text += BatchLines(left.ledger().subjects[pair.left].python_batches +
                     right.ledger().subjects[pair.right].python_batches);
  return text + RddLines(left, pair.left) + NextStep(left, right, pair);
}

// What departs with a cached RDD in common.
std::string CachedText(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff,
                       const std::vector<size_t>& readers) {
  const ComparedPair& first = diff.pairs[readers.front()];
  const Rdd& rdd = left.ledger().lineage.rdds().at(first.cached);
  std::string text =
      fmt::format("#{} {}, which is cached, departs, or {} that have read it do: {}.\n",
                  first.cached, rdd.Text(), readers.size(), InputText(diff, first));
  int64_t batches = 0;
  for (const size_t reader : readers) {
    const ComparedPair& pair = diff.pairs[reader];
    text += fmt::format("  {}: {}\n", TitleOf(left, pair.left), DifferenceText(left, pair));
    batches += left.ledger().subjects[pair.left].python_batches +
               right.ledger().subjects[pair.right].python_batches;
  }
  return text + BatchLines(batches) + NextStep(left, right, first);
}

std::string ListText(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff,
                     const std::vector<size_t>& indexes, std::string_view inherit) {
  std::string text;
  std::string inherited;
  std::map<int64_t, std::vector<size_t>> cached;
  for (const size_t index : indexes) {
    const int64_t rdd = diff.pairs[index].cached;
    if (rdd >= 0) cached[rdd].push_back(index);
  }
  for (const size_t index : indexes) {
    const ComparedPair& pair = diff.pairs[index];
    if (pair.cached >= 0) {
      const std::vector<size_t>& readers = cached.at(pair.cached);
      if (readers.size() > 1) {
        if (readers.front() == index) text += CachedText(left, right, diff, readers) + "\n";
        continue;
      }
    }
    if (pair.origin == Origin::kInherits) {
      inherited += fmt::format("  {}: {}\n", TitleOf(left, pair.left), DifferenceText(left, pair));
    } else {
      text += DepartureText(left, right, diff, pair) + "\n";
    }
  }
  if (!inherited.empty()) text += fmt::format("{}\n{}\n", inherit, inherited);
  return text;
}

std::string OnlyText(const LedgerGraph& graph, const std::vector<size_t>& subjects,
                     std::string_view run) {
  if (subjects.empty()) return "";
  return fmt::format("{} of the {} run {} no counterpart, beginning with {}.\n",
                     ThingsText(static_cast<int64_t>(subjects.size())), run,
                     subjects.size() == 1 ? "has" : "have", TitleOf(graph, subjects.front()));
}

// What was computed again and says nothing.
std::string UncomparedText(const LedgerCheck& check) {
  if (check.partitions_uncompared == 0) return "";
  const std::string reason =
      check.uncompared_reason.empty() ? "" : fmt::format(" ({})", check.uncompared_reason);
  return fmt::format(
      "{} computed more than once could NOT be compared: not all of it was checksummed{}, or read "
      "to "
      "the end.\n",
      Counted(check.partitions_uncompared, "partition", "partitions"), reason);
}

// What could not be compared, by reason.
std::string UnknownText(const LedgerGraph& left, const LedgerDiff& diff) {
  std::map<std::string, std::vector<const ComparedPair*>> reasons;
  for (const ComparedPair& pair : diff.pairs) {
    if (pair.agreement == Agreement::kUnknown) reasons[pair.unknown].push_back(&pair);
  }
  std::string text;
  for (const auto& [reason, pairs] : reasons) {
    text +=
        fmt::format("Not compared: {}{}: {}.\n", TitleOf(left, pairs.front()->left),
                    pairs.size() == 1 ? "" : fmt::format(" and {} more", pairs.size() - 1), reason);
  }
  return text;
}

std::string NotesText(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff,
                      bool order) {
  int64_t distributed = 0;
  int64_t uncompared = 0;
  for (const ComparedPair& pair : diff.pairs) {
    distributed += pair.agreement == Agreement::kDistribution ? 1 : 0;
    if (pair.agreement != Agreement::kUnknown) uncompared += pair.partitions_uncompared;
  }
  std::string text;
  if (distributed > 0) {
    text += fmt::format("{} gave the same rows in other partitions.\n", ThingsText(distributed));
  }
  if (!diff.orders.empty() && !order) {
    text += fmt::format("{} gave the same rows in another order (--order lists them).\n",
                        ThingsText(static_cast<int64_t>(diff.orders.size())));
  }
  if (uncompared > 0) {
    text += fmt::format("{} not compared: not recorded whole in both runs.\n",
                        Counted(uncompared, "partition was", "partitions were"));
  }
  return text + UnknownText(left, diff) + OnlyText(left, diff.matched.left_only, "first") +
         OnlyText(right, diff.matched.right_only, "second");
}

}  // namespace

std::string DepartsText(const LedgerGraph& left, const LedgerDiff& diff, const ComparedPair& pair) {
  return fmt::format("{} departs: {}, {}.\n{}", TitleOf(left, pair.left), InputText(diff, pair),
                     DifferenceText(left, pair), BetweenText(pair.between));
}

std::string LedgerText(const Ledger& ledger) {
  std::string text = fmt::format(
      "{}: {} ({}, Spark {}), {} in {}\n", ledger.path, ledger.application, ledger.application_id,
      ledger.spark_version, ThingsText(static_cast<int64_t>(ledger.subjects.size())),
      Counted(static_cast<int64_t>(ledger.tasks.size()), "task", "tasks"));
  std::vector<std::string> missing;
  if (ledger.damages.count() > 0) {
    missing.push_back(Counted(ledger.damages.count(), "line or file could not be read",
                              "lines or files could not be read"));
  }
  for (const Ledger::Gap& gap : ledger.Gaps()) {
    missing.push_back(
        fmt::format("stage {} lacks {} of {} partitions", gap.stage, gap.partitions, gap.of));
    if (missing.size() == kListedMax) break;
  }
  if (ledger.lineage.ended() == 0) missing.push_back("the application had not ended");
  if (missing.empty()) return text;
  return text + fmt::format("  It is not whole: {}. Nothing is said of what is missing.\n",
                            fmt::join(missing, "; "));
}

std::string CheckText(const LedgerGraph& graph, const LedgerCheck& check, bool order) {
  std::string text;
  std::string inherited;
  std::string reordered;
  int64_t orders = 0;
  int64_t differ = 0;
  for (const CheckedSubject& each : check.differences) {
    const std::string line = CheckedText(graph, each);
    const bool expected = each.agreement == Agreement::kOrder && each.origin == Origin::kInherits;
    if (expected) {
      ++orders;
      reordered += line;
      continue;
    }
    ++differ;
    (each.origin == Origin::kInherits ? inherited : text) +=
        each.origin == Origin::kInherits ? line : line + "\n";
  }
  if (!inherited.empty())
    text += "These inherit it, for what they read differs:\n" + inherited + "\n";
  if (orders > 0 && order) {
    text += "These follow the order in which rows came, which is open behind a shuffle:\n" +
            reordered + "\n";
  }
  if (orders > 0 && !order) {
    text += fmt::format(
        "{} gave the same rows in another order, as they may behind a shuffle (--order lists "
        "them).\n",
        ThingsText(orders));
  }
  if (check.subjects_repeated == 0) {
    return text + (check.partitions_uncompared == 0
                       ? "Nothing was computed more than once: nothing was compared.\n"
                       : "Nothing was compared. " + UncomparedText(check));
  }
  return text +
         fmt::format(
             "{} of {} computed more than once, in {}: {}.\n", check.subjects_repeated,
             ThingsText(check.subjects),
             Counted(check.partitions_repeated, "partition", "partitions"),
             differ == 0 ? "the same each time" : fmt::format("{} of them DIFFER", differ)) +
         UncomparedText(check);
}

std::string DiffText(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff,
                     bool order) {
  std::string text = ListText(left, right, diff, diff.differences,
                              "These inherit it, for what they read differs:");
  if (order) {
    text += ListText(left, right, diff, diff.orders, "These inherit another order:");
  }
  text += NotesText(left, right, diff, order);
  const int64_t explained = std::ranges::count_if(
      diff.differences, [&](size_t index) { return diff.pairs[index].explained; });
  const int64_t differ = static_cast<int64_t>(diff.differences.size()) - explained;
  std::vector<std::string> verdicts;
  if (differ > 0) verdicts.push_back(fmt::format("{} of them DIFFER", differ));
  if (explained > 0) {
    verdicts.push_back(fmt::format(
        "{} of them differ as rows in other partitions do, and what comes of them agrees",
        explained));
  }
  if (verdicts.empty()) verdicts.push_back("the values agree");
  return text +
         fmt::format("{} compared: {}.\n", ThingsText(diff.compared), fmt::join(verdicts, "; "));
}

}  // namespace reprise
