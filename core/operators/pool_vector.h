// PoolVector: a growable array whose memory comes from an Arrow pool, so that it is accounted for.
#pragma once

#include <arrow/memory_pool.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/status.h"

namespace reprise {

/// Like std::vector for plain values, but allocation failures are a Status and new elements are all
/// zero bytes. Growth doubles the capacity. The pool must outlive the vector.
template <typename T>
class PoolVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit PoolVector(arrow::MemoryPool* pool) : pool_(pool) {}
  ~PoolVector() { Release(); }
  PoolVector(PoolVector&& other) noexcept
      : pool_(other.pool_),
        bytes_(std::exchange(other.bytes_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  PoolVector& operator=(PoolVector&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  /// Changes the number of elements; added ones are zero.
  Status Resize(int64_t size) {
    const int64_t old_size = size_;
    RETURN_NOT_OK(ResizeUninitialised(size));
    if (size > old_size)
      std::memset(static_cast<void*>(data() + old_size), 0, (size - old_size) * sizeof(T));
    return Status::OK();
  }

  /// The same, but added elements are undefined.
  Status ResizeUninitialised(int64_t size) {
    if (size > capacity_) RETURN_NOT_OK(Grow(size));
    size_ = size;
    return Status::OK();
  }

  /// Gives all memory back.
  void Release() {
    if (bytes_ != nullptr) pool_->Free(bytes_, capacity_ * sizeof(T));
    bytes_ = nullptr;
    size_ = capacity_ = 0;
  }

  int64_t size() const { return size_; }
  /// Bytes of memory that it has.
  int64_t bytes() const { return capacity_ * static_cast<int64_t>(sizeof(T)); }
  /// Bytes more that it has with `count` elements more.
  int64_t GrowthBytes(int64_t count) const {
    if (size_ + count <= capacity_) return 0;
    return std::max(size_ + count - capacity_, capacity_) * static_cast<int64_t>(sizeof(T));
  }
  T* data() { return reinterpret_cast<T*>(bytes_); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_); }
  T& operator[](int64_t index) { return data()[index]; }
  const T& operator[](int64_t index) const { return data()[index]; }

 private:
  Status Grow(int64_t size) {
    const int64_t capacity = std::max(size, 2 * capacity_);
    if (bytes_ == nullptr) {
      RETURN_NOT_OK(pool_->Allocate(capacity * sizeof(T), &bytes_));
    } else {
      RETURN_NOT_OK(pool_->Reallocate(capacity_ * sizeof(T), capacity * sizeof(T), &bytes_));
    }
    capacity_ = capacity;
    return Status::OK();
  }

  arrow::MemoryPool* pool_;
  uint8_t* bytes_ = nullptr;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
};

}  // namespace reprise
