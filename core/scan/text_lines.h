// Lines of a part of a text file, divided as Hadoop's LineRecordReader does it: a line ends with
// \n, \r or \r\n, or with a separator of its own and nothing else, and belongs to the part that it
// begins in.
//
// Input:   a file, local or in a store; the bytes of a split.
// Output:  its lines, without their ends. A split that does not begin its file leaves the first one
//          to the split before, and has the one that begins right behind its own end; where a
//          separator begins in it and ends in the next one, also the line behind that.
// Example: of "ab\ncd\r\nef" the split [0, 3) has "ab" and "cd", the split [3, 9) "ef".
#pragma once

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "operators/operator.h"
#include "scan/file_split.h"

namespace reprise {

class FileStore;
class RemoteFile;

class TextLines {
 public:
  /// Lines end with `separator`; where it is empty, with \n, \r or \r\n. `store` has the file if it
  /// is not local. What is read is of `context`'s pool. `store` and `context` must outlive the
  /// lines.
  static Result<std::unique_ptr<TextLines>> Open(const FileSplit& split, std::string separator,
                                                 FileStore* store, const TaskContext& context);

  /// Behind each line so many bytes can be read, whatever they are.
  static constexpr int64_t kPadding = 64;

  /// The next line, good until the next call; nothing at the end of the split.
  Result<std::optional<std::string_view>> Next();

  /// The place in the file of the line that Next gave last.
  int64_t line_start() const { return line_start_; }
  /// The same of the next one.
  int64_t position() const { return position_; }
  /// How much of the file has been read.
  int64_t bytes_read() const { return bytes_read_; }

 private:
  /// Where a byte of one value comes next.
  struct Ahead {
    char byte;
    int64_t found = -1;     ///< below `position_`: not known
    int64_t searched = -1;  ///< there is none before
  };

  TextLines(const FileSplit& split, std::string separator, const TaskContext& context)
      : context_(context),
        separator_(std::move(separator)),
        position_(split.start),
        end_(split.start + split.length) {}

  /// Where a line ends, and where the next one begins.
  struct LineEnd {
    int64_t at;
    int64_t next;
  };

  Result<std::string_view> Line();
  std::optional<LineEnd> FindLineEnd();
  std::optional<LineEnd> FindSeparator();
  std::optional<int64_t> Find(Ahead* ahead) const;
  Status ReadMore();
  Status ReadInto(int64_t offset, int64_t length, uint8_t* to);
  int64_t known_end() const { return begin_ + filled_; }
  const char* At(int64_t position) const {
    return reinterpret_cast<const char*>(bytes_->data()) + (position - begin_);
  }

  const TaskContext& context_;
  const std::string separator_;
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::shared_ptr<RemoteFile> remote_;  // file_, if it is one
  int64_t size_ = 0;                    // of the file
  std::shared_ptr<arrow::ResizableBuffer> bytes_;
  int64_t begin_ = 0;     // of bytes_, in the file
  int64_t filled_ = 0;    // bytes of bytes_
  int64_t searched_ = 0;  // from `position_` to here there is no whole separator
  Ahead newline_{'\n'};
  Ahead return_{'\r'};
  int64_t line_start_ = 0;
  int64_t position_;
  int64_t end_;              // of the split
  bool is_divided_ = false;  // the split ends within the separator before `position_`
  int64_t bytes_read_ = 0;
};

}  // namespace reprise
