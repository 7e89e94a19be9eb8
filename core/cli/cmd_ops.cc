// reprise ops: what runs natively.
#include "cli/cmd_ops.h"

#include <iostream>

#include "rules/supported_page.h"

namespace reprise {

namespace {

struct OpsOptions {
  bool markdown = false;
  bool json = false;
};

// The page is made to be read as it is, too.
Result<int> ListNativeOperators(const OpsOptions& options) {
  if (options.json) {
    std::cout << SupportedJson() << "\n";
  } else {
    std::cout << SupportedMarkdown();
  }
  return kExitDone;
}

Run DeclareOps(CLI::App& app) {
  auto options = std::make_shared<OpsOptions>();
  auto* markdown = app.add_flag("--markdown", options->markdown, "as the reference page (default)");
  app.add_flag("--json", options->json, "as JSON")->excludes(markdown);
  return [options] { return ListNativeOperators(*options); };
}

}  // namespace

const Subcommand kOps = {"ops", "List the operators, expressions and casts that run natively",
                         "reprise ops --json", DeclareOps};

}  // namespace reprise
