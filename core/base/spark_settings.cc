#include "base/spark_settings.h"

#include <nlohmann/json.hpp>

namespace reprise {

std::string SparkSettingsJson() { return nlohmann::json(kSparkSettings).dump(); }

}  // namespace reprise
