// What the plug-in asks of this folder: one function, JSON in and out.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// Runs {"do":…}:
///
///   check    "conf":{key:value} of what is set → {} where no profiles are taken, else {"prefix",
///            "executors","maxBytes","options","wallNs","optionsBesideOwnWall","processorNs"}: see
///            ProfilerOptions. Status::Invalid for what is wrong with one of the profiler's keys
///   takes    "executors" of check,"executor":"3"|"driver" → {"takes":true}: whether that one is to
///            be profiled
///   begin    "recording","folder","maxBytes": a recording of this process begins; operators note
///            from now on when they compute
///   split    "recording","tasks":[[thread,start,end,task,stage,attempt,partition,helper]…] (end 0:
///            it runs; helper 1: a thread that the task has started),"queries":[[tag…]…],
///            "shown":[{"stage","attempt","query":N}…]: pages of these stages are asked for next;
///            their recordings get the names of the operators of their queries, where they do not
///            have them (tags as of NameTag; -1: they are not known) →
///            {"stages":[{"stage","attempt"} with figures…],"other":figures,"settings":{},
///            "operatorChangesDropped","threadsWithoutClock"};
///            figures: {"file","bytes","cpuSamples","wallSamples","droppedChunks","lostChunks",
///            "error"}: see SliceFigures
///   stages   "recording","stages":[{"stage","attempt","isLast","html","title","subtitle","jfr"?}
///            …]: a page is made of each stage's recording, which is copied to "jfr" or, after the
///            last page, moved there; what cannot be put in its place is kept for another try →
///            {"stages":[as of `page`, with "bytes" and "pageBytes", or "error"; and "isKept"…]}
///   finish   "recording","stage","attempt": the caller has put the stage's last files in their
///            place: the recording is deleted
///   page     "files":[…],"html","title","subtitle": writes the page → {"cpuSamples",
///            "wallSamples","otherSamples":{event:samples…},
///            "operators":[{"loreId","name","samples"}…]}
///   slow     the same of "files", slow tasks against median ones; "tasks":0 and no page where
///            there are fewer than two tasks
///   index    "html" and what index_page.h says
///   end      "recording": operators no longer note
///
/// Status::Invalid for what is malformed; errors of files as ReadStacks and Split have them.
Result<std::string> RunProfileRequest(std::string_view request_json);

}  // namespace reprise
