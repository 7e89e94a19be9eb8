// reprise report LOG [-o FILE.html], reprise report LOG1 LOG2 [-o FILE.html]
//   purpose  see where an application's time went, what did not run natively, and what to do; of
//            two runs what became slower, and where
//   input    an event log, or a recording of a lineage
//   output   the findings, the one that costs most first; or the queries, those that became slower
//            by most first; with -o one page with all of it
//   example  reprise report /tmp/spark-events/local-1795267533281 -o report.html
#include "cli/cmd_report.h"

#include <fmt/format.h>

#include <map>

#include "base/figure_text.h"
#include "cli/beside_log.h"
#include "cli/comparison_text.h"
#include "cli/event_log.h"
#include "cli/figures.h"
#include "cli/ledger_text.h"
#include "ledger/ledger_graph.h"
#include "profile/stage_page.h"
#include "report/comparison_json.h"
#include "report/report_json.h"
#include "report/report_page.h"

namespace reprise {

namespace {

struct ReportOptions {
  EventLogOptions log;
  std::string second;
  std::string out;
  bool kinds = false;

  // A terminal is told by the report itself.
  bool WantsData() const { return log.json || !out.empty(); }
};

std::string WhereText(const Finding& finding) {
  std::string where;
  if (finding.query >= 0) where += fmt::format(", query {}", finding.query);
  if (finding.stage >= 0) where += fmt::format(", stage {}", finding.stage);
  if (finding.lore_id > 0) where += fmt::format(", LORE id {}", finding.lore_id);
  return where.empty() ? "" : " (" + where.substr(2) + ")";
}

// Of a kind that is found everywhere the first ones tell what there is to know.
constexpr int kShownOfKind = 3;

void PrintFindings(const Report& report) {
  constexpr int kIndent = 10;
  if (report.findings.empty()) fmt::print("Nothing that costs half a second or more was found.\n");
  std::map<std::string_view, int> of_kind;
  for (const Finding& finding : report.findings) {
    if (++of_kind[finding.kind] > kShownOfKind) continue;
    const std::string cost =
        finding.seconds > 0 ? MillisecondText(static_cast<int64_t>(1000 * finding.seconds)) : "";
    const std::string indent(kIndent, ' ');
    PrintText(fmt::format("{:>8}  {}\n", cost, Wrapped(finding.title, kIndent)));
    PrintText(indent + Wrapped(finding.evidence + WhereText(finding), kIndent) + "\n");
    PrintText(indent + Wrapped("try: " + finding.remedy, kIndent) + "\n");
    std::string_view rest = finding.paste;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      PrintText(fmt::format("{}  {}\n", indent, rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (const auto& [kind, count] : of_kind) {
    if (count <= kShownOfKind) continue;
    fmt::print("and {} more of {}: -o FILE.html or --json tells them all\n", count - kShownOfKind,
               kind);
  }
}

// Only where something is wrong: `reprise ledger check` tells all.
void PrintLedger(const nlohmann::json& ledger) {
  if (ledger.is_null() || !ledger["differs"]) return;
  PrintText(fmt::format("\nIts ledger: {}", ledger["text"].get<std::string>()));
}

// The reference page, made to be read as it is, too.
int PrintKinds() {
  fmt::print(
      "# What a report finds\n\nGenerated from the table in `core/report/finding_kinds.cc` by "
      "`reprise report --kinds`.\n\n| kind | is found where |\n|---|---|\n");
  for (const FindingKind& kind : kFindingKinds)
    fmt::print("| `{}` | {} |\n", kind.name, kind.tells);
  return kExitDone;
}

nlohmann::json PageData(const LoadedLog& log, const Report& report, const nlohmann::json& ledger) {
  nlohmann::json data = HeadJson(log);
  data.update(ReportJson(report));
  data["application"]["log"] = report.log;
  data["ledger"] = ledger;
  AddSlowTasks(report, &data["stages"]);
  return data;
}

Status WriteReport(const ReportOptions& options, const nlohmann::json& data) {
  if (options.log.json) fmt::print("{}\n", data.dump(2));
  if (options.out.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const std::string page, ReportPage(data));
  return WritePage(options.out, page);
}

// What the ledgers of both runs say; "" where not both wrote one that is here.
Result<std::string> DepartureText(const Report& left, const Report& right) {
  std::vector<Ledger> ledgers;
  for (const Report* report : {&left, &right}) {
    ARROW_ASSIGN_OR_RAISE(std::optional<Ledger> ledger, LedgerOf(*report));
    if (!ledger) return "";
    ledgers.push_back(*std::move(ledger));
  }
  if (ledgers[0].format != ledgers[1].format) return "";
  const LedgerGraph left_graph(ledgers[0]);
  const LedgerGraph right_graph(ledgers[1]);
  const LedgerDiff diff = DiffLedgers(left_graph, right_graph);
  const std::string command =
      fmt::format("`reprise ledger diff {} {}` tells more\n", ledgers[0].path, ledgers[1].path);
  if (!diff.Differs()) return "Their ledgers agree: " + command;
  const ComparedPair& first = diff.pairs[diff.differences.front()];
  return "Their ledgers do not agree. " + DepartsText(left_graph, diff, first) + command;
}

Result<int> CompareReports(const ReportOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog left_log, ReadEventLog(options.log.path, {}));
  ARROW_ASSIGN_OR_RAISE(const LoadedLog right_log, ReadEventLog(options.second, {}));
  const Report left = BuildReport(left_log.model, options.log.path);
  const Report right = BuildReport(right_log.model, options.second);
  const RunComparison comparison = CompareRuns(left, right);
  ARROW_ASSIGN_OR_RAISE(const std::string departure, DepartureText(left, right));
  if (options.WantsData()) {
    nlohmann::json data = PageData(right_log, right, LedgerJson(right));
    data["comparison"] = ToJson(comparison);
    data["comparison"]["ledger"] = departure;
    RETURN_NOT_OK(WriteReport(options, data));
  }
  if (!options.log.json) PrintText(ComparisonText(comparison) + departure);
  return kExitDone;
}

Result<int> MakeReport(const ReportOptions& options) {
  if (options.kinds) return PrintKinds();
  if (options.log.path.empty()) {
    return Status::Invalid("of which application? Give its event log");
  }
  if (!options.second.empty()) return CompareReports(options);
  ARROW_ASSIGN_OR_RAISE(const LoadedLog log, ReadEventLog(options.log.path, {}));
  const Report report = BuildReport(log.model, options.log.path);
  const nlohmann::json ledger = LedgerJson(report);
  if (options.WantsData()) RETURN_NOT_OK(WriteReport(options, PageData(log, report, ledger)));
  if (options.log.json) return kExitDone;
  PrintFindings(report);
  PrintLedger(ledger);
  if (!options.out.empty()) {
    fmt::print("{}: {}, {}, {}\n", options.out,
               Counted(static_cast<int64_t>(report.queries.size()), "query", "queries"),
               Counted(static_cast<int64_t>(log.model.stages().size()), "stage", "stages"),
               Counted(static_cast<int64_t>(report.findings.size()), "finding", "findings"));
  }
  return kExitDone;
}

Run DeclareReport(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  app.add_option("log", options->log.path,
                 "event log: a file, or the folder of a rolled one or of a recording");
  app.add_option("second", options->second, "the log of another run, to say what became slower");
  app.add_flag("--json", options->log.json, "as JSON");
  app.add_option("-o,--out", options->out, "a page that opens alone from disk: FILE.html");
  app.add_flag("--kinds", options->kinds, "what is looked for, as the reference page");
  return [options] { return MakeReport(*options); };
}

}  // namespace

const Subcommand kReport = {"report", "Show where an application's time went, and what to do",
                            "reprise report /tmp/spark-events/local-1795267533281 -o report.html\n"
                            "  reprise report /tmp/spark-events/monday /tmp/spark-events/tuesday",
                            DeclareReport};

}  // namespace reprise
