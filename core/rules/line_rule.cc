// FileSourceScanExec over TextFileFormat -> line_scan: reads the file splits that Spark gives to
// each task, a row a line. Output: as of all text.
#include "rules/source_options.h"
#include "rules/text_rule.h"

namespace reprise {

namespace {

constexpr NamedValue kDefaults[] = {{"wholetext", "false"}};

class LineTranslation final : public TextTranslation {
 public:
  explicit LineTranslation(const OperatorQuestion& question)
      : TextTranslation(question, kLineScanKind, kDefaults, {}) {}

 private:
  void CheckFormat() override {}
  void WriteFormat(NativeOperator*) const override {}
};

}  // namespace

Judgement JudgeLineScan(const OperatorQuestion& question) {
  return LineTranslation(question).Run();
}

}  // namespace reprise
