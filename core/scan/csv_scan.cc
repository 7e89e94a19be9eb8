#include "scan/csv_scan.h"

#include <algorithm>

#include "operators/spec_members.h"
#include "scan/csv_tokens.h"
#include "scan/file_split.h"
#include "scan/file_store.h"
#include "scan/piece_source.h"
#include "scan/text_scan.h"

namespace reprise {

namespace {

struct CsvArguments {
  std::vector<size_t> positions;
  std::vector<bool> nullable;
  size_t width = 0;
  CsvFormat format;
  std::string null_value;
  std::string empty_value;
};

Result<char> ByteArgument(const nlohmann::json& arguments, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, StringMember(arguments, name));
  if (text.size() <= 1) return text.empty() ? '\0' : text[0];
  return Status::Invalid("argument \"", name, "\" is \"", text, "\"; expected one byte or none");
}

Result<std::vector<size_t>> PositionsArgument(const nlohmann::json& arguments, size_t columns,
                                              size_t width) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* list, ArrayMember(arguments, "positions"));
  if (list->size() != columns) {
    return Status::Invalid("argument \"positions\" has ", list->size(), " places for ", columns,
                           " columns");
  }
  std::vector<size_t> positions;
  for (const auto& position : *list) {
    if (!position.is_number_unsigned() || position.get<size_t>() >= width) {
      return Status::Invalid("argument \"positions\" names ", position.dump(), ", of ", width);
    }
    positions.push_back(position.get<size_t>());
  }
  return positions;
}

Result<CsvArguments> DecodeArguments(const nlohmann::json& arguments,
                                     const std::vector<Field>& columns) {
  CsvArguments decoded;
  ARROW_ASSIGN_OR_RAISE(const int64_t width, IntegerMember(arguments, "width"));
  decoded.width = static_cast<size_t>(std::max<int64_t>(0, width));
  ARROW_ASSIGN_OR_RAISE(decoded.positions,
                        PositionsArgument(arguments, columns.size(), decoded.width));
  for (const Field& column : columns) decoded.nullable.push_back(column.nullable);
  ARROW_ASSIGN_OR_RAISE(decoded.format.separator, ByteArgument(arguments, "separator"));
  ARROW_ASSIGN_OR_RAISE(decoded.format.quote, ByteArgument(arguments, "quote"));
  ARROW_ASSIGN_OR_RAISE(decoded.format.escape, ByteArgument(arguments, "escape"));
  ARROW_ASSIGN_OR_RAISE(decoded.null_value, StringMember(arguments, "nullValue"));
  ARROW_ASSIGN_OR_RAISE(decoded.empty_value, StringMember(arguments, "emptyValue"));
  return decoded;
}

class CsvLines final : public LineFormat {
 public:
  CsvLines(CsvArguments arguments, bool may_have_newlines)
      : arguments_(std::move(arguments)), may_have_newlines_(may_have_newlines) {}

  // String.trim leaves nothing of it.
  bool IsBlank(std::string_view line) const override {
    return std::ranges::all_of(line, [](char byte) { return byte >= 0 && byte <= ' '; });
  }

  Result<bool> Read(std::string_view line, int64_t row, const Columns& columns) override {
    if (columns.empty()) return true;  // Spark only counts lines
    // Univocity's parser ends a record there.
    if (may_have_newlines_ && line.find('\n') != std::string_view::npos) return false;
    if (!ReadCsvTokens(line, arguments_.format, &tokens_, &unquoted_)) return false;
    if (tokens_.size() != arguments_.width) return false;
    for (size_t i = 0; i < columns.size(); ++i) {
      const CsvToken& token = tokens_[arguments_.positions[i]];
      const bool is_absent = token.text.empty() && !token.is_quoted;
      const std::string_view text = token.text.empty() ? arguments_.empty_value : token.text;
      if (is_absent || text == arguments_.null_value) {
        if (!arguments_.nullable[i]) return false;
        RETURN_NOT_OK(columns[i]->PutNull(row));
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(const bool is_put, columns[i]->Put(row, text));
      if (!is_put) return false;
    }
    return true;
  }

 private:
  const CsvArguments arguments_;
  const bool may_have_newlines_;  // lines end otherwise
  std::vector<CsvToken> tokens_;  // of a line
  std::string unquoted_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeCsvScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                              const TaskContext& context,
                                              std::unique_ptr<FileStore> store,
                                              std::unique_ptr<PieceSource> pieces) {
  ARROW_ASSIGN_OR_RAISE(auto text, TextScanArguments::Of(spec));
  ARROW_ASSIGN_OR_RAISE(text.has_header, BooleanMember(spec.arguments, "header"));
  ARROW_ASSIGN_OR_RAISE(auto csv, DecodeArguments(spec.arguments, text.columns));
  auto format = std::make_unique<CsvLines>(std::move(csv), !text.line_separator.empty());
  return MakeTextScan(std::move(spec), std::move(text), std::move(format), std::move(splits),
                      context, std::move(store), std::move(pieces));
}

}  // namespace reprise
