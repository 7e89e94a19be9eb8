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
class SiteTrackingPool final : public arrow::MemoryPool {
 public:
  explicit SiteTrackingPool(arrow::MemoryPool* parent);
  ~SiteTrackingPool() override;

  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;
  Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override;
  Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** ptr) override;
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override;
  int64_t bytes_allocated() const override { return parent_->bytes_allocated(); }
  int64_t max_memory() const override { return parent_->max_memory(); }
  int64_t total_bytes_allocated() const override { return parent_->total_bytes_allocated(); }
  int64_t num_allocations() const override { return parent_->num_allocations(); }
  std::string backend_name() const override { return parent_->backend_name(); }

  int64_t peak_bytes() const;
  HeldAtPeak AtPeak() const;

 private:
  struct State;
  arrow::MemoryPool* const parent_;
  const std::unique_ptr<State> state_;
};

/// Whether that can be written to `path`, before anything has run. Empty: nothing will be.
Status CheckMemoryProfile(const std::string& path);

/// Writes a flame graph of it, a page for any browser. Status::IOError where it cannot.
Status WriteMemoryProfile(const std::string& path, const std::string& title,
                          const HeldAtPeak& held);

}  // namespace reprise
