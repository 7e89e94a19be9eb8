// What the plug-in must know of the configuration, in answers to what it asks: it reads no key
// itself. All take {key:value} of what is set, and answer in JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// When the application starts:
///   {"lineage":{"path":"/folder","key":"spark.…","overwritesFile":false,"keepsResults":false}?,
///                                                      where its lineage is recorded, which key
///                                                      says so, whether a file may lie there,
///                                                      and whether results of tasks are kept
///    "ledger":{"path":"/folder","operators":"all"}?,   where it keeps a ledger, and whose
///                                                      checksums
///    "memoryReports":"/folder"?,                       where executors keep reports of memory
///    "spans":"http://collector:4318/v1/traces"?,       where spans are sent
///    "traces":"hdfs://host/folder"?,                   where traces go, if not to local files
///    "hasProfileKeys":true,                            whether the profiler is to be asked
///    "hasTab":true,                                    whether Spark's page has a tab of ours
///    "readAtStart":["spark.reprise.lineage.path"]}     keys, and their aliases, that are read now
///                                                      alone: set later they change nothing
/// Makes the directory for traces, if a local one is named. Status::Invalid for what is wrong with
/// a key, unless it is the profiler's, or with that directory, and where lineage is to be recorded
/// but no path is set.
Result<std::string> ApplicationSettings(std::string_view conf_json);

/// Before anything else is asked for a query or a job:
///   {"isEnabled":true,    whether plans are looked at: spark.reprise.sql.enabled
///    "isTagging":true,    whether operators get LORE ids
///    "isChecksummed":true,     whether the ledger, if there is one, checksums it
///    "isMasked":true,     whether columns are masked: spark.reprise.lore.mask
///    "isOnce":false,      whether what is chosen holds for one query: spark.reprise.lore.once
///    "chosen":"…"}        which operators are dumped, where and how, and what is asserted of them;
///                         another text is another plan. "": nothing
/// A key whose value is wrong has its default: what is asked next will tell.
Result<std::string> SwitchSettings(std::string_view conf_json);

/// When a fragment is made: {"settings":{…},"checksOrder":false,"traces":"hdfs://host/folder"?}.
/// The settings are for its tasks (task_settings.h); `checksOrder` says whether the fragment's JSON
/// must hold the orders that the plan promises, and `traces` is as above. Makes the directory for
/// traces. Status::Invalid for what is wrong with one of these keys.
Result<std::string> FragmentSettings(std::string_view conf_json);

}  // namespace reprise
