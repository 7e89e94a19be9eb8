// Build sides of broadcast joins: made once a process and shared by its tasks.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "operators/join/join_build.h"
#include "operators/operator.h"

namespace reprise {

/// Builds by what was broadcast and how it is built. All methods may be called by any thread.
class SharedBuilds {
 public:
  using Build = std::shared_ptr<const JoinBuild>;

  /// The one of the process.
  static SharedBuilds& Instance();

  /// The build of broadcast `broadcast` under `key`, the text of everything else that it depends
  /// on. Where there is none, `make` makes it in this thread, without a lock, while others that ask
  /// for the same wait; its memory must not belong to a task. If it fails, or throws, the error is
  /// this caller's alone, and one of those who wait makes it. Of `context`: `outside` runs the
  /// waiting, so that a task that waits keeps none from computing; `cancelled` ends it with
  /// Status::Cancelled.
  Result<Build> GetOrMake(int64_t broadcast, const std::string& key,
                          const std::function<Result<Build>()>& make, const TaskContext& context);

  /// Forgets all builds of a broadcast; joins that use one keep it until they end.
  void Release(int64_t broadcast);

  /// How many builds are kept.
  size_t size();

 private:
  using Id = std::pair<int64_t, std::string>;

  void AwaitOther(const Id& id, const TaskContext& context);
  void EndMaking(const Id& id, Build build);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Id, Build> builds_;  // null: being made
};

}  // namespace reprise
