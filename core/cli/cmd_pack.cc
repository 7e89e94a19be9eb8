// reprise pack DUMP/loreId-N -o one.reprise
//   purpose  one file of a dump, to send to a colleague
//   input    one operator's folder, or a whole dump
//   output   the file; reprise unpack makes the folder again
//   example  reprise pack dump/loreId-10 -o slow-filter.reprise
#include "cli/cmd_pack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/figure_text.h"
#include "cli/progress.h"
#include "dump/dump_path.h"
#include "dump/pack.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".reprise";

struct Paths {
  std::string from;
  std::string to;
};

std::string ReportText(const PackReport& report) {
  std::vector<std::string> names;
  for (const int64_t id : report.operators) names.push_back(OperatorFolder(id));
  return fmt::format("{}, {}, {}", fmt::join(names, ", "), Counted(report.files, "file", "files"),
                     ByteText(report.bytes));
}

// The last part of a path, a slash at its end or not.
std::string BaseNameOf(const std::string& path) {
  const fs::path given(path);
  return (given.has_filename() ? given : given.parent_path()).filename().string();
}

Run DeclarePack(CLI::App& app) {
  auto paths = std::make_shared<Paths>();
  app.add_option("FOLDER", paths->from, "DUMP/loreId-N, or a whole DUMP")->required();
  app.add_option("-o,--out", paths->to, "the file to make (default: the folder's name + .reprise)");
  return [paths]() -> Result<int> {
    if (paths->to.empty()) paths->to = BaseNameOf(paths->from) + std::string(kEnding);
    Progress progress("packing");
    const auto tell = [&](int done, int total) { progress.Show(done, total); };
    ARROW_ASSIGN_OR_RAISE(const PackReport report, PackDump(paths->from, paths->to, tell));
    progress.Clear();
    fmt::print("{}: {}\n", paths->to, ReportText(report));
    return kExitDone;
  };
}

Run DeclareUnpack(CLI::App& app) {
  auto paths = std::make_shared<Paths>();
  app.add_option("FILE", paths->from, "what reprise pack made")->required();
  app.add_option("-o,--out", paths->to,
                 "the folder to make (default: the file's name without .reprise)");
  return [paths]() -> Result<int> {
    if (paths->to.empty()) {
      paths->to = BaseNameOf(paths->from);
      if (paths->to.ends_with(kEnding)) paths->to.resize(paths->to.size() - kEnding.size());
    }
    Progress progress("unpacking");
    const auto tell = [&](int done, int total) { progress.Show(done, total); };
    ARROW_ASSIGN_OR_RAISE(const PackReport report, UnpackDump(paths->from, paths->to, tell));
    progress.Clear();
    fmt::print("{}: {}\n", paths->to, ReportText(report));
    return kExitDone;
  };
}

}  // namespace

const Subcommand kPack = {"pack", "Make one file of a dump, to send to a colleague",
                          "reprise pack dump/loreId-10 -o slow-filter.reprise", DeclarePack};

const Subcommand kUnpack = {"unpack", "Make the folder again from what reprise pack made",
                            "reprise unpack slow-filter.reprise -o dump", DeclareUnpack};

}  // namespace reprise
