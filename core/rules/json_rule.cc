// FileSourceScanExec over JsonFileFormat -> json_scan: reads the file splits that Spark gives to
// each task. Output: as of all text.
#include "rules/text_rule.h"

namespace reprise {

namespace {

constexpr NamedValue kDefaults[] = {
    {"allowBackslashEscapingAnyCharacter", "false"},
    {"allowComments", "false"},
    {"allowNonNumericNumbers", "true"},
    {"allowNumericLeadingZeros", "false"},
    {"allowSingleQuotes", "true"},
    {"allowUnquotedControlChars", "false"},
    {"allowUnquotedFieldNames", "false"},
};
constexpr std::string_view kRefused[] = {"maxNestingDepth", "maxNumLen", "maxStringLen"};

class JsonTranslation final : public TextTranslation {
 public:
  explicit JsonTranslation(const OperatorQuestion& question)
      : TextTranslation(question, kJsonScanKind, kDefaults, kRefused) {}

 private:
  void CheckFormat() override {}
  void WriteFormat(NativeOperator*) const override {}
};

}  // namespace

Judgement JudgeJsonScan(const OperatorQuestion& question) {
  return JsonTranslation(question).Run();
}

}  // namespace reprise
