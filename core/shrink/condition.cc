#include "shrink/condition.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "base/figure_text.h"

namespace reprise {

namespace {

constexpr int kRunsTimed = 3;
constexpr int64_t kRowsSeen = 5;

/// " a=1 b=null"
Result<std::string> RowText(const arrow::RecordBatch& batch, int64_t row) {
  std::string text;
  for (int column = 0; column < batch.num_columns(); ++column) {
    ARROW_ASSIGN_OR_RAISE(const auto value, batch.column(column)->GetScalar(row));
    text += fmt::format(" {}={}", batch.column_name(column), value->ToString());
  }
  return text;
}

class Fails : public Condition {
 public:
  explicit Fails(const ConditionOptions& options) : options_(options) {}

  Result<bool> Holds(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(const PartitionReplay replay, Replayed(folder));
    if (replay.error.empty()) return false;
    const std::string kind = replay.raised.Kind();
    if (!kind_) kind_ = kind;
    return kind == *kind_;
  }
  Result<std::string> Seen(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(auto replay, Replayed(folder));
    return std::move(replay.error);
  }

 private:
  Result<PartitionReplay> Replayed(const std::string& folder) {
    return ReplayTask(folder, options_, options_.runs_on_spark, options_.replay);
  }

  const ConditionOptions& options_;
  std::optional<std::string> kind_;  // of the first error
};

class FailsAssertion : public Condition {
 public:
  explicit FailsAssertion(const ConditionOptions& options) : options_(options) {}

  Result<bool> Holds(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(const AssertionOutcome outcome, Asserted(folder));
    return !outcome.holds();
  }

  Result<std::string> Seen(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(const AssertionOutcome outcome, Asserted(folder));
    if (!outcome.error.empty() || outcome.sample.empty()) return outcome.error;
    std::string text = fmt::format("{} fails in", options_.assertion);
    for (const auto& [name, value] : outcome.sample[0].values) {
      text += fmt::format(" {}={}", name, value);
    }
    return text;
  }

 private:
  Result<AssertionOutcome> Asserted(const std::string& folder) {
    ReplayOptions replay = options_.replay;
    replay.assertion = options_.assertion;
    ARROW_ASSIGN_OR_RAISE(const auto replayed,
                          ReplayTask(folder, options_, options_.runs_on_spark, std::move(replay)));
    return *replayed.assertion;
  }

  const ConditionOptions& options_;
};

class IsSlow : public Condition {
 public:
  explicit IsSlow(const ConditionOptions& options) : options_(options) {}

  Result<bool> Holds(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t time_ns, OwnTime(folder));
    return time_ns > *options_.slower_than_ns;
  }
  Result<std::string> Seen(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t time_ns, OwnTime(folder));
    return fmt::format("{} in the operator", DurationText(time_ns));
  }

 private:
  Result<int64_t> OwnTime(const std::string& folder) {
    ReplayOptions replay = options_.replay;
    replay.repeat = kRunsTimed;
    ARROW_ASSIGN_OR_RAISE(const auto replayed,
                          ReplayTask(folder, options_, options_.runs_on_spark, std::move(replay)));
    return replayed.own_time_ns();
  }

  const ConditionOptions& options_;
};

class CommandSucceeds : public Condition {
 public:
  explicit CommandSucceeds(std::string command) : command_(std::move(command)) {}

  Result<bool> Holds(const std::string& folder) override {
    setenv("DUMP", folder.c_str(), 1);
    fflush(stdout);
    const int status = system(command_.c_str());
    if (status == -1) return Status::IOError("no shell could be started for: ", command_);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT)) {
      return Status::Cancelled("interrupted");
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  Result<std::string> Seen(const std::string&) override { return command_ + ": status 0"; }

 private:
  std::string command_;
};

class DiffersFromSpark : public Condition {
 public:
  explicit DiffersFromSpark(const ConditionOptions& options) : options_(options) {}

  Result<bool> Holds(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(const auto both, RunBoth(folder));
    return Differ(both);
  }

  Result<std::string> Seen(const std::string& folder) override {
    ARROW_ASSIGN_OR_RAISE(const std::string on_spark, OutputText(folder, true));
    ARROW_ASSIGN_OR_RAISE(const std::string natively, OutputText(folder, false));
    return fmt::format("on Spark: {}\nnatively: {}", on_spark, natively);
  }

 private:
  struct Both {
    PartitionReplay spark;
    PartitionReplay native;
  };

  Result<std::string> OutputText(const std::string& folder, bool on_spark) const {
    std::string rows;
    int64_t count = 0;
    ReplayOptions replay = options_.replay;
    replay.take_output = [&](const std::shared_ptr<arrow::RecordBatch>& batch) -> Status {
      for (int64_t row = 0; row < batch->num_rows() && count < kRowsSeen; ++row, ++count) {
        ARROW_ASSIGN_OR_RAISE(const std::string text, RowText(*batch, row));
        rows += "\n " + text;
      }
      return Status::OK();
    };
    ARROW_ASSIGN_OR_RAISE(const auto replayed, ReplayTask(folder, options_, on_spark, replay));
    const std::string end = replayed.error.empty() ? "" : "\n fails: " + replayed.error;
    return Counted(replayed.output.rows, "row", "rows") + rows + end;
  }

  Result<Both> RunBoth(const std::string& folder) {
    Both both;
    ARROW_ASSIGN_OR_RAISE(both.spark, ReplayTask(folder, options_, true, options_.replay));
    ARROW_ASSIGN_OR_RAISE(both.native, ReplayTask(folder, options_, false, options_.replay));
    return both;
  }

  bool Differ(const Both& both) const {
    if (both.spark.error.empty() != both.native.error.empty()) return true;
    if (!both.spark.error.empty()) return false;
    PartitionMeta of_spark;
    of_spark.end = StreamEnd::kExhausted;
    of_spark.digest = both.spark.output;
    return !Compare(of_spark, both.native.output, options_.ordered).holds();
  }

  const ConditionOptions& options_;
};

}  // namespace

Result<std::unique_ptr<Condition>> Condition::Make(const ConditionOptions& options) {
  const int count = options.fails + options.differs + !options.assertion.empty() +
                    options.slower_than_ns.has_value() + !options.command.empty();
  if (count != 1) {
    return Status::Invalid(
        "say what the rows must go on to show, by one of --while-fails, --while-differs, "
        "--while-assert SQL, --while-slower-than MS, --while-command COMMAND");
  }
  if (options.fails) return std::make_unique<Fails>(options);
  if (options.differs) return std::make_unique<DiffersFromSpark>(options);
  if (!options.assertion.empty()) return std::make_unique<FailsAssertion>(options);
  if (options.slower_than_ns) return std::make_unique<IsSlow>(options);
  return std::make_unique<CommandSucceeds>(options.command);
}

Result<PartitionReplay> ReplayTask(const std::string& folder, const ConditionOptions& options,
                                   bool on_spark, ReplayOptions replay) {
  if (on_spark) {
    ARROW_ASSIGN_OR_RAISE(replay.make_operator, options.on_spark(folder));
  }
  replay.locates_failures = false;
  ARROW_ASSIGN_OR_RAISE(auto report, Replay(folder, replay));
  return std::move(report.partitions[0]);
}

}  // namespace reprise
