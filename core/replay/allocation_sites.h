// `--memory-profile out.html`: who holds the memory of a replay at its peak.
#pragma once

#include <arrow/memory_pool.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "flame/frame_stacks.h"

namespace reprise {

/// The bytes that a place in the code has allocated and not freed.
struct AllocationSite {
  std::string function;  ///< of the core, by which memory was asked for
  int64_t bytes = 0;
};

/// What was held when most was held.
struct HeldAtPeak {
  int64_t bytes = 0;
  CollapsedStacks stacks;  ///< bytes by stack, from the root to the leaf

  /// By the innermost function of the core that is no pool's, the most first.
  std::vector<AllocationSite> Sites() const;
};

/// A pool that remembers the stack of every allocation, which takes microseconds each. What is held
/// is noted whenever it exceeds what was noted last by a hundredth, so that the peak is met but for
/// that. May be used by several threads.
class SiteTrackingPool final : public arrow::ProxyMemoryPool {
 public:
  explicit SiteTrackingPool(arrow::MemoryPool* parent);
  ~SiteTrackingPool() override;

  using arrow::ProxyMemoryPool::Allocate;
  using arrow::ProxyMemoryPool::Free;
  using arrow::ProxyMemoryPool::Reallocate;
  Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override;
  Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** ptr) override;
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override;

  int64_t peak_bytes() const;
  HeldAtPeak AtPeak() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

/// Writes a flame graph of it, a page for any browser. Status::IOError where it cannot.
Status WriteMemoryProfile(const std::string& path, const std::string& title,
                          const HeldAtPeak& held);

}  // namespace reprise
