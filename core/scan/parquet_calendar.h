// Dates and timestamps of files that old Sparks wrote in the hybrid Julian-Gregorian calendar.
#pragma once

#include <arrow/util/key_value_metadata.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

/// Spark's LegacyBehaviorPolicy. kCorrected: values are of the proleptic Gregorian calendar, as
/// they are. kLegacy: they are of the hybrid calendar. kException: not known; old values are an
/// error.
enum class RebaseMode { kCorrected, kLegacy, kException };

/// "CORRECTED", "LEGACY" or "EXCEPTION".
Result<RebaseMode> ParseRebaseMode(std::string_view name);

/// What to do with a file's dates and INT64 timestamps, and with its INT96 timestamps.
struct RebaseModes {
  RebaseMode datetime = RebaseMode::kCorrected;
  RebaseMode int96 = RebaseMode::kCorrected;
  std::optional<std::string> zone = std::nullopt;  ///< in which the file's writer knew the instants
};

/// Gives instants of the hybrid calendar, in microseconds, in place in the proleptic Gregorian one:
/// those at which the two show the same local time in `zone`; without one, in the JVM's own.
/// Spark's tables and the zones of a JVM say it, so that only the plug-in can
/// (TaskProbe.toProleptic).
using InstantRebase =
    std::function<Status(const std::optional<std::string>& zone, std::vector<int64_t>* micros)>;

/// The modes and the zone for a file with the footer's key-value metadata (may be null), as
/// DataSourceUtils.datetimeRebaseSpec and int96RebaseSpec: Spark before 3.0 (INT96: 3.1) and files
/// marked as legacy are kLegacy; files that no Spark wrote are as `configured` says.
RebaseModes RebaseModesOf(const arrow::KeyValueMetadata* metadata, const RebaseModes& configured);

/// Days since 1970-01-01 of the day in the proleptic Gregorian calendar that has the same year,
/// month and day as `days` has in the hybrid calendar (RebaseDateTime.rebaseJulianToGregorianDays):
/// the value itself from 1582-10-15 on; Julian leap days without a Gregorian twin become March 1st.
int32_t RebaseJulianToGregorianDays(int32_t days);

/// 1582-10-15, the first day of the Gregorian calendar, in days since 1970-01-01.
inline constexpr int32_t kLastSwitchDay = -141427;

/// 1900-01-01T00:00:00Z: from here on no time zone has a difference between the calendars.
inline constexpr int64_t kLastSwitchMicros = -2208988800000000;

/// Gives those of `micros` that lie before 1900 to `rebase`, and puts what comes of them in their
/// places. Status::NotImplemented where there are any and `rebase` is empty.
Status RebaseInstants(const std::optional<std::string>& zone, const InstantRebase& rebase,
                      std::span<int64_t> micros);

/// INCONSISTENT_BEHAVIOR_CROSS_VERSION.READ_ANCIENT_DATETIME, as Spark raises it under kException.
/// `int96`: of an INT96 timestamp.
Status AncientDatetimeError(bool int96);

}  // namespace reprise
