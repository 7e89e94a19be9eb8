#include "scan/parquet_calendar.h"

#include "base/check.h"

namespace reprise {

namespace {

// Keys that Spark writes to a Parquet footer (org.apache.spark.sql package object).
constexpr char kVersionKey[] = "org.apache.spark.version";
constexpr char kLegacyDatetimeKey[] = "org.apache.spark.legacyDateTime";
constexpr char kLegacyInt96Key[] = "org.apache.spark.legacyINT96";
constexpr char kZoneKey[] = "org.apache.spark.timeZone";

std::optional<std::string> ValueOf(const arrow::KeyValueMetadata& metadata, const char* key) {
  const int index = metadata.FindKey(key);
  if (index < 0) return std::nullopt;
  return metadata.value(index);
}

RebaseMode ModeOf(const arrow::KeyValueMetadata* metadata, RebaseMode configured,
                  std::string_view first_corrected_version, const char* legacy_key) {
  if (metadata == nullptr) return configured;
  const auto version = ValueOf(*metadata, kVersionKey);
  if (!version) return configured;
  // Spark compares the versions as text.
  const bool legacy = *version < first_corrected_version || metadata->FindKey(legacy_key) >= 0;
  return legacy ? RebaseMode::kLegacy : RebaseMode::kCorrected;
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

Result<RebaseMode> ParseRebaseMode(std::string_view name) {
  if (name == "CORRECTED") return RebaseMode::kCorrected;
  if (name == "LEGACY") return RebaseMode::kLegacy;
  if (name == "EXCEPTION") return RebaseMode::kException;
  return Status::Invalid("rebase mode \"", name, "\"; expected CORRECTED, LEGACY or EXCEPTION");
}

RebaseModes RebaseModesOf(const arrow::KeyValueMetadata* metadata, const RebaseModes& configured) {
  return {ModeOf(metadata, configured.datetime, "3.0.0", kLegacyDatetimeKey),
          ModeOf(metadata, configured.int96, "3.1.0", kLegacyInt96Key),
          metadata == nullptr ? std::nullopt : ValueOf(*metadata, kZoneKey)};
}

int32_t RebaseJulianToGregorianDays(int32_t days) {
  if (days >= kLastSwitchDay) return days;
  // Both calendars by the usual arithmetic in years that begin on March 1st: the day of such a year
  // says month and day whatever the calendar, save for the leap day, which is a year's last.
  constexpr int64_t kJulianEpoch =
      719470;  // days from 0000-03-01 (Julian) to 1970-01-01 (Gregorian)
  const int64_t julian = int64_t{days} + kJulianEpoch;
  const int64_t cycle = FloorDivide(julian, 1461);
  const int64_t day_of_cycle = julian - cycle * 1461;
  const int64_t year_of_cycle = day_of_cycle == 1460 ? 3 : day_of_cycle / 365;
  const int64_t year = cycle * 4 + year_of_cycle;
  const int64_t day_of_year = day_of_cycle - year_of_cycle * 365;
  constexpr int64_t kGregorianEpoch = 719468;  // days from 0000-03-01 (Gregorian) to 1970-01-01
  const int64_t year_start =
      year * 365 + FloorDivide(year, 4) - FloorDivide(year, 100) + FloorDivide(year, 400);
  return static_cast<int32_t>(year_start + day_of_year - kGregorianEpoch);
}

Status RebaseInstants(const std::optional<std::string>& zone, const InstantRebase& rebase,
                      std::span<int64_t> micros) {
  std::vector<int64_t> old;
  for (const int64_t instant : micros) {
    if (instant < kLastSwitchMicros) old.push_back(instant);
  }
  if (old.empty()) return Status::OK();
  if (!rebase) {
    return Status::NotImplemented(
        "timestamps before 1900 of files in the legacy calendar can only be read in a JVM, whose "
        "time zones say what they mean: run the query in Spark");
  }
  const size_t count = old.size();
  RETURN_NOT_OK(rebase(zone, &old));
  REPRISE_CHECK(old.size() == count, "{} instants became {}", count, old.size());
  auto next = old.begin();
  for (int64_t& instant : micros) {
    if (instant < kLastSwitchMicros) instant = *next++;
  }
  return Status::OK();
}

Status AncientDatetimeError(bool int96) {
  const std::string format = int96 ? "Parquet INT96" : "Parquet";
  const std::string option = int96 ? "int96RebaseMode" : "datetimeRebaseMode";
  const std::string config = "spark.sql.parquet." + option + "InRead";
  return SparkError(
      "INCONSISTENT_BEHAVIOR_CROSS_VERSION.READ_ANCIENT_DATETIME",
      {{"format", format}, {"config", "\"" + config + "\""}, {"option", "\"" + option + "\""}},
      "dates before 1582-10-15 or timestamps before 1900-01-01T00:00:00Z in " + format +
          " files are ambiguous: set " + config + " to LEGACY or CORRECTED");
}

}  // namespace reprise
