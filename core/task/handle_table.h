// Handles that the JVM holds: numbers that stand for objects and are never used twice.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace reprise {

/// Objects by handle. Every method may be called by any thread.
template <typename T>
class HandleTable {
 public:
  /// A new handle, greater than 0, for `object`.
  int64_t Add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return last_;
  }

  /// The object; null where the handle was never given or its object has been taken out.
  std::shared_ptr<T> Find(int64_t handle) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto entry = objects_.find(handle);
    return entry == objects_.end() ? nullptr : entry->second;
  }

  /// Takes the object out: from now on its handle finds nothing. Null as for Find.
  std::shared_ptr<T> Take(int64_t handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto entry = objects_.find(handle);
    if (entry == objects_.end()) return nullptr;
    std::shared_ptr<T> object = std::move(entry->second);
    objects_.erase(entry);
    return object;
  }

  /// Takes out every object for which `condition` is true.
  template <typename Condition>
  void TakeIf(Condition&& condition) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::erase_if(objects_, [&](const auto& entry) { return condition(*entry.second); });
  }

  /// Whether Add has given this handle, be its object still there or not.
  bool WasGiven(int64_t handle) const {
    std::lock_guard<std::mutex> lock(mutex_);
    return handle > 0 && handle <= last_;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<int64_t, std::shared_ptr<T>> objects_;
  int64_t last_ = 0;
};

}  // namespace reprise
