// reprise ops: what runs natively.
#include "cli/cmd_ops.h"

#include <iostream>

#include "rules/supported_page.h"

namespace reprise {

namespace {

struct Options {
  bool markdown = false;
  bool json = false;
};

// The page is made to be read as it is, too.
Result<int> ListOperators(const Options& options) {
  if (options.json) {
    std::cout << SupportedJson() << "\n";
  } else {
    std::cout << SupportedMarkdown();
  }
  return kExitDone;
}

Run Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto* markdown = app.add_flag("--markdown", options->markdown, "as the reference page (default)");
  app.add_flag("--json", options->json, "as JSON")->excludes(markdown);
  return [options] { return ListOperators(*options); };
}

}  // namespace

const Subcommand kOps = {"ops", "List the operators, expressions and casts that run natively",
                         "reprise ops --json", Declare};

}  // namespace reprise
