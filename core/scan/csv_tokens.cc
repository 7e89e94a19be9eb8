#include "scan/csv_tokens.h"

#include "plan/replaced_text.h"

namespace reprise {

namespace {

class CsvLine {
 public:
  CsvLine(std::string_view line, const CsvFormat& format, std::vector<CsvToken>* tokens,
          std::string* unquoted)
      : line_(line), format_(format), tokens_(tokens), unquoted_(unquoted) {}

  bool Read() {
    tokens_->clear();
    unquoted_->clear();
    while (true) {
      const bool is_quoted =
          at_ < line_.size() && line_[at_] == format_.quote && format_.quote != '\0';
      if (!(is_quoted ? ReadQuoted() : ReadPlain())) return false;
      if (at_ == line_.size()) return IsText();
      ++at_;  // the separator
    }
  }

 private:
  // A quote in a value that does not begin with it is none, but for a parser that repairs.
  bool ReadPlain() {
    const size_t begin = at_;
    for (; at_ < line_.size() && line_[at_] != format_.separator; ++at_) {
      if (line_[at_] == format_.quote) return false;
      bytes_ |= line_[at_];
    }
    tokens_->push_back({line_.substr(begin, at_ - begin)});
    return true;
  }

  bool ReadQuoted() {
    const size_t begin = ++at_;
    bool has_doubled = false;
    for (; at_ < line_.size(); ++at_) {
      const char byte = line_[at_];
      bytes_ |= byte;
      if (byte == format_.quote) {
        const bool is_last = at_ + 1 == line_.size() || line_[at_ + 1] == format_.separator;
        if (is_last) {
          tokens_->push_back({Value(line_.substr(begin, at_ - begin), has_doubled), true});
          ++at_;
          return true;
        }
        if (format_.escape != format_.quote || line_[at_ + 1] != format_.quote) return false;
        has_doubled = true;
        ++at_;
      } else if (byte == format_.escape) {
        return false;
      }
    }
    return false;
  }

  std::string_view Value(std::string_view quoted, bool has_doubled) {
    if (!has_doubled) return quoted;
    // So that what other values of the line point to stays where it is.
    if (unquoted_->empty()) unquoted_->reserve(line_.size());
    const size_t begin = unquoted_->size();
    for (size_t i = 0; i < quoted.size(); ++i) {
      unquoted_->push_back(quoted[i]);
      if (quoted[i] == format_.quote) ++i;
    }
    return std::string_view(*unquoted_).substr(begin);
  }

  bool IsText() const {
    const bool is_ascii = (static_cast<unsigned char>(bytes_) & 0x80) == 0;
    return is_ascii || IsUtf8(line_);
  }

  const std::string_view line_;
  const CsvFormat& format_;
  std::vector<CsvToken>* const tokens_;
  std::string* const unquoted_;
  size_t at_ = 0;
  char bytes_ = 0;  // of all values, together
};

}  // namespace

bool ReadCsvTokens(std::string_view line, const CsvFormat& format, std::vector<CsvToken>* tokens,
                   std::string* unquoted) {
  return CsvLine(line, format, tokens, unquoted).Read();
}

}  // namespace reprise
