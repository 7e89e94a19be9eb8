// What the rows of a task must go on to show while they are made fewer.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "replay/replay.h"

namespace reprise {

/// Makes the operator of a dump run on Spark instead of natively; `folder` is …/loreId-N.
using SparkFactory = std::function<Result<OperatorFactory>(const std::string& folder)>;

/// One of them, all others empty.
struct ConditionOptions {
  bool fails = false;     ///< the operator raises the error that it raises over all rows
  bool differs = false;   ///< its output is another one than Spark's; needs `on_spark`
  std::string assertion;  ///< an output row does not satisfy this SQL predicate
  std::optional<int64_t> slower_than_ns;  ///< the operator's own time, the least of three runs
  std::string command;  ///< a shell command ends with status 0; DUMP is the folder

  bool ordered = false;        ///< of `differs`: another order is another output
  bool runs_on_spark = false;  ///< what is looked at is Spark's operator; needs `on_spark`
  SparkFactory on_spark;
  ReplayOptions replay;  ///< conf, pool, go_on of all replays
};

/// Judges dumps of one task.
class Condition {
 public:
  /// Status::Invalid unless just one is asked for.
  static Result<std::unique_ptr<Condition>> Make(const ConditionOptions& options);
  virtual ~Condition() = default;

  /// Whether the dump shows it. The first one asked about is the whole task, which may say what
  /// exactly the others must show. Fails where the dump cannot be replayed at all.
  virtual Result<bool> Holds(const std::string& folder) = 0;
  /// Of a dump that shows it: what is seen there, in a line or some.
  virtual Result<std::string> Seen(const std::string& folder) = 0;
};

/// The replay of the one task of a dump, `on_spark` or natively. `take_output`, where given, gets
/// the output.
Result<PartitionReplay> ReplayTask(const std::string& folder, const ConditionOptions& options,
                                   bool on_spark, ReplayOptions replay);

}  // namespace reprise
