#include "scan/split_reader.h"

#include <algorithm>
#include <utility>

#include "scan/file_location.h"
#include "scan/remote_file.h"
#include "scan/row_group_pruner.h"

namespace reprise {

namespace {

// Files that are opened before their turn.
constexpr size_t kFilesAhead = 8;
// Bytes of row groups that are fetched before their turn.
constexpr int64_t kBytesAhead = int64_t{32} << 20;

}  // namespace

SplitReader::SplitReader(const std::vector<FileSplit>& splits, const ParquetProjection& projection,
                         const RowGroupPruner& pruner, std::unique_ptr<FileStore> store,
                         const TaskContext& context)
    : splits_(splits),
      projection_(projection),
      pruner_(pruner),
      context_(context),
      store_(std::move(store)) {
  const auto is_remote = [](const FileSplit& split) { return !IsLocal(split.path); };
  reads_ahead_ = store_ != nullptr && std::ranges::any_of(splits, is_remote);
}

SplitReader::~SplitReader() = default;

Result<bool> SplitReader::Next() {
  file_.reset();
  while (true) {
    if (open_.empty()) {
      if (next_split_ == splits_.size()) return false;
      OpenAhead();
      OpenNext();
    }
    OpenSplit& open = open_.front();
    split_ = open.position;
    RETURN_NOT_OK(open.error);
    row_groups_skipped_ += std::exchange(open.skipped, 0);
    if (open.next == open.row_groups.size()) {
      open_.pop_front();
      continue;
    }
    const int row_group = open.row_groups[open.next++];
    file_ = open.file;
    if (reads_ahead_) {
      // Asked for first, since it is needed first.
      RETURN_NOT_OK(file_->Fetch(row_group));
      OpenAhead();
      FetchAhead();
    }
    RETURN_NOT_OK(file_->Start(row_group));
    return true;
  }
}

void SplitReader::LeaveSplit() {
  file_.reset();
  if (!open_.empty() && open_.front().position == split_) open_.pop_front();
}

Result<std::shared_ptr<RemoteFile>> SplitReader::OpenRemote(const std::string& path) {
  return RemoteFile::Open(*store_, path, context_);
}

// Neighbouring splits are often of one file.
Result<std::shared_ptr<ParquetRowGroups>> SplitReader::FileOf(size_t split) {
  const std::string& path = splits_[split].path;
  std::shared_ptr<RemoteFile> remote;
  if (!opening_.empty() && opening_.front().split == split) {
    remote = std::move(opening_.front().file);
    opening_.pop_front();
  }
  if (last_file_ != nullptr && last_path_ == path) return last_file_;
  last_file_.reset();
  if (IsLocal(path) || store_ == nullptr) {
    ARROW_ASSIGN_OR_RAISE(last_file_, ParquetRowGroups::Open(path, projection_, context_.pool));
  } else {
    if (remote == nullptr) {
      ARROW_ASSIGN_OR_RAISE(remote, OpenRemote(path));
    }
    ARROW_ASSIGN_OR_RAISE(last_file_,
                          ParquetRowGroups::Open(std::move(remote), projection_, context_.pool));
  }
  last_path_ = path;
  return last_file_;
}

Status SplitReader::OpenInto(OpenSplit* open) {
  const FileSplit& split = splits_[open->position];
  ARROW_ASSIGN_OR_RAISE(open->file, FileOf(open->position));
  ARROW_ASSIGN_OR_RAISE(const auto owned, open->file->RowGroupsOf(split.start, split.length));
  for (const int row_group : owned) {
    ARROW_ASSIGN_OR_RAISE(const bool skip, open->file->CanSkip(row_group, pruner_));
    if (skip) {
      ++open->skipped;
    } else {
      open->row_groups.push_back(row_group);
    }
  }
  return Status::OK();
}

void SplitReader::OpenNext() {
  OpenSplit open;
  open.position = next_split_++;
  open.error = OpenInto(&open);
  open_.push_back(std::move(open));
}

// Whether the next split's file can be opened without waiting.
bool SplitReader::NextIsAtHand() {
  const std::string& path = splits_[next_split_].path;
  if (IsLocal(path)) return false;
  if (last_file_ != nullptr && last_path_ == path) return true;
  if (opening_.empty() || opening_.front().split != next_split_) return false;
  const auto is_open = opening_.front().file->IsOpen();
  return is_open.ok() && *is_open;
}

void SplitReader::OpenAhead() {
  if (!reads_ahead_) return;
  size_t split = opening_.empty() ? next_split_ : opening_.back().split + 1;
  for (; split < splits_.size() && opening_.size() < kFilesAhead; ++split) {
    const std::string& path = splits_[split].path;
    const bool is_same = split > 0 && splits_[split - 1].path == path;
    if (is_same || IsLocal(path)) continue;
    auto file = OpenRemote(path);
    // When it is its turn it is tried again, and if need be told why it cannot be opened.
    if (!file.ok()) return;
    opening_.push_back({split, std::move(*file)});
  }
}

void SplitReader::FetchAhead() {
  int64_t bytes_left = kBytesAhead;
  for (size_t i = 0;; ++i) {
    if (i == open_.size()) {
      if (next_split_ == splits_.size() || !NextIsAtHand()) return;
      OpenNext();
    }
    OpenSplit& open = open_[i];
    // It stands in the way of what comes after it.
    if (!open.error.ok()) return;
    for (size_t next = open.next; next < open.row_groups.size(); ++next) {
      // What is wrong with it is told when it starts.
      bytes_left = open.file->FetchAhead(open.row_groups[next], bytes_left).ValueOr(0);
      if (bytes_left == 0) return;
    }
  }
}

}  // namespace reprise
