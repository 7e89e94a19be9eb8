// reprise flame DIR|FILE
//   purpose  make the pages of recordings again, of some of their samples, or of two that differ
//   input    recordings (.jfr) that the plug-in or async-profiler wrote; a folder: all in it
//   output   a page for each recording, beside it or in -o; or "root;frame;leaf 12" lines
//   example  reprise flame /tmp/flames --task 17 -o task-17.html
#include "cli/cmd_flame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>

#include "cli/not_negative.h"
#include "profile/page_text.h"
#include "profile/slow_tasks.h"
#include "profile/stage_page.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

struct FlameOptions {
  std::string path;
  std::vector<std::string> compared;
  std::string out;
  int64_t task = -1;
  int64_t lore_id = -1;
  std::string thread;
  bool collapsed = false;
  bool unscaled = false;

  bool has_filter() const { return task >= 0 || lore_id >= 0 || !thread.empty(); }
  SampleFilter Filter() const {
    SampleFilter filter;
    if (task >= 0) filter.tasks = {task};
    if (lore_id >= 0) filter.lore_id = lore_id;
    filter.thread = thread;
    return filter;
  }
  // "task 17, loreId 5"
  std::string FilterText() const {
    std::string text;
    const auto add = [&text](const std::string& part) {
      text += (text.empty() ? "" : ", ") + part;
    };
    if (task >= 0) add(fmt::format("task {}", task));
    if (lore_id >= 0) add(fmt::format("loreId {}", lore_id));
    if (!thread.empty()) add("threads " + thread);
    return text;
  }
};

Result<std::vector<std::string>> RecordingsOf(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".jfr" && !name.starts_with('.')) {
      files.push_back(entry.path().string());
    }
  }
  if (files.empty()) return Status::Invalid(path, ": there is no recording (*.jfr) in it");
  std::ranges::sort(files);
  return files;
}

// Of an executor that was killed: its last chunk has no names of functions.
void WarnOfTorn(const std::string& path, const SampledStacks& sampled) {
  if (sampled.torn_bytes == 0) return;
  std::cerr << fmt::format("reprise: {}: the last {} bytes were not ended and are left out\n", path,
                           sampled.torn_bytes);
}

constexpr size_t kNamesMax = 20;

/// "tasks 57, 58 and operators RepriseFilter [loreId=3]": what could have been asked for.
std::string ContentsOf(const std::vector<std::string>& files) {
  const auto all = ReadStacks(files, {});
  if (!all.ok()) return "nothing";
  std::vector<std::string> tasks;
  for (const auto& [id, task] : all->tasks) tasks.push_back(std::to_string(id));
  std::vector<std::string> operators;
  for (const auto& [lore_id, samples] : all->operator_samples) {
    const auto name = all->operator_names.find(lore_id);
    operators.push_back(name == all->operator_names.end() ? fmt::format("[loreId={}]", lore_id)
                                                          : name->second);
  }
  const auto list = [](std::string_view what, std::vector<std::string> names) {
    if (names.empty()) return fmt::format("no {}", what);
    const size_t more = names.size() - std::min(names.size(), kNamesMax);
    names.resize(names.size() - more);
    return fmt::format("{} {}{}", what, fmt::join(names, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  };
  return list("tasks", std::move(tasks)) + " and " + list("operators", std::move(operators));
}

Result<SampledStacks> Read(const std::string& path, const FlameOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const auto files, RecordingsOf(path));
  for (const std::string& file : files) {
    std::error_code error;  // what cannot be read says so below
    if (fs::file_size(file, error) == 0 && !error) {
      return Status::Invalid(file, ": the recording is empty: 0 bytes, expected a chunk at least");
    }
  }
  ARROW_ASSIGN_OR_RAISE(SampledStacks sampled, ReadStacks(files, options.Filter()));
  if (sampled.chunks == 0) {
    return Status::Invalid(path, ": the recording ends within its first chunk (",
                           sampled.torn_bytes,
                           " bytes), whose functions have no names yet: there is nothing to show");
  }
  WarnOfTorn(path, sampled);
  if (options.has_filter() && sampled.stacks.empty()) {
    return Status::Invalid(path, ": no sample is of ", options.FilterText(),
                           "; there are samples of ", ContentsOf(files));
  }
  return sampled;
}

Status WritePageOf(FlamePageText text, const SampledStacks& sampled, const FlameOptions& options,
                   const std::string& out) {
  RETURN_NOT_OK(WritePage(out, StagePage(sampled, std::move(text), options.FilterText())));
  fmt::print("{}: {}\n", out, CountText(sampled));
  return Status::OK();
}

int PrintCollapsed(const SampledStacks& sampled) {
  for (const auto& [frames, weight] : Named(sampled.stacks, *sampled.names)) {
    std::string line;
    for (std::string frame : frames) {
      // Both mean something in this form.
      std::ranges::replace(frame, ';', ':');
      std::ranges::replace(frame, '\n', ' ');
      line += (line.empty() ? "" : ";") + frame;
    }
    fmt::print("{} {}\n", line, weight);
  }
  return kExitDone;
}

// Both parts of the wall clock are one event: a thread waits or runs.
std::string EventOf(const std::vector<std::string>& frames) {
  constexpr std::string_view kWall = "wall clock";
  if (frames.empty()) return "";
  return frames.front().starts_with(kWall) ? std::string(kWall) : frames.front();
}

std::map<std::string, int64_t> EventTotals(const CollapsedStacks& stacks) {
  std::map<std::string, int64_t> totals;
  for (const auto& [frames, weight] : stacks) totals[EventOf(frames)] += weight;
  return totals;
}

// Each event scaled up to as many samples as `other` has, where those are more: no stack is lost.
CollapsedStacks ScaledUpTo(const CollapsedStacks& other, const CollapsedStacks& stacks) {
  const auto own = EventTotals(stacks);
  const auto wanted = EventTotals(other);
  CollapsedStacks scaled;
  for (const auto& [frames, weight] : stacks) {
    const std::string event = EventOf(frames);
    const auto to = wanted.find(event);
    const double factor =
        to == wanted.end() ? 1
                           : static_cast<double>(to->second) / static_cast<double>(own.at(event));
    scaled[frames] = std::llround(static_cast<double>(weight) * std::max(factor, 1.0));
  }
  return scaled;
}

// How the two are called: by their pages' titles, where those do not tell them apart by their
// applications too, else by their paths.
std::pair<std::string, std::string> ComparedNames(const std::vector<std::string>& paths) {
  const FlamePageText before = TextOfRecording(paths[0]);
  const FlamePageText after = TextOfRecording(paths[1]);
  if (before.title != after.title) return {before.title, after.title};
  if (before.about == after.about) return {paths[0], paths[1]};
  return {before.title + ", " + before.about, after.title + ", " + after.about};
}

Result<int> CompareFlames(const FlameOptions& options) {
  if (options.out.empty()) return Status::Invalid("--diff needs -o PAGE.html");
  ARROW_ASSIGN_OR_RAISE(const SampledStacks before, Read(options.compared[0], options));
  ARROW_ASSIGN_OR_RAISE(const SampledStacks after, Read(options.compared[1], options));
  const auto names = ComparedNames(options.compared);
  const std::string filter = options.FilterText();
  const FlamePageText text{
      names.first + " against " + names.second,
      fmt::format("{}{}: {}\n{}: {}\n{}red: more in {}, blue: less",
                  filter.empty() ? "" : "only " + filter + "\n", names.first, CountText(before),
                  names.second, CountText(after),
                  options.unscaled ? "" : "each event scaled to as many samples; ", names.second),
      "samples",
      /*about=*/"",
      /*has_events=*/true};
  const CollapsedStacks first = Named(before.stacks, *before.names);
  const CollapsedStacks second = Named(after.stacks, *after.names);
  RETURN_NOT_OK(WritePage(options.out, options.unscaled
                                           ? DifferencePage(text, first, second, names)
                                           : DifferencePage(text, ScaledUpTo(second, first),
                                                            ScaledUpTo(first, second), names)));
  fmt::print("{}\n", options.out);
  return kExitDone;
}

// Beside the recording.
Status MakePage(const std::string& file, const FlameOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const SampledStacks sampled, Read(file, options));
  return WritePageOf(TextOfRecording(file), sampled, options,
                     fs::path(file).replace_extension(".html").string());
}

Result<int> MakePages(const FlameOptions& options) {
  if (!options.compared.empty()) return CompareFlames(options);
  if (options.path.empty()) return Status::Invalid("which recording, or folder of recordings?");
  if (options.collapsed) {
    ARROW_ASSIGN_OR_RAISE(const SampledStacks sampled, Read(options.path, options));
    return PrintCollapsed(sampled);
  }
  if (!options.out.empty() || options.has_filter()) {
    if (options.out.empty()) return Status::Invalid("a page of some samples needs -o PAGE.html");
    ARROW_ASSIGN_OR_RAISE(const SampledStacks sampled, Read(options.path, options));
    std::error_code error;
    FlamePageText text = fs::is_directory(options.path, error)
                             ? FlamePageText{options.path, "", "samples"}
                             : TextOfRecording(options.path);
    RETURN_NOT_OK(WritePageOf(std::move(text), sampled, options, options.out));
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const auto files, RecordingsOf(options.path));
  // A recording that is damaged does not keep the others from their pages.
  int exit = kExitDone;
  for (const std::string& file : files) {
    const Status made = MakePage(file, options);
    if (made.ok()) continue;
    std::cerr << "reprise: " << made.message() << "\n";
    exit = kExitBadInput;
  }
  return exit;
}

Run DeclareFlame(CLI::App& app) {
  auto options = std::make_shared<FlameOptions>();
  CLI::Option* const path =
      app.add_option("PATH", options->path, "a recording, or a folder of them");
  app.add_option("-o,--out", options->out,
                 "write one page of all samples here, not one beside each recording");
  CLI::Option* const diff = app.add_option("--diff", options->compared,
                                           "show where two recordings differ: red, more in B")
                                ->expected(2)
                                ->excludes(path);
  app.add_flag("--unscaled", options->unscaled, "with --diff: compare the samples as they are")
      ->needs(diff);
  app.add_option("--task", options->task, "only this task (Spark's task id, TID)")
      ->check(NotNegative());
  app.add_option("--lore-id", options->lore_id, "only samples inside this native operator")
      ->check(NotNegative());
  app.add_option("--thread", options->thread,
                 "only threads whose name fits this pattern (* and ?)");
  app.add_flag("--collapsed", options->collapsed,
               "print \"root;frame;leaf 12\" lines for other tools")
      ->excludes(diff);
  return [options] { return MakePages(*options); };
}

}  // namespace

const Subcommand kFlame = {"flame", "Make flame graphs of recordings that executors wrote",
                           "reprise flame /tmp/flames --task 17 -o task-17.html", DeclareFlame};

}  // namespace reprise
