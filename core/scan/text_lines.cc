#include "scan/text_lines.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "scan/file_store.h"
#include "scan/remote_file.h"

namespace reprise {

namespace {

// Read at a time; of a remote file so many of these ahead.
constexpr int64_t kWindowBytes = int64_t{1} << 20;
constexpr int64_t kWindowsAhead = 8;
// Read at a time behind the end of the split, where only the rest of a line is wanted.
constexpr int64_t kRestBytes = int64_t{1} << 16;

}  // namespace

Result<std::unique_ptr<TextLines>> TextLines::Open(const FileSplit& split, FileStore* store,
                                                   const TaskContext& context) {
  std::unique_ptr<TextLines> lines(new TextLines(split, context));
  ARROW_ASSIGN_OR_RAISE(auto opened, OpenFile(split.path, store, context));
  lines->file_ = std::move(opened.file);
  lines->remote_ = std::move(opened.remote);
  ARROW_ASSIGN_OR_RAISE(lines->size_, lines->file_->GetSize());
  ARROW_ASSIGN_OR_RAISE(lines->bytes_, arrow::AllocateResizableBuffer(0, context.pool));
  lines->begin_ = lines->position_;
  // The line that it begins in is of the split before.
  if (split.start > 0 && split.start < lines->size_) RETURN_NOT_OK(lines->Line());
  return lines;
}

Result<std::optional<std::string_view>> TextLines::Next() {
  if (position_ > end_ || position_ >= size_) return std::nullopt;
  return Line();
}

// The line at `position_`, which is in the file.
Result<std::string_view> TextLines::Line() {
  while (true) {
    const auto newline = Find(&newline_);
    const auto carriage_return = Find(&return_);
    const bool by_return = carriage_return && (!newline || *carriage_return < *newline);
    const bool is_whole = known_end() == size_;
    int64_t line_end = size_;
    int64_t next = size_;
    if (by_return) {
      line_end = *carriage_return;
      next = line_end + 1;
      if (next == known_end() && !is_whole) {
        RETURN_NOT_OK(ReadMore());
        continue;
      }
      if (newline == next) ++next;
    } else if (newline) {
      line_end = *newline;
      next = line_end + 1;
    } else if (!is_whole) {
      RETURN_NOT_OK(ReadMore());
      continue;
    }
    line_start_ = position_;
    position_ = next;
    return std::string_view(At(line_start_), static_cast<size_t>(line_end - line_start_));
  }
}

std::optional<int64_t> TextLines::Find(Ahead* ahead) const {
  if (ahead->found >= position_) return ahead->found;
  const int64_t from = std::max(position_, ahead->searched);
  ahead->searched = known_end();
  if (from >= known_end()) return std::nullopt;
  const char* const begin = At(from);
  const void* found = std::memchr(begin, ahead->byte, static_cast<size_t>(known_end() - from));
  if (found == nullptr) return std::nullopt;
  ahead->found = from + (static_cast<const char*>(found) - begin);
  ahead->searched = ahead->found;
  return ahead->found;
}

// The bytes from `position_` on stay, at the front.
Status TextLines::ReadMore() {
  const int64_t kept = known_end() - position_;
  const int64_t offset = known_end();
  const int64_t window =
      offset <= end_ ? std::min(kWindowBytes, end_ + kRestBytes - offset) : kRestBytes;
  const int64_t wanted = std::min(std::max(window, kept), size_ - offset);
  if (kept > 0 && begin_ != position_) {
    std::memmove(bytes_->mutable_data(), At(position_), static_cast<size_t>(kept));
  }
  begin_ = position_;
  filled_ = kept;
  if (bytes_->size() < kept + wanted + kPadding) {
    RETURN_NOT_OK(bytes_->Resize(kept + wanted + kPadding, /*shrink_to_fit=*/false));
  }
  RETURN_NOT_OK(ReadInto(offset, wanted, bytes_->mutable_data() + kept));
  filled_ += wanted;
  return Status::OK();
}

Status TextLines::ReadInto(int64_t offset, int64_t length, uint8_t* to) {
  const std::vector<arrow::io::ReadRange> here = {{offset, length}};
  if (remote_ != nullptr) {
    RETURN_NOT_OK(remote_->Start(here));
    std::vector<arrow::io::ReadRange> ahead;
    for (int64_t next = offset + length; next < std::min(end_, size_); next += kWindowBytes) {
      if (ahead.size() == kWindowsAhead) break;
      ahead.push_back({next, std::min({kWindowBytes, end_ + kRestBytes - next, size_ - next})});
    }
    RETURN_NOT_OK(remote_->StartAhead(ahead, kWindowsAhead * kWindowBytes));
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t read, file_->ReadAt(offset, length, to));
  if (read != length) {
    return Status::IOError("the file ends at ", offset + read, ", not at ", size_);
  }
  if (remote_ != nullptr) remote_->Drop(here);
  bytes_read_ += length;
  return Status::OK();
}

}  // namespace reprise
