#include "cli/replay_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/figure_text.h"
#include "cli/figures.h"

namespace reprise {

namespace {

struct Times {
  int64_t min = 0;
  int64_t median = 0;
};

Times TimesOf(const std::vector<ReplayRun>& runs, int64_t ReplayRun::*member) {
  std::vector<int64_t> times;
  for (const ReplayRun& run : runs) times.push_back(run.*member);
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

std::string ComparisonText(const Comparison& comparison, const std::vector<Field>& fields) {
  std::string text(Name(comparison.verdict));
  if (comparison.verdict == Verdict::kDifferent) {
    text = text + ": " + Thousands(comparison.recorded.rows) + " rows recorded";
    const auto names = ColumnNames(comparison.columns, fields);
    if (!names.empty()) text += fmt::format("; columns {}", fmt::join(names, ", "));
  } else if (comparison.prefix) {
    text += fmt::format(" up to row {}, where its consumer stopped",
                        Thousands(comparison.recorded.rows));
  } else if (!comparison.holds()) {
    text += ", which --ordered forbids";
  }
  return text;
}

// "failed again, in the same way: …"
std::string FailureText(const PartitionReplay& replay) {
  std::string text = "failed";
  if (replay.failed_attempt && !replay.failed_attempt->is_elsewhere()) {
    const FailedAgain again = replay.failed_attempt->again;
    text += again == FailedAgain::kInSameWay      ? " again, in the same way"
            : again == FailedAgain::kInAnotherWay ? ", but in another way"
                                                  : " again";
  }
  return text + ": " + replay.error;
}

// "first difference in row 17, column b: recorded z, replayed !"
std::string FirstDifferenceText(const FirstDifference& difference,
                                const std::vector<Field>& fields) {
  const std::string column =
      difference.column ? fmt::format(", column {}", fields[*difference.column].name) : "";
  return fmt::format("first difference in row {}{}: recorded {}, replayed {}\n",
                     Thousands(difference.row), column, difference.recorded, difference.replayed);
}

// The digests of one partition side by side.
std::string DigestText(const PartitionReplay& replay, const std::vector<Field>& fields) {
  const StreamDigest& recorded = replay.comparison.recorded;
  const StreamDigest& replayed = replay.comparison.replayed;
  const bool comparable = replay.comparison.verdict != Verdict::kNotRecorded;
  TextTable table({{"digest of"}, {"recorded"}, {"replayed"}, {""}});
  const auto add = [&](const std::string& name, uint64_t before, uint64_t after) {
    table.Add({name, comparable ? Hex(before) : "", Hex(after),
               comparable && before != after ? "differs" : ""});
  };
  add("rows in order", recorded.ordered, replayed.ordered);
  add("rows in any order", recorded.unordered, replayed.unordered);
  for (size_t i = 0; i < replayed.columns.size(); ++i) {
    add(fields[i].name, comparable ? recorded.columns[i] : 0, replayed.columns[i]);
  }
  const auto& difference = replay.first_difference;
  return fmt::format("\npartition {}, {} rows recorded, {} rows replayed\n{}{}", replay.partition,
                     comparable ? Thousands(recorded.rows) : "no", Thousands(replayed.rows),
                     difference ? "  " + FirstDifferenceText(*difference, fields) : "",
                     table.ToString(2));
}

// The counters of --perf-stat, with what they are a row of input and run.
std::string CountersText(const ReplayReport& report) {
  if (!report.counters_missing.empty()) return "\n" + report.counters_missing + "\n";
  if (report.counters.empty()) return "";
  int64_t rows = 0;
  for (const PartitionReplay& replay : report.partitions) {
    rows += replay.input_rows * static_cast<int64_t>(replay.runs.size());
  }
  TextTable table({{"counter"}, {"all runs", true}, {"a row in", true}, {""}});
  for (const CounterValue& counter : report.counters) {
    table.Add({counter.name, Thousands(counter.value),
               rows == 0 ? ""
                         : fmt::format("{:.2f}", static_cast<double>(counter.value) /
                                                     static_cast<double>(rows)),
               counter.scaled ? "extrapolated" : ""});
  }
  return "\n" + table.ToString();
}

// How the output compares with that of --compare.
std::string ReferenceText(const std::string& of, const ReferenceComparison& reference,
                          const std::string& path, const std::vector<Field>& fields) {
  std::string text = fmt::format("{}compared with {}: {}\n", of, path,
                                 ComparisonText(reference.comparison, fields));
  if (reference.first_difference)
    text += "  " + FirstDifferenceText(*reference.first_difference, fields);
  return text;
}

// The assertion's outcome in one partition, where it does not hold.
std::string AssertionText(const PartitionReplay& replay) {
  const AssertionOutcome& outcome = *replay.assertion;
  if (!outcome.error.empty()) {
    return fmt::format("\npartition {}: the assertion raises an error: {}\n", replay.partition,
                       outcome.error);
  }
  std::string text = fmt::format("\npartition {}: {} of {} fail the assertion\n", replay.partition,
                                 Thousands(outcome.failing), Counted(outcome.rows, "row", "rows"));
  for (const FailingRow& row : outcome.sample) {
    text += fmt::format("  row {}:", Thousands(row.row));
    for (const auto& [name, value] : row.values) text += fmt::format(" {}={}", name, value);
    text += '\n';
  }
  return text;
}

// Why the replay of an attempt that failed need not fail.
std::string ReasonNotFailed(const PartitionReplay& replay) {
  const FailedAttempt& failed = *replay.failed_attempt;
  std::string text = "the attempt that was recorded failed";
  if (failed.is_elsewhere()) {
    return text + " outside of this operator: " + failed.error.Summary();
  }
  text += ", and its replay did not";
  if (replay.input_is_cut) text += "; a limit of the capture left out rows of an input";
  return text;
}

// Why there was nothing to compare the output of a partition with.
std::string ReasonNotCompared(const PlanMeta& plan, const PartitionReplay& replay) {
  if (replay.failed_attempt) return ReasonNotFailed(replay);
  if (plan.HasMaskedColumn()) return "columns are masked, and other values give another output";
  if (replay.input_is_cut) return "a limit of the capture left out rows of an input";
  if (!plan.output_recorded) return "the output was not recorded";
  if (replay.comparison.prefix) return "its consumer stopped it before its first row";
  return "the record of the output is not whole";
}

// "Not compared: 2 of 3 partitions, the output was not recorded."
std::string NotComparedText(const ReplayReport& report) {
  const auto compared = [](const PartitionReplay& replay) { return replay.is_compared(); };
  const auto first = std::ranges::find_if_not(report.partitions, compared);
  const auto count = std::ranges::count_if(report.partitions, std::not_fn(compared));
  return fmt::format(
      "Not compared: {} of {}, {}.\n", Thousands(count),
      Counted(static_cast<int64_t>(report.partitions.size()), "partition", "partitions"),
      ReasonNotCompared(report.plan, *first));
}

// Of an attempt that failed, of which one partition is replayed; empty where the replay says
// something else.
std::string FailedAttemptText(const PartitionReplay& replay) {
  if (!replay.failed_attempt || replay.failed_attempt->is_elsewhere()) return "";
  const FailedAttempt& failed = *replay.failed_attempt;
  switch (failed.again) {
    case FailedAgain::kInSameWay:
      return "Failed again, in the same way as the attempt that was recorded.\n";
    case FailedAgain::kInAnotherWay:
      return fmt::format("Failed, but in ANOTHER way than the attempt that was recorded: {}\n",
                         failed.error.Summary());
    case FailedAgain::kSomehow:
      return "Failed again, as the attempt that was recorded.\n";
    case FailedAgain::kNot:
      break;
  }
  if (!failed.must_fail) return "";
  return fmt::format(
      "NOT as recorded: the attempt that was recorded failed, and its replay did "
      "not: {}\n",
      failed.error.Summary());
}

std::string LastLine(const ReplayReport& report, const ReplayTextOptions& options) {
  const auto& partitions = report.partitions;
  const auto departs = [](const PartitionReplay& replay) { return !replay.is_as_recorded(); };
  if (partitions.size() == 1) {
    if (std::string text = FailedAttemptText(partitions[0]); !text.empty()) return text;
  }
  if (report.verdict() == ReplayVerdict::kNotCompared) return NotComparedText(report);
  if (report.holds()) return "As recorded.\n";
  if (const auto count = std::ranges::count_if(partitions, departs); count > 0) {
    return fmt::format("NOT as recorded: {} of {} partitions differ or fail.\n", count,
                       partitions.size());
  }
  const auto count = std::ranges::count_if(
      partitions, [](const PartitionReplay& replay) { return !replay.holds(); });
  if (count > 0) {
    return fmt::format("The assertion FAILS in {} of {} partitions.\n", count, partitions.size());
  }
  return fmt::format("As recorded, but NOT as {}.\n", options.compare_path);
}

// What went through the operators of a fragment, as a tree: what stands below feeds what is above.
std::string OperatorsText(const PartitionReplay& replay) {
  if (replay.operators.empty()) return "";
  constexpr size_t kRowTextMax = 60;
  TextTable table({{"LORE id", true},
                   {"operator"},
                   {"rows", true},
                   {"batches", true},
                   {"own time", true},
                   {"peak", true},
                   {"spilled", true},
                   {"first row"}});
  for (const OperatorFigures& one : replay.operators) {
    std::string row = one.first_rows.empty() ? "" : one.first_rows[0];
    if (row.size() > kRowTextMax) row = row.substr(0, kRowTextMax) + "…";
    table.Add({std::to_string(one.lore_id),
               std::string(static_cast<size_t>(one.depth) * 2, ' ') + one.name, Thousands(one.rows),
               Thousands(one.batches), DurationText(one.own_time_ns), ByteText(one.peak_bytes),
               ByteText(one.spilled_bytes), std::move(row)});
  }
  return fmt::format("\noperators of partition {}\n{}", replay.partition, table.ToString());
}

// Who held the memory at its peak.
std::string MemorySitesText(const std::vector<AllocationSite>& sites) {
  constexpr size_t kSitesShown = 8;
  if (sites.empty()) return "";
  TextTable table({{"held at the peak", true}, {"allocated by"}});
  for (size_t i = 0; i < std::min(sites.size(), kSitesShown); ++i) {
    table.Add({ByteText(sites[i].bytes), sites[i].function});
  }
  return "\n" + table.ToString();
}

// What is to be said of a partition below the table.
std::string DetailText(const PartitionReplay& replay, const ReplayTextOptions& options,
                       const std::vector<Field>& fields) {
  std::string text = OperatorsText(replay);
  if (options.digests || !replay.comparison.holds()) text += DigestText(replay, fields);
  if (replay.reference) {
    text += ReferenceText(fmt::format("\npartition {}, ", replay.partition), *replay.reference,
                          options.compare_path, fields);
  }
  if (replay.assertion && !replay.assertion->holds()) text += AssertionText(replay);
  if (replay.failing_place) {
    text += fmt::format("\npartition {} fails at {}\n", replay.partition,
                        ToString(*replay.failing_place));
  }
  return text;
}

}  // namespace

std::string VerdictText(const PartitionReplay& replay, const std::vector<Field>& fields) {
  if (!replay.error.empty()) return FailureText(replay);
  std::string text = ComparisonText(replay.comparison, fields);
  if (replay.failed_attempt) text = "did not fail";
  if (replay.reference && !replay.reference->comparison.holds()) text += "; not as --compare";
  if (replay.assertion && !replay.assertion->holds()) text += "; assertion fails";
  if (replay.ended_with_record) text += "; ends where the record ends";
  if (replay.unstable) text += "; runs differ from each other";
  return text;
}

void PrintReplayText(const ReplayReport& report, const ReplayTextOptions& options) {
  const OperatorSpec& spec = report.plan.spec;
  const bool repeated = options.repeated;
  fmt::print("{}  LORE id {}  {}  fingerprint {}\n\n", spec.name, spec.lore_id, spec.occurrence,
             spec.fingerprint);
  const bool has_memory = std::ranges::any_of(
      report.partitions, [](const auto& replay) { return replay.memory.has_value(); });
  std::vector<TextTable::Heading> headings = {{"partition", true},
                                              {"rows in", true},
                                              {"rows out", true},
                                              {repeated ? "own time min" : "own time", true},
                                              {repeated ? "median" : "with reading", true}};
  if (has_memory) headings.insert(headings.end(), {{"peak", true}, {"spilled", true}});
  headings.push_back({"output"});
  TextTable table(headings);
  for (const PartitionReplay& replay : report.partitions) {
    const Times own = TimesOf(replay.runs, &ReplayRun::own_time_ns);
    const Times wall = TimesOf(replay.runs, &ReplayRun::wall_time_ns);
    std::vector<std::string> cells = {std::to_string(replay.partition),
                                      Thousands(replay.input_rows), Thousands(replay.output.rows),
                                      DurationText(own.min),
                                      DurationText(repeated ? own.median : wall.min)};
    if (has_memory) {
      const ReplayMemory memory = replay.memory.value_or(ReplayMemory());
      cells.insert(cells.end(), {ByteText(memory.peak_bytes), ByteText(memory.spilled_bytes)});
    }
    cells.push_back(VerdictText(replay, spec.output));
    table.Add(std::move(cells));
  }
  fmt::print("{}", table.ToString());
  for (const PartitionReplay& replay : report.partitions) {
    fmt::print("{}", DetailText(replay, options, spec.output));
  }
  if (report.reference) {
    fmt::print("{}", ReferenceText("\nall partitions ", *report.reference, options.compare_path,
                                   spec.output));
  }
  fmt::print("{}{}", MemorySitesText(report.memory_sites), CountersText(report));
  fmt::print("\n{}", LastLine(report, options));
}

}  // namespace reprise
