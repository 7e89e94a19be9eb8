#include "scan/line_scan.h"

#include "scan/file_split.h"
#include "scan/file_store.h"
#include "scan/piece_source.h"
#include "scan/text_scan.h"

namespace reprise {

namespace {

class WholeLines final : public LineFormat {
 public:
  bool IsBlank(std::string_view) const override { return false; }

  bool SeesMarksWithin() const override { return false; }

  Result<bool> Read(std::string_view line, int64_t row, const Columns& columns) override {
    if (columns.empty()) return true;  // lines are only counted
    return columns[0]->Put(row, line);
  }
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeLineScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                               const TaskContext& context,
                                               std::unique_ptr<FileStore> store,
                                               std::unique_ptr<PieceSource> pieces) {
  ARROW_ASSIGN_OR_RAISE(auto text, TextScanArguments::Of(spec));
  const auto& columns = text.columns;
  if (columns.size() > 1 || (columns.size() == 1 && !columns[0].type.is(TypeKind::kString))) {
    return Status::Invalid("a line is one column of strings; \"columns\" has ", columns.size(),
                           ", of which ", columns[0].name, " is ", columns[0].type.ToString());
  }
  return MakeTextScan(std::move(spec), std::move(text), std::make_unique<WholeLines>(),
                      std::move(splits), context, std::move(store), std::move(pieces));
}

}  // namespace reprise
