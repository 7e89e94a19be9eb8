#include "operators/join/shared_builds.h"

#include <chrono>

namespace reprise {

SharedBuilds& SharedBuilds::Instance() {
  // Never destroyed: tasks may still run when the process ends.
  static auto* const instance = new SharedBuilds();
  return *instance;
}

// Until the build is made, or given up by the one who makes it.
void SharedBuilds::AwaitOther(const Id& id, const TaskContext& context) {
  constexpr std::chrono::milliseconds kCancelPoll(50);
  std::unique_lock lock(mutex_);
  while (true) {
    const auto found = builds_.find(id);
    if (found == builds_.end() || found->second != nullptr) return;
    if (context.cancelled && context.cancelled()) return;
    changed_.wait_for(lock, kCancelPoll);
  }
}

Result<SharedBuilds::Build> SharedBuilds::GetOrMake(int64_t broadcast, const std::string& key,
                                                    const std::function<Result<Build>()>& make,
                                                    const TaskContext& context) {
  const Id id(broadcast, key);
  std::unique_lock lock(mutex_);
  while (true) {
    const auto [found, is_new] = builds_.try_emplace(id, nullptr);
    if (is_new) break;
    if (found->second != nullptr) return found->second;
    // Without the lock: coming back inside may wait for the task that makes the build.
    lock.unlock();
    const auto wait = [&] { AwaitOther(id, context); };
    context.outside ? context.outside(wait) : wait();
    RETURN_NOT_OK(context.CheckCancelled());
    lock.lock();
  }
  lock.unlock();
  // Whatever becomes of `make`, those who wait learn of it.
  try {
    Result<Build> made = make();
    EndMaking(id, made.ok() ? *made : nullptr);
    return made;
  } catch (...) {
    EndMaking(id, nullptr);
    throw;
  }
}

// Keeps the build, or forgets that it was to be made, where it is null.
void SharedBuilds::EndMaking(const Id& id, Build build) {
  const std::lock_guard lock(mutex_);
  // Released meanwhile: then it is not kept, or another is being made.
  const auto entry = builds_.find(id);
  if (entry != builds_.end() && entry->second == nullptr) {
    if (build != nullptr) {
      entry->second = std::move(build);
    } else {
      builds_.erase(entry);
    }
  }
  changed_.notify_all();
}

void SharedBuilds::Release(int64_t broadcast) {
  const std::lock_guard lock(mutex_);
  builds_.erase(builds_.lower_bound({broadcast, ""}), builds_.lower_bound({broadcast + 1, ""}));
  changed_.notify_all();
}

size_t SharedBuilds::size() {
  const std::lock_guard lock(mutex_);
  return builds_.size();
}

}  // namespace reprise
