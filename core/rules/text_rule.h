// FileSourceScanExec over text files: what the rules of CSV and JSON have in common.
//
// Input:   the relation's options; the schema of its files, and the columns read of it.
// Output:  {"columns":[FIELD…],"partitionColumns":[FIELD…],"zone":…,"lineSeparator":…}, and
//          what the format adds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "rules/operator_table.h"

namespace reprise {

struct NamedValue {
  std::string_view name;
  std::string_view value;
};

/// When a scan of a format runs natively: with the options that the core follows, whatever the
/// lines are like. Those that are unlike most are read by Spark when the scan runs.
class TextTranslation {
 public:
  /// `kind`: of the native operator. `defaults`: options that are read natively at Spark's default
  /// alone, beside those of all formats; `refused`: options that are not read natively at all.
  TextTranslation(const OperatorQuestion& question, std::string_view kind,
                  std::span<const NamedValue> defaults, std::span<const std::string_view> refused);
  virtual ~TextTranslation() = default;

  Judgement Run();

 protected:
  void Refuse(std::string reason) { judgement_.reasons.push_back(std::move(reason)); }
  void Refuse(std::vector<std::string> reasons) {
    for (std::string& reason : reasons) Refuse(std::move(reason));
  }
  /// The option's value, or what holds without it.
  std::string_view Option(std::string_view name, std::string_view otherwise) const;
  const PlanValue* options() const { return options_; }
  const OperatorQuestion& question() const { return question_; }
  /// The columns that the files have, and those that are read.
  const PlanType& file_schema() const { return *file_schema_; }
  const PlanType& columns() const { return *columns_; }

  /// Refuses what the format alone cannot do.
  virtual void CheckFormat() = 0;
  /// Adds what the format alone wants to know.
  virtual void WriteFormat(NativeOperator* native) const = 0;

 private:
  void CheckScan();
  void CheckOptions();
  void CheckLineEnds();
  void CheckTimes();
  void CheckColumn(const StructField& field);
  void CheckSchemas();
  void Write();

  const OperatorQuestion& question_;
  const PlanObject& relation_;
  const std::string_view kind_;
  const std::span<const NamedValue> defaults_;
  const std::span<const std::string_view> refused_;
  const PlanValue* options_;
  const PlanType* file_schema_;
  const PlanType* columns_;
  const PlanType* partition_columns_;
  Judgement judgement_;
};

}  // namespace reprise
