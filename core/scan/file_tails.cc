#include "scan/file_tails.h"

namespace reprise {

namespace {

// Some five hundred footers of the usual size.
constexpr int64_t kProcessBytesMax = int64_t{32} << 20;

int64_t BytesOf(const FileTail& tail) { return static_cast<int64_t>(tail.bytes->size()); }

}  // namespace

FileTails& FileTails::OfProcess() {
  // Never destroyed: tasks of a JVM that exits may still run.
  static auto* tails = new FileTails(kProcessBytesMax);
  return *tails;
}

FileTail FileTails::Find(const std::string& location) {
  const std::lock_guard lock(mutex_);
  const auto found = by_location_.find(location);
  if (found == by_location_.end()) return {};
  kept_.splice(kept_.begin(), kept_, found->second);
  return found->second->tail;
}

void FileTails::Keep(const std::string& location, FileTail tail) {
  const std::lock_guard lock(mutex_);
  const auto found = by_location_.find(location);
  if (found != by_location_.end()) Forget(found->second);
  if (BytesOf(tail) > bytes_max_) return;
  bytes_ += BytesOf(tail);
  kept_.push_front({location, std::move(tail)});
  by_location_[location] = kept_.begin();
  while (bytes_ > bytes_max_) Forget(std::prev(kept_.end()));
}

int64_t FileTails::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void FileTails::Forget(std::list<Kept>::iterator kept) {
  bytes_ -= BytesOf(kept->tail);
  by_location_.erase(kept->location);
  kept_.erase(kept);
}

}  // namespace reprise
