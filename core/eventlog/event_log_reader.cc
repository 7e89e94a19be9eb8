#include "eventlog/event_log_reader.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace reprise {

namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;
constexpr size_t kLineBytesMax = size_t{512} << 20;

constexpr size_t kLookedAtBytes = 64 * 1024;
constexpr std::string_view kFirstBytes = "{\"Event\":\"";

bool CouldBegin(std::string_view text) {
  if (text.starts_with(kFirstBytes.substr(0, text.size()))) return true;
  return text.find(std::string("\n").append(kFirstBytes)) != std::string_view::npos;
}

// The first characters of a text, those that don't print as question marks.
std::string FirstLetters(std::string_view text) {
  std::string shown(text.substr(0, 40));
  for (char& letter : shown) {
    if (letter < ' ' || letter > '~') letter = '?';
  }
  return shown;
}

}  // namespace

Status ExpectEventLog(const EventLogFiles& log) {
  const std::string& path = log.files.front();
  ARROW_ASSIGN_OR_RAISE(const auto file, LogBytes::Open(path));
  std::string text(kLookedAtBytes, 0);
  size_t size = 0;
  while (size < text.size()) {
    ARROW_ASSIGN_OR_RAISE(
        const size_t read,
        file->Read(reinterpret_cast<uint8_t*>(text.data()) + size, text.size() - size));
    if (read == 0) break;
    size += read;
  }
  text.resize(size);
  if (!text.empty() && CouldBegin(text)) return Status::OK();
  constexpr std::string_view kExpected =
      "; expected an event log of Spark, whose first line begins with "
      "{\"Event\":\"SparkListenerLogStart\"";
  if (!text.empty()) {
    return Status::Invalid(path, " is no event log: it begins with \"", FirstLetters(text), "\"",
                           kExpected);
  }
  if (!file->damage().empty()) {
    const bool names_part = file->damage().starts_with("its ");
    return Status::Invalid(path, " holds no event: ", names_part ? "" : "it ", file->damage());
  }
  return Status::Invalid(path, " is empty", kExpected,
                         "; a driver that dies before it first flushes leaves an empty file");
}

std::string LogDamage::ToString() const {
  return line == 0 ? fmt::format("{}: {}", file, what)
                   : fmt::format("{} line {}: {}", file, line, what);
}

EventLogReader::EventLogReader(EventLogFiles log)
    : log_(std::move(log)),
      buffer_(std::make_unique<char[]>(kBufferBytes + kLinePaddingBytes)),
      capacity_(kBufferBytes) {
  for (const std::string& gap : log_.gaps) damages_.Add({log_.path, 0, gap});
}

std::string EventLogReader::FileName() const {
  return std::filesystem::path(log_.files[next_file_ - 1]).filename();
}

void EventLogReader::Damaged(std::string what) {
  damages_.Add({FileName(), line_, std::move(what)});
}

Result<bool> EventLogReader::NextFile() {
  if (file_) {
    if (!file_->damage().empty()) damages_.Add({FileName(), 0, file_->damage()});
    bytes_before_ += file_->position();
    file_.reset();
  }
  if (next_file_ == log_.files.size()) return false;
  ARROW_ASSIGN_OR_RAISE(file_, LogBytes::Open(log_.files[next_file_++]));
  codec_ = file_->codec();
  line_ = 0;
  begin_ = end_ = 0;
  return true;
}

// Reads more text behind what is there; 0 at the file's end.
Result<size_t> EventLogReader::Fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    auto larger = std::make_unique<char[]>(2 * capacity_ + kLinePaddingBytes);
    std::memcpy(larger.get(), buffer_.get(), end_);
    buffer_ = std::move(larger);
    capacity_ *= 2;
  }
  ARROW_ASSIGN_OR_RAISE(
      const size_t read,
      file_->Read(reinterpret_cast<uint8_t*>(buffer_.get()) + end_, capacity_ - end_));
  end_ += read;
  text_bytes_ += static_cast<int64_t>(read);
  return read;
}

// Throws the rest of a line away that is too long to be one of Spark's.
Status EventLogReader::SkipLongLine() {
  ++line_;
  Damaged(fmt::format("longer than {} MiB", kLineBytesMax >> 20));
  for (;;) {
    const void* newline = std::memchr(buffer_.get() + begin_, '\n', end_ - begin_);
    if (newline != nullptr) {
      begin_ = static_cast<const char*>(newline) - buffer_.get() + 1;
      return Status::OK();
    }
    begin_ = end_ = 0;
    ARROW_ASSIGN_OR_RAISE(const size_t read, Fill());
    if (read == 0) return Status::OK();
  }
}

Result<std::optional<LogLine>> EventLogReader::Next() {
  size_t searched = 0;  // bytes from begin_ that hold no line end
  for (;;) {
    const char* text = buffer_.get() + begin_;
    const size_t size = end_ - begin_;
    const void* newline =
        size == searched ? nullptr : std::memchr(text + searched, '\n', size - searched);
    if (newline != nullptr) {
      const size_t length = static_cast<const char*>(newline) - text;
      begin_ += length + 1;
      ++line_;
      if (length == 0) {
        searched = 0;
        continue;
      }
      return LogLine{{text, length}, line_, true};
    }
    searched = size;
    if (size > kLineBytesMax) {
      RETURN_NOT_OK(SkipLongLine());
      searched = 0;
      continue;
    }
    size_t read = 0;
    if (file_) {
      ARROW_ASSIGN_OR_RAISE(read, Fill());
    }
    if (read > 0) continue;
    if (size > 0) {
      begin_ = end_;
      ++line_;
      return LogLine{{buffer_.get(), size}, line_, false};
    }
    ARROW_ASSIGN_OR_RAISE(const bool more, NextFile());
    if (!more) return std::nullopt;
    searched = 0;
  }
}

}  // namespace reprise
