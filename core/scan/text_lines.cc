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

Result<std::unique_ptr<TextLines>> TextLines::Open(const FileSplit& split, std::string separator,
                                                   FileStore* store, const TaskContext& context) {
  std::unique_ptr<TextLines> lines(new TextLines(split, std::move(separator), context));
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
  if (position_ >= size_ || (position_ > end_ && !is_divided_)) return std::nullopt;
  return Line();
}

// The line at `position_`, which is in the file.
Result<std::string_view> TextLines::Line() {
  auto end = FindLineEnd();
  while (!end && known_end() < size_) {
    RETURN_NOT_OK(ReadMore());
    end = FindLineEnd();
  }
  if (!end) end = LineEnd{size_, size_};
  line_start_ = position_;
  position_ = end->next;
  // Only the whole of it is found by who reads the next split.
  is_divided_ = !separator_.empty() && end->at < end_ && end->next > end_;
  return std::string_view(At(line_start_), static_cast<size_t>(end->at - line_start_));
}

// Nothing where more has to be read, or there is none.
std::optional<TextLines::LineEnd> TextLines::FindLineEnd() {
  if (!separator_.empty()) return FindSeparator();
  const auto newline = Find(&newline_);
  const auto carriage_return = Find(&return_);
  if (!carriage_return || (newline && *newline < *carriage_return)) {
    return newline ? std::optional(LineEnd{*newline, *newline + 1}) : std::nullopt;
  }
  const int64_t next = *carriage_return + 1;
  if (next == known_end() && known_end() < size_) return std::nullopt;
  return LineEnd{*carriage_return, newline == next ? next + 1 : next};
}

std::optional<TextLines::LineEnd> TextLines::FindSeparator() {
  const auto length = std::ssize(separator_);
  const int64_t from = std::max(position_, searched_ - length + 1);
  searched_ = known_end();
  if (from >= known_end()) return std::nullopt;
  const std::string_view known(At(from), static_cast<size_t>(known_end() - from));
  const size_t found = known.find(separator_);
  if (found == std::string_view::npos) return std::nullopt;
  searched_ = from + static_cast<int64_t>(found);
  return LineEnd{searched_, searched_ + length};
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
