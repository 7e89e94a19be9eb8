// Files that are small, many, of a slow format, or slow to list.
#include "report/finding_kinds.h"
#include "report/looking.h"

namespace reprise {

namespace {

constexpr int64_t kSmallFile = 4 * kMegabyte;
constexpr int64_t kManyFiles = 100;

bool IsScan(const GraphNode& node) {
  return node.operator_name.find("Scan") != std::string::npos &&
         node.operator_name != "InMemoryTableScan";
}

// "CSV" where a scan reads CSV; empty where it reads no text.
std::string_view TextFormatOf(const GraphNode& node) {
  constexpr std::pair<std::string_view, std::string_view> kFormats[] = {
      {"csv", "CSV"}, {"json", "JSON"}, {"text", "TEXT"}, {"xml", "XML"}};
  const std::string name = node.operator_name + " ";
  for (const auto& [lower, upper] : kFormats) {
    for (const std::string_view format : {lower, upper}) {
      if (name.starts_with(fmt::format("Scan {} ", format)) ||
          node.logged->text.find(fmt::format("Format: {}", format)) != std::string::npos) {
        return upper;
      }
    }
  }
  return {};
}

}  // namespace

void FindSmallFiles(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    const GraphNode& node = query.plan[at];
    if (!IsScan(node)) return;
    const int64_t files = node.Metric(report.model, "number of files read");
    const int64_t bytes = node.Metric(report.model, "size of files read");
    if (files < kManyFiles || bytes / files > kSmallFile) return;
    // Of each its status, its footer and a look at its first pages.
    constexpr double kOpenMs = 10;
    const StageAttempt* attempt = AttemptOf(report.model, node);
    Finding finding = AtOperator("small-files", query, at);
    finding.title = fmt::format("{} reads {} files of {} each", Named(query, at), Thousands(files),
                                ByteText(bytes / files));
    const double open_ms = kOpenMs * static_cast<double>(files);
    finding.seconds = attempt == nullptr ? open_ms / kMsPerSecond : WallSeconds(open_ms, *attempt);
    finding.evidence =
        fmt::format("{} in all; opening a file costs as much as reading some MB", ByteText(bytes));
    finding.remedy = "write the table again in larger files";
    finding.paste = fmt::format("INSERT OVERWRITE … SELECT /*+ REPARTITION({}) */ *",
                                std::max<int64_t>(1, bytes / (128 * kMegabyte)));
    findings->push_back(std::move(finding));
  });
}

void FindSmallFilesWritten(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    const GraphNode& node = query.plan[at];
    const int64_t files = node.Metric(report.model, "number of written files");
    const int64_t bytes = node.Metric(report.model, "written output");
    if (files < kManyFiles || bytes / files > kSmallFile) return;
    constexpr double kCommitMs = 10;
    Finding finding = AtOperator("small-files-written", query, at);
    finding.title = fmt::format("Query {} writes {} files of {} each", query.execution->id,
                                Thousands(files), ByteText(bytes / files));
    finding.seconds = kCommitMs * static_cast<double>(files) / kMsPerSecond /
                      static_cast<double>(std::max<int64_t>(report.cores, 1));
    finding.evidence = fmt::format("{} in all; whoever reads them pays again", ByteText(bytes));
    finding.remedy = "let adaptive execution make partitions of one size before the write";
    finding.paste = "/*+ REBALANCE */";
    findings->push_back(std::move(finding));
  });
}

void FindListing(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    const GraphNode& node = query.plan[at];
    const int64_t ms = node.Metric(report.model, "metadata time");
    if (!IsScan(node) || ms <= 0) return;
    Finding finding = AtOperator("listing", query, at);
    finding.title = fmt::format("{} lists its files for {} on the driver", Named(query, at),
                                MillisecondText(ms));
    finding.seconds = static_cast<double>(ms) / kMsPerSecond;
    const int64_t files = node.Metric(report.model, "number of files read");
    finding.evidence =
        fmt::format("of {} that it reads", Counted(std::max<int64_t>(files, 0), "file", "files"));
    finding.remedy =
        "filter on the partition columns, so that the catalog leaves folders out; or "
        "list on the executors";
    finding.paste = "spark.sql.sources.parallelPartitionDiscovery.threshold=8";
    findings->push_back(std::move(finding));
  });
}

void FindTextFiles(const Report& report, Findings* findings) {
  ForEachOperator(report, [&](const ReportedQuery& query, int at) {
    const GraphNode& node = query.plan[at];
    const std::string_view format = TextFormatOf(node);
    if (!IsScan(node) || format.empty()) return;
    constexpr double kSaved = 0.7;  // by a columnar format, of what parsing takes
    Finding finding = AtOperator("text-files", query, at);
    finding.title = fmt::format("{} parses {}", Named(query, at), format);
    finding.seconds = kSaved * WallSeconds(report, node);
    finding.evidence = fmt::format("about {} of task time for {} rows",
                                   MillisecondText(static_cast<int64_t>(node.task_ms)),
                                   Thousands(std::max<int64_t>(node.rows, 0)));
    finding.remedy = "convert what is read more than once to Parquet";
    finding.paste = "CREATE TABLE … USING parquet AS SELECT * FROM …";
    findings->push_back(std::move(finding));
  });
}

}  // namespace reprise
