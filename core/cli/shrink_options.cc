#include "cli/shrink_options.h"

namespace reprise {

void DeclareShrinkOptions(CLI::App& app, ShrinkCommand* command) {
  ConditionOptions& condition = command->shrink.condition;
  app.add_option("FOLDER", command->folder, "folder of the operator, DUMP/loreId-N")->required();
  app.add_option("--out", command->shrink.out, "folder of the shrunk dump: absent or empty")
      ->required();
  app.add_flag("--while-fails", condition.fails, "as long as the operator raises the same error");
  app.add_flag("--while-differs", condition.differs,
               "as long as its output is another one than Spark's, which a JVM computes");
  app.add_option("--while-assert", condition.assertion,
                 "as long as an output row does not satisfy this SQL predicate");
  app.add_option("--while-slower-than", command->slower_than_ms,
                 "as long as the operator takes more milliseconds than this")
      ->check(CLI::PositiveNumber);
  app.add_option("--while-command", condition.command,
                 "as long as this shell command, which finds the dump's folder in $DUMP, ends with "
                 "status 0");
  app.add_option("--partition", command->shrink.partition,
                 "shrink this partition (default: the first that shows it)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--ordered", condition.ordered, "another order of the output differs too");
  app.add_option("--conf", command->conf, "KEY=VALUE, as of reprise replay; can be repeated");
  app.add_option("--time-limit", command->seconds,
                 "seconds after which the least that was found is taken (default: 300; 0: none)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--json", command->json, "print the result as JSON");
}

}  // namespace reprise
