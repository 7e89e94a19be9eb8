#include "replay/allocation_sites.h"

#include <execinfo.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

#include "base/figure_text.h"
#include "replay/profile.h"
#include "replay/symbols.h"

namespace reprise {

namespace {

constexpr int kDepthMax = 128;
// Of the tracking itself, at the leaf.
constexpr int kTrackingFrames = 2;
constexpr int64_t kNotedAgainAfter = 100;

using Addresses = std::vector<uintptr_t>;  // from the leaf to the root

constexpr std::string_view kCore = "reprise::";
constexpr std::string_view kUnnamed = "(anonymous namespace)::";
// Classes that ask for memory in another's place.
constexpr std::string_view kPools[] = {"TaskMemory::", "SiteTrackingPool::", "PoolVector<"};

bool AsksForItself(std::string_view function) {
  return function.starts_with(kCore) && std::ranges::none_of(kPools, [&](std::string_view pool) {
           return function.find(pool) != std::string_view::npos;
         });
}

// "DecimalSum<BoundedState>::Grow": without what all names have.
std::string Shortened(std::string name) {
  for (const std::string_view part : {kUnnamed, kCore}) {
    for (size_t at = 0; (at = name.find(part, at)) != std::string::npos;) {
      name.erase(at, part.size());
    }
  }
  return name;
}

}  // namespace

struct SiteTrackingPool::State {
  std::mutex mutex;
  std::map<Addresses, size_t> stacks;  // and their numbers
  std::vector<int64_t> held;           // bytes, by stack
  std::unordered_map<const uint8_t*, std::pair<size_t, int64_t>> live;
  int64_t now = 0;
  std::vector<int64_t> at_peak;  // `held` when most was held
  int64_t peak = 0;

  void Add(const uint8_t* buffer, int64_t size) {
    if (size == 0) return;
    void* frames[kDepthMax];
    const int depth = ::backtrace(frames, kDepthMax);
    Addresses stack;
    for (int i = kTrackingFrames; i < depth; ++i) {
      stack.push_back(reinterpret_cast<uintptr_t>(frames[i]));
    }
    const std::lock_guard lock(mutex);
    const size_t number = stacks.emplace(std::move(stack), stacks.size()).first->second;
    held.resize(stacks.size());
    held[number] += size;
    live[buffer] = {number, size};
    now += size;
    if (now <= peak + peak / kNotedAgainAfter) return;
    peak = now;
    at_peak = held;
  }

  void Remove(const uint8_t* buffer) {
    const std::lock_guard lock(mutex);
    const auto found = live.find(buffer);
    if (found == live.end()) return;
    held[found->second.first] -= found->second.second;
    now -= found->second.second;
    live.erase(found);
  }
};

SiteTrackingPool::SiteTrackingPool(arrow::MemoryPool* parent)
    : ProxyMemoryPool(parent), state_(std::make_unique<State>()) {}

SiteTrackingPool::~SiteTrackingPool() = default;

Status SiteTrackingPool::Allocate(int64_t size, int64_t alignment, uint8_t** out) {
  RETURN_NOT_OK(ProxyMemoryPool::Allocate(size, alignment, out));
  state_->Add(*out, size);
  return Status::OK();
}

Status SiteTrackingPool::Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                                    uint8_t** ptr) {
  const uint8_t* const before = *ptr;
  RETURN_NOT_OK(ProxyMemoryPool::Reallocate(old_size, new_size, alignment, ptr));
  state_->Remove(before);
  state_->Add(*ptr, new_size);
  return Status::OK();
}

void SiteTrackingPool::Free(uint8_t* buffer, int64_t size, int64_t alignment) {
  state_->Remove(buffer);
  ProxyMemoryPool::Free(buffer, size, alignment);
}

int64_t SiteTrackingPool::peak_bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->peak;
}

HeldAtPeak SiteTrackingPool::AtPeak() const {
  const std::lock_guard lock(state_->mutex);
  HeldAtPeak held;
  held.bytes = state_->peak;
  Symbols symbols;
  for (const auto& [stack, number] : state_->stacks) {
    if (number >= state_->at_peak.size() || state_->at_peak[number] == 0) continue;
    std::vector<std::string> frames;
    // All are return addresses: the call stands before.
    for (auto address = stack.rbegin(); address != stack.rend(); ++address) {
      frames.push_back(symbols.NameOf(*address - 1));
    }
    held.stacks[frames] += state_->at_peak[number];
  }
  return held;
}

std::vector<AllocationSite> HeldAtPeak::Sites() const {
  std::map<std::string, int64_t> bytes_of;
  for (const auto& [frames, bytes] : stacks) {
    const auto site = std::find_if(frames.rbegin(), frames.rend(), AsksForItself);
    bytes_of[site == frames.rend() ? "outside of the core" : Shortened(*site)] += bytes;
  }
  std::vector<AllocationSite> sites;
  for (const auto& [function, bytes] : bytes_of) sites.push_back({function, bytes});
  std::ranges::stable_sort(sites, std::greater(), &AllocationSite::bytes);
  return sites;
}

Status WriteMemoryProfile(const std::string& path, const std::string& title,
                          const HeldAtPeak& held) {
  const FlamePageText text{
      title, fmt::format("{} held at the peak, by who allocated it", ByteText(held.bytes)),
      "bytes"};
  return WriteFlamePage(path, text, held.stacks);
}

}  // namespace reprise
