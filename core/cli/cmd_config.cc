// reprise config: the configuration keys.
#include "cli/cmd_config.h"

#include <iostream>

#include "base/config.h"

namespace reprise {

namespace {

struct ConfigOptions {
  bool markdown = false;
  bool json = false;
};

Result<int> ListKeys(const ConfigOptions& options) {
  if (options.markdown) {
    std::cout << ConfigMarkdown();
    return kExitDone;
  }
  if (options.json) {
    std::cout << CatalogueJson() << "\n";
    return kExitDone;
  }
  for (const ConfigEntry& entry : ConfigTable()) {
    const std::string_view value = entry.default_value.empty() ? "not set" : entry.default_value;
    std::cout << entry.key << " (default: " << value << ")\n    " << MeaningText(entry) << "\n";
    if (!entry.alias.empty()) std::cout << "    alias: " << entry.alias << "\n";
  }
  return kExitDone;
}

Run DeclareConfig(CLI::App& app) {
  auto options = std::make_shared<ConfigOptions>();
  auto* markdown = app.add_flag("--markdown", options->markdown, "as the reference page");
  app.add_flag("--json", options->json, "as JSON")->excludes(markdown);
  return [options] { return ListKeys(*options); };
}

}  // namespace

const Subcommand kConfig = {"config", "List the configuration keys", "reprise config",
                            DeclareConfig};

}  // namespace reprise
