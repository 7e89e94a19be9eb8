// Reads text files line by line: what the scans of CSV, JSON and lines have in common.
//
// Input:   the file splits that Spark has given to the task; what makes rows of lines.
// Output:  the columns asked for, then the partition columns.
//
// Lines of which there is doubt what Spark's parser makes of them are read by Spark's parser, with
// what stands around them; so is a file that is compressed or cannot be read. The more a file has
// of them the larger the parts that are left to Spark, so that no file is read in many small ones.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "operators/operator.h"
#include "scan/text_columns.h"

namespace reprise {

class FileStore;
class PieceSource;
struct FileSplit;

/// What makes rows of the lines of a format.
class LineFormat {
 public:
  using Columns = std::vector<std::unique_ptr<TextColumn>>;

  virtual ~LineFormat() = default;

  /// Whether Spark's parser passes over the line without a look.
  virtual bool IsBlank(std::string_view line) const = 0;

  /// Whether a byte order mark that does not begin the file is more than bytes to Spark's parser.
  virtual bool SeesMarksWithin() const { return true; }

  /// Puts what the line has to row `row` of the columns. False for a line that is left to Spark.
  /// Behind it TextLines::kPadding bytes can be read.
  virtual Result<bool> Read(std::string_view line, int64_t row, const Columns& columns) = 0;
};

/// What the specification of a scan of text says.
struct TextScanArguments {
  std::vector<Field> columns;            ///< "columns": read from the file
  std::vector<Field> partition_columns;  ///< "partitionColumns": constants of each split
  ZoneRules zone;              ///< "zone": of timestamps that name none (expressions/zone_rules.h)
  std::string line_separator;  ///< "lineSeparator": of lines; empty or absent: \n, \r and \r\n
  bool has_header = false;     ///< the first line of a file that is not blank is none of its rows

  /// Status::Invalid for arguments that are not well formed. `reads_nested`: whether columns may be
  /// nested ones, of JSON.
  static Result<TextScanArguments> Of(const OperatorSpec& spec, bool reads_nested = false);
};

/// Makes the scan of `splits`, in their order. `store` has the files that do not lie on a local
/// file system, `pieces` what Spark reads; both may be null, and then a file or line that needs
/// them is an error. Status::Invalid for a split that is not well formed.
Result<std::unique_ptr<Operator>> MakeTextScan(OperatorSpec spec, TextScanArguments arguments,
                                               std::unique_ptr<LineFormat> format,
                                               std::vector<FileSplit> splits,
                                               const TaskContext& context,
                                               std::unique_ptr<FileStore> store,
                                               std::unique_ptr<PieceSource> pieces);

}  // namespace reprise
