#include "operators/task_memory.h"

#include <algorithm>

#include "base/check.h"

namespace reprise {

namespace {

// What is asked for at once at least, and what is left after giving back.
constexpr int64_t kChunkBytes = int64_t{1} << 20;
// What is asked for at once beyond what is missing.
constexpr int64_t kPieceBytesMax = 8 * kChunkBytes;
constexpr int64_t kPieceShare = 8;
// Where memory is short, a batch has this share of it, and a chunk's bytes at least.
constexpr int64_t kBatchShare = 16;
// More than this unused is given back at once.
constexpr int64_t kUnusedBytesMax = 4 * kChunkBytes;

template <typename Value>
void RaiseTo(std::atomic<Value>& maximum, Value value) {
  Value before = maximum.load();
  while (before < value && !maximum.compare_exchange_weak(before, value)) {
  }
}

// Spilling is told apart by who spills; a task has few users.
const TraceRange* SpillRange(TraceRecorder* trace, const MemoryUser& user) {
  if (trace == nullptr) return nullptr;
  return &trace->Describe("spill " + user.MemoryName(), "spill", {"freedBytes", "writtenBytes"},
                          "");
}

}  // namespace

TaskMemory::TaskMemory(MemoryManager* manager, Options options)
    : manager_(manager),
      options_(options),
      parent_(options.parent != nullptr ? options.parent : arrow::default_memory_pool()),
      task_thread_(std::this_thread::get_id()) {}

TaskMemory::~TaskMemory() { Detach(); }

void TaskMemory::Detach() {
  MemoryManager* manager = manager_.exchange(nullptr);
  const int64_t granted = granted_.exchange(0);
  if (manager != nullptr && granted > 0) manager->Release(granted);
}

Status TaskMemory::Allocate(int64_t size, int64_t alignment, uint8_t** out) {
  RETURN_NOT_OK(Claim(size));
  const Status status = parent_->Allocate(size, alignment, out);
  if (!status.ok()) {
    Unclaim(size);
    return status;
  }
  ++allocations_;
  total_ += size;
  Track(*out, size);
  return Status::OK();
}

Status TaskMemory::Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                              uint8_t** ptr) {
  if (new_size > old_size) RETURN_NOT_OK(Claim(new_size - old_size));
  Untrack(*ptr);
  const Status status = parent_->Reallocate(old_size, new_size, alignment, ptr);
  Track(*ptr, status.ok() ? new_size : old_size);
  if (!status.ok()) {
    if (new_size > old_size) Unclaim(new_size - old_size);
    return status;
  }
  ++allocations_;
  if (new_size > old_size) {
    total_ += new_size - old_size;
  } else {
    Unclaim(old_size - new_size);
  }
  return Status::OK();
}

void TaskMemory::Free(uint8_t* buffer, int64_t size, int64_t alignment) {
  Untrack(buffer);
  parent_->Free(buffer, size, alignment);
  Unclaim(size);
}

Status TaskMemory::Claim(int64_t bytes) {
  const int64_t now = allocated_.fetch_add(bytes) + bytes;
  if (manager_ != nullptr && now > granted_) {
    // Not counted while others spill for it: what they write needs memory too.
    allocated_ -= bytes;
    RETURN_NOT_OK(Cover(bytes));
    allocated_ += bytes;
  } else if (refused_ != 0) {
    refused_ = 0;
  }
  RaiseTo(peak_, allocated_.load());
  return Status::OK();
}

// Finds memory for an allocation.
Status TaskMemory::Cover(int64_t bytes) {
  // To refuse memory for writing a spill file would be to keep what the file would free.
  const int64_t allowed = options_.over_commit_bytes * (is_spilling_ ? 2 : 1);
  const int64_t refused = refused_;
  if (refused > 0 && Missing(bytes) <= std::min(refused + kChunkBytes, allowed)) {
    return Status::OK();
  }
  // A spill asks nobody: Spark may have asked for it, in the middle of granting memory to another.
  if (OnTaskThread() && !is_acquiring_ && !is_spilling_) {
    AcquireMissing(bytes);
    RETURN_NOT_OK(SpillUntil([&] { return Missing(bytes) <= 0; }));
    AcquireMissing(bytes);
    refused_ = std::max<int64_t>(Missing(bytes), 0);
  }
  if (Missing(bytes) <= allowed) return Status::OK();
  const MemoryUser* user = computing_;
  return OutOfMemory(user == nullptr ? "a task" : user->MemoryName(), bytes);
}

void TaskMemory::Unclaim(int64_t bytes) {
  const int64_t left = allocated_.fetch_sub(bytes) - bytes;
  const int64_t unused_max = options_.deny_every > 0 ? 0 : kUnusedBytesMax;
  if (manager_ == nullptr || granted_ - left <= unused_max) return;
  if (!OnTaskThread() || is_acquiring_ || is_spilling_) return;
  const int64_t unused = granted_ - left - std::min(unused_max, kChunkBytes);
  granted_ -= unused;
  manager_.load()->Release(unused);
}

void TaskMemory::AcquireMissing(int64_t bytes) {
  const int64_t missing = Missing(bytes);
  if (missing <= 0 || is_acquiring_) return;
  is_acquiring_ = true;
  const int64_t wanted = std::max(missing, PieceBytes());
  const bool is_denied = options_.deny_every > 0 && ++requests_ % options_.deny_every == 0;
  const int64_t granted = is_denied ? 0 : manager_.load()->Acquire(wanted);
  is_acquiring_ = false;
  REPRISE_CHECK(granted >= 0, "the memory manager granted {} bytes", granted);
  is_short_ = granted < wanted;
  if (is_short_) was_short_ = true;
  granted_ += granted;
}

int64_t TaskMemory::PieceBytes() const {
  if (is_short_ || options_.deny_every > 0) return 0;
  return std::clamp<int64_t>(granted_ / kPieceShare, kChunkBytes, kPieceBytesMax);
}

int64_t TaskMemory::BatchBytes(int64_t bytes) const {
  if (!was_short_) return bytes;
  return std::min(bytes, std::max(kChunkBytes, granted_.load() / kBatchShare));
}

Status TaskMemory::Reserve(MemoryUser* user, int64_t bytes) {
  if (manager_ == nullptr || bytes <= 0 || Missing(bytes) <= 0) return Status::OK();
  if (OnTaskThread() && !is_acquiring_ && !is_spilling_) {
    const ComputingScope waits(this, user, /*computes=*/false);
    AcquireMissing(bytes);
    RETURN_NOT_OK(SpillUntil([&] { return Missing(bytes) <= 0; }));
    AcquireMissing(bytes);
  }
  if (Missing(bytes) <= options_.over_commit_bytes) return Status::OK();
  return OutOfMemory(user->MemoryName(), bytes);
}

bool TaskMemory::TryReserve(int64_t bytes) {
  if (manager_ == nullptr || bytes <= 0) return true;
  if (OnTaskThread()) AcquireMissing(bytes);
  return Missing(bytes) <= 0;
}

Result<int64_t> TaskMemory::SpillFor(int64_t bytes) {
  if (manager_ == nullptr || is_acquiring_ || is_spilling_) return 0;
  RETURN_NOT_OK(SpillUntil([&] { return granted_ - allocated_ >= bytes; }));
  const int64_t before = granted_;
  ReleaseUnused();
  return before - granted_;
}

void TaskMemory::ReleaseUnused() {
  const int64_t unused = granted_ - std::max<int64_t>(allocated_, 0);
  if (manager_ == nullptr || unused <= 0 || is_acquiring_ || is_spilling_) return;
  granted_ -= unused;
  manager_.load()->Release(unused);
}

// Each user spills once at most: one that could not free enough would not at the second time.
Status TaskMemory::SpillUntil(const std::function<bool()>& enough) {
  std::vector<MemoryUser*> spilled;
  while (!enough()) {
    MemoryUser* user = LargestSpillable(spilled);
    if (user == nullptr) break;
    spilled.push_back(user);
    RETURN_NOT_OK(SpillOne(user));
  }
  return Status::OK();
}

MemoryUser* TaskMemory::LargestSpillable(const std::vector<MemoryUser*>& except) const {
  MemoryUser* largest = nullptr;
  int64_t most = 0;
  for (MemoryUser* user : users_) {
    if (user->is_computing_ || std::ranges::find(except, user) != except.end()) continue;
    const int64_t bytes = user->SpillableBytes();
    if (bytes <= most) continue;
    largest = user;
    most = bytes;
  }
  return largest;
}

Status TaskMemory::SpillOne(MemoryUser* user) {
  const ComputingScope computes(this, user);
  is_spilling_ = true;
  const Result<int64_t> freed = SpillTraced(user);
  is_spilling_ = false;
  if (!freed.ok()) return WithPrefix(freed.status(), user->MemoryName() + ", spilling: ");
  spilled_ += *freed;
  return Status::OK();
}

Result<int64_t> TaskMemory::SpillTraced(MemoryUser* user) {
  TraceScope range(options_.trace, SpillRange(options_.trace, *user));
  const int64_t written_before = spilled_disk_;
  const Result<int64_t> freed = user->Spill();
  if (freed.ok()) range.Count(*freed, spilled_disk_ - written_before);
  return freed;
}

Status TaskMemory::OutOfMemory(const std::string& who, int64_t bytes) const {
  return Status::OutOfMemory(
      who, " wants ", bytes, " bytes; the task has ", allocated_.load(), " bytes, ",
      granted_.load(),
      " bytes were granted by Spark and nothing more can be spilled. More memory for a task: raise "
      "spark.memory.offHeap.size (with spark.memory.offHeap.enabled=true; else "
      "spark.executor.memory), or let fewer tasks run at once (spark.executor.cores)");
}

void TaskMemory::Track(uint8_t* buffer, int64_t size) {
  if (!options_.tracks_users || size == 0) return;
  const MemoryUser* user = computing_;
  const std::lock_guard lock(tracking_mutex_);
  const auto name = names_.insert(user == nullptr ? "no operator" : user->MemoryName()).first;
  tracked_[buffer] = {&*name, size};
  Held& held = held_[&*name];
  held.bytes += size;
  held.peak = std::max(held.peak, held.bytes);
}

void TaskMemory::Untrack(uint8_t* buffer) {
  if (!options_.tracks_users) return;
  const std::lock_guard lock(tracking_mutex_);
  const auto found = tracked_.find(buffer);
  if (found == tracked_.end()) return;
  held_[found->second.first].bytes -= found->second.second;
  tracked_.erase(found);
}

std::map<std::string, int64_t> TaskMemory::PeaksByUser() const {
  const std::lock_guard lock(tracking_mutex_);
  std::map<std::string, int64_t> peaks;
  for (const auto& [name, held] : held_) peaks.emplace(*name, held.peak);
  return peaks;
}

std::vector<std::pair<std::string, int64_t>> TaskMemory::LeaksByUser() const {
  const std::lock_guard lock(tracking_mutex_);
  std::unordered_map<std::string, int64_t> bytes;
  for (const auto& [buffer, allocation] : tracked_) bytes[*allocation.first] += allocation.second;
  std::vector<std::pair<std::string, int64_t>> leaks(bytes.begin(), bytes.end());
  std::ranges::sort(leaks, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return leaks;
}

ComputingScope::ComputingScope(TaskMemory* memory, MemoryUser* user, bool computes)
    : memory_(memory), user_(user), was_computing_(user->is_computing_) {
  user->is_computing_ = computes;
  if (memory != nullptr) before_ = memory->computing_.exchange(user);
}

ComputingScope::~ComputingScope() {
  user_->is_computing_ = was_computing_;
  if (memory_ != nullptr) memory_->computing_ = before_;
}

}  // namespace reprise
