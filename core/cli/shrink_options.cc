#include "cli/shrink_options.h"

namespace reprise {

namespace {

constexpr int64_t kSecondsDefault = 300;
constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr double kNsPerMs = 1'000'000;

}  // namespace

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
  app.add_option_function<double>(
         "--while-slower-than",
         [&condition](const double& ms) {
           condition.slower_than_ns = static_cast<int64_t>(ms * kNsPerMs);
         },
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
  command->shrink.time_limit_ns = kSecondsDefault * kNsPerSecond;
  app.add_option_function<int64_t>(
         "--time-limit",
         [command](const int64_t& seconds) {
           command->shrink.time_limit_ns = seconds * kNsPerSecond;
         },
         "seconds after which the least that was found is taken (default: 300; 0: none)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--json", command->json, "print the result as JSON");
}

}  // namespace reprise
