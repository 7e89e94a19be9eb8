#include "task/fragment_task.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "dump/capture_writer.h"
#include "dump/ledger_entry.h"
#include "operators/arrow_input.h"
#include "operators/column_input.h"
#include "operators/fragment.h"
#include "operators/registry.h"
#include "operators/row_input.h"
#include "operators/shuffle_read.h"
#include "scan/scans.h"
#include "task/file_splits.h"
#include "vocabulary/kinds.h"
#include "vocabulary/metrics.h"

namespace reprise {

namespace {

constexpr int64_t kRowsBytesMax = int64_t{1} << 30;

bool ReadsFiles(const TaskDescription& task) {
  return task.leaves.empty() || std::ranges::any_of(task.leaves, [](const TaskLeaf& leaf) {
           return leaf.kind == TaskLeaf::Kind::kFiles || leaf.kind == TaskLeaf::Kind::kNothing;
         });
}

// The calls of the plug-in.
constexpr TraceRange kOpenRange = {"open", "call"};
constexpr TraceRange kNextRange = {"next", "call", {"rows"}};
constexpr TraceRange kNextBlockRange = {"nextBlock", "call", {"partition", "rows", "bytes"}};
constexpr TraceRange kToRowsRange = {"toRows", "call", {"rows", "bytes"}};
constexpr TraceRange kToCacheRange = {"toCache", "call", {"rows"}};
constexpr TraceRange kSpillRange = {"spill", "call", {"bytes", "givenBack"}};
constexpr TraceRange kFinishRange = {"finish", "call"};
constexpr TraceRange kCloseRange = {"close", "call"};

std::unique_ptr<FragmentTrace> TraceOf(const TaskDescription& task) {
  if (!task.trace) return nullptr;
  return std::make_unique<FragmentTrace>(
      TraceFile::OfProcess(*task.trace),
      TraceTask{task.stage, task.partition, task.attempt,
                task.settings.integer("spark.reprise.trace.maxEventsPerTask")});
}

bool IsWatched(const TaskSettings& settings) {
  return !settings.text("spark.reprise.memory.reportPath").empty();
}

TaskMemory::Options MemoryOptionsOf(const TaskSettings& settings, TraceRecorder* trace) {
  return {.tracks_users = settings.boolean("spark.reprise.memory.debug") || IsWatched(settings),
          .deny_every = settings.integer("spark.reprise.memory.denyEvery"),
          .trace = trace};
}

// Null where there are not so many, or it has been taken.
template <typename Guests>
std::unique_ptr<Guests> TakeGuest(int64_t number, std::vector<TaskSource>& sources,
                                  CoreEntry* entry) {
  for (TaskSource& source : sources) {
    auto* guests = std::get_if<std::unique_ptr<Guests>>(&source);
    if (guests == nullptr || number-- > 0) continue;
    if (*guests == nullptr) return nullptr;
    TaskSource outside = OutsideCore(std::move(*guests), entry);
    return std::get<std::unique_ptr<Guests>>(std::move(outside));
  }
  return nullptr;
}

// What a leaf of files has beside them; null where it has none.
template <typename Source>
Result<std::unique_ptr<Source>> TakeBeside(const std::optional<int>& number,
                                           const std::string& prefix, std::string_view what,
                                           std::vector<TaskSource>& sources) {
  if (!number) return nullptr;
  if (*number < static_cast<int>(sources.size())) {
    auto* source = std::get_if<std::unique_ptr<Source>>(&sources[*number]);
    if (source != nullptr && *source != nullptr) return std::move(*source);
  }
  return Status::Invalid(prefix, "source ", *number, " is missing, used twice or has no ", what,
                         "; the task has ", sources.size());
}

// A call of the plug-in: this thread is the task's, and inside the core.
class CoreCall {
 public:
  static Result<std::unique_ptr<CoreCall>> Begin(CoreEntry& entry, TaskMemory* memory) {
    RETURN_NOT_OK(entry.Begin());
    return std::make_unique<CoreCall>(entry, memory);
  }
  CoreCall(CoreEntry& entry, TaskMemory* memory) : thread_(memory), entry_(entry) {}
  ~CoreCall() { entry_.Leave(); }

 private:
  TaskThreadScope thread_;
  CoreEntry& entry_;
};

}  // namespace

FragmentTask::FragmentTask(TaskDescription task, TaskServices services)
    : task_(std::move(task)),
      trace_(TraceOf(task_)),
      entry_(task_.attempt, task_.settings.integer("spark.reprise.concurrentTasks"),
             ReadsFiles(task_), services.cancelled, trace()),
      manager_(OutsideCore(std::move(services.memory), &entry_)),
      pool_(
          std::make_unique<TaskMemory>(manager_.get(), MemoryOptionsOf(task_.settings, trace()))) {
  context_.pool = pool_.get();
  context_.memory = pool_.get();
  if (IsWatched(task_.settings)) {
    activity_ = std::make_unique<ActivityBoard>();
    live_ = std::make_unique<LiveFragment>(task_, *pool_, *activity_);
    context_.activity = activity_.get();
  }
  context_.outside = [this](const std::function<void()>& function) {
    entry_.Outside([&] {
      function();
      return true;
    });
  };
  context_.cancelled = std::move(services.cancelled);
  context_.spill_storage = std::move(services.spill_storage);
  context_.rebase_instants = std::move(services.rebase_instants);
  context_.trace = trace();
  context_.median_task_ms = [this, median = std::move(services.median_task_ms)] {
    // The driver is asked, which takes its time.
    return median ? entry_.Outside(median) : std::nullopt;
  };
  context_.batch_rows_target = task_.settings.integer("spark.reprise.sql.batchRows");
  context_.batch_bytes_target = task_.settings.integer("spark.reprise.sql.batchBytes");
  context_.stage = task_.stage;
  context_.partition = task_.partition;
  context_.attempt = task_.attempt;
}

FragmentTask::~FragmentTask() { (void)Close(CaptureEnd::kFailed); }

Result<std::unique_ptr<FragmentTask>> FragmentTask::Open(std::string_view fragment_json,
                                                         std::string_view task_json,
                                                         std::vector<TaskSource> sources,
                                                         TaskServices services) {
  ARROW_ASSIGN_OR_RAISE(TaskDescription description, ParseTask(task_json));
  std::unique_ptr<FragmentTask> task(new FragmentTask(std::move(description), std::move(services)));
  RETURN_NOT_OK(task->Build(fragment_json, std::move(sources)));
  return task;
}

Result<std::unique_ptr<FragmentTask>> FragmentTask::OpenRecord(const InputRecord& input) {
  const PartitionHeader& header = input.record.meta.header;
  TaskDescription description;
  description.stage = header.stage;
  description.partition = header.partition;
  description.attempt = header.attempt;
  std::unique_ptr<FragmentTask> task(new FragmentTask(std::move(description), {}));
  task->root_ = MakeRecordInput(input, task->context_);
  ARROW_ASSIGN_OR_RAISE(task->encoder_,
                        UnsafeRowEncoder::Make(task->root_->spec().output, task->pool_.get()));
  return task;
}

// A call begins: its ranges go where those of its thread are.
TraceRecorder* FragmentTask::TraceHere() {
  if (trace_ != nullptr) trace_->MoveToThisThread();
  return trace();
}

Status FragmentTask::Build(std::string_view fragment_json, std::vector<TaskSource> sources) {
  const TraceScope range(trace(), kOpenRange);
  const auto fragment = nlohmann::json::parse(fragment_json, nullptr, /*allow_exceptions=*/false);
  if (fragment.is_discarded()) return Status::Invalid("fragment: malformed JSON");
  const LeafFactory leaf = [&](int number, OperatorSpec spec) {
    return MakeLeaf(number, std::move(spec), sources);
  };
  const CaptureFactory capture = [&](const OperatorSpec& spec, nlohmann::json request,
                                     std::optional<int> leaf) {
    if (leaf && !task_.leaves[*leaf].read.is_null()) request["leaf"] = task_.leaves[*leaf].read;
    return MakeDumpCapture(spec, request, context_);
  };
  context_.take_guest = [&](int64_t number) {
    return TakeGuest<GuestRows>(number, sources, &entry_);
  };
  context_.take_guest_groups = [&](int64_t number) {
    return TakeGuest<GuestGroups>(number, sources, &entry_);
  };
  auto root = BuildFragment(fragment, context_, leaf, capture);
  context_.take_guest = nullptr;
  context_.take_guest_groups = nullptr;
  ARROW_ASSIGN_OR_RAISE(root_, std::move(root));
  operators_ = OperatorsOf(*root_);
  for (const Operator* op : operators_) {
    metric_count_ += static_cast<int64_t>(MetricsOfKind(op->spec().kind).size());
  }
  const std::vector<Field>& output = root_->spec().output;
  ARROW_ASSIGN_OR_RAISE(encoder_, UnsafeRowEncoder::Make(output, pool_.get()));
  if (task_.cache) {
    ARROW_ASSIGN_OR_RAISE(cache_, CacheEncoder::Make(output, *task_.cache, pool_.get()));
  }
  return Status::OK();
}

Result<std::unique_ptr<Operator>> FragmentTask::MakeLeaf(int leaf, OperatorSpec spec,
                                                         std::vector<TaskSource>& sources) {
  if (leaf >= static_cast<int>(task_.leaves.size())) {
    return Status::Invalid(ErrorPrefix(spec), "reads leaf ", leaf, ", but the task has ",
                           task_.leaves.size());
  }
  const TaskLeaf& input = task_.leaves[leaf];
  if (!LeafReads(spec.kind, input.kind_name())) {
    return Status::Invalid(ErrorPrefix(spec), "is of kind ", spec.kind, ", but leaf ", leaf,
                           " of the task is ", input.kind_name());
  }
  if (input.kind == TaskLeaf::Kind::kFiles) return MakeScan(input, std::move(spec), sources);
  if (input.kind == TaskLeaf::Kind::kNothing) return MakeOperator(std::move(spec), {}, context_);
  if (input.source >= static_cast<int>(sources.size())) {
    return Status::Invalid(ErrorPrefix(spec), "source ", input.source, " of leaf ", leaf,
                           " is missing; the task has ", sources.size());
  }
  TaskSource source = OutsideCore(std::exchange(sources[input.source], {}), &entry_);
  const std::string prefix = ErrorPrefix(spec);
  auto made = MakeSourceLeaf(input, std::move(spec), std::move(source));
  if (made.ok() || !made.status().IsKeyError()) return made;
  return Status::Invalid(prefix, "source ", input.source, " of leaf ", leaf,
                         " is used twice or does not give ", input.kind_name());
}

Result<std::unique_ptr<Operator>> FragmentTask::MakeScan(const TaskLeaf& input, OperatorSpec spec,
                                                         std::vector<TaskSource>& sources) {
  const std::string prefix = ErrorPrefix(spec);
  auto splits = FileSplitsOf(input, spec);
  if (!splits.ok()) return WithPrefix(splits.status(), prefix);
  ARROW_ASSIGN_OR_RAISE(auto store, TakeBeside<FileStore>(input.store, prefix, "files", sources));
  ARROW_ASSIGN_OR_RAISE(auto pieces,
                        TakeBeside<PieceSource>(input.pieces, prefix, "pieces", sources));
  if (pieces != nullptr) {
    pieces = std::get<std::unique_ptr<PieceSource>>(OutsideCore(std::move(pieces), &entry_));
  }
  return reprise::MakeScan(std::move(spec), std::move(*splits), context_, std::move(store),
                           std::move(pieces));
}

// Status::KeyError where the source is not of the leaf's kind.
Result<std::unique_ptr<Operator>> FragmentTask::MakeSourceLeaf(const TaskLeaf& input,
                                                               OperatorSpec spec,
                                                               TaskSource source) {
  if (auto* rows = std::get_if<std::unique_ptr<RowSource>>(&source);
      rows && input.kind == TaskLeaf::Kind::kRows) {
    return MakeRowInput(std::move(spec), std::move(*rows), context_, input.broadcast);
  }
  if (auto* blocks = std::get_if<std::unique_ptr<BlockSource>>(&source);
      blocks && input.kind == TaskLeaf::Kind::kBlocks) {
    return MakeShuffleRead(std::move(spec), std::move(*blocks), input.broadcast, context_);
  }
  if (auto* batches = std::get_if<std::unique_ptr<BatchSource>>(&source);
      batches && input.kind == TaskLeaf::Kind::kBatches) {
    return MakeBatchInput(std::move(spec), std::move(*batches), context_);
  }
  if (auto* arrow = std::get_if<std::unique_ptr<ArrowSource>>(&source);
      arrow && input.kind == TaskLeaf::Kind::kArrow) {
    return MakeArrowInput(std::move(spec), std::move(*arrow), context_);
  }
  if (auto* columns = std::get_if<std::unique_ptr<ColumnSource>>(&source);
      columns && input.kind == TaskLeaf::Kind::kColumns) {
    return MakeColumnInput(std::move(spec), std::move(*columns), context_);
  }
  if (auto* cache = std::get_if<std::unique_ptr<CacheSource>>(&source);
      cache && input.kind == TaskLeaf::Kind::kColumns) {
    auto columns = MakeCachedColumns(std::move(*cache), spec.output, context_.pool);
    return MakeColumnInput(std::move(spec), std::move(columns), context_);
  }
  return Status::KeyError("no source of this kind");
}

Result<std::optional<Batch>> FragmentTask::Next() {
  TraceScope range(TraceHere(), kNextRange);
  ARROW_ASSIGN_OR_RAISE(const auto call, CoreCall::Begin(entry_, pool_.get()));
  while (pieces_.empty()) {
    auto batch = root_->Next();
    failure_ &= batch.status();
    if (!batch.ok() || !batch->has_value()) return batch;
    if ((*batch)->selected_count() == 0) continue;
    const auto pieces = SplitForRows(*encoder_, **batch, kRowsBytesMax);
    pieces_.assign(pieces.begin(), pieces.end());
  }
  std::optional<Batch> piece(std::move(pieces_.front()));
  pieces_.pop_front();
  range.Count(piece->selected_count());
  return piece;
}

Result<std::optional<EncodedBlock>> FragmentTask::NextCacheBatch() {
  std::optional<EncodedCacheBatch> made = cache_->Take();
  for (bool at_end = false; !made && !at_end; made = cache_->Take()) {
    ARROW_ASSIGN_OR_RAISE(const auto batch, Next());
    TraceScope range(TraceHere(), kToCacheRange);
    ARROW_ASSIGN_OR_RAISE(const auto call, CoreCall::Begin(entry_, pool_.get()));
    at_end = !batch;
    const Status added = batch ? cache_->Add(*batch) : cache_->Finish();
    failure_ &= added;
    RETURN_NOT_OK(added);
    if (batch) range.Count(batch->selected_count());
  }
  if (!made) return std::nullopt;
  return EncodedBlock{std::move(made->bytes), 0, made->rows};
}

Result<std::optional<EncodedBlock>> FragmentTask::NextBlock() {
  if (cache_) return NextCacheBatch();
  auto* producer = dynamic_cast<BlockProducer*>(root_.get());
  if (producer == nullptr) {
    return Status::Invalid(ErrorPrefix(root_->spec()), "is of kind ", root_->spec().kind,
                           ", which makes no blocks");
  }
  TraceScope range(TraceHere(), kNextBlockRange);
  ARROW_ASSIGN_OR_RAISE(const auto call, CoreCall::Begin(entry_, pool_.get()));
  const ComputingScope computes(pool_.get(), root_.get());
  auto block = producer->NextBlock();
  failure_ &= block.status();
  if (block.ok() && block->has_value()) {
    range.Count((*block)->partition, (*block)->rows, (*block)->bytes->size());
  }
  return block;
}

Result<EncodedRows> FragmentTask::ToRows(const Batch& batch) {
  TraceScope range(TraceHere(), kToRowsRange);
  ARROW_ASSIGN_OR_RAISE(const auto call, CoreCall::Begin(entry_, pool_.get()));
  auto rows = encoder_->Encode(batch);
  failure_ &= rows.status();
  if (rows.ok()) range.Count(rows->row_count, rows->offsets[rows->row_count]);
  return rows;
}

void FragmentTask::Metrics(std::span<int64_t> out) const {
  REPRISE_CHECK(static_cast<int64_t>(out.size()) == metric_count_, "{} elements for {} metrics",
                out.size(), metric_count_);
  size_t next = 0;
  for (const Operator* op : operators_) {
    const OperatorMetrics& metrics = op->metrics();
    out[next++] = metrics.output_rows;
    out[next++] = metrics.output_batches;
    out[next++] = metrics.output_bytes;
    out[next++] = metrics.own_time_ns;
    // An operator may make its own figures only once it has something to count.
    const std::vector<Metric>& extra = ExtraMetrics(op->spec().kind);
    for (size_t i = 0; i < extra.size(); ++i) {
      out[next++] = extra[i].name == kSpillMetric ? metrics.spilled_disk_bytes
                    : i < metrics.extra.size()    ? metrics.extra[i]
                                                  : 0;
    }
  }
}

FragmentFigures FragmentTask::Figures() const {
  if (!pool_) return {};
  return {pool_->spilled_bytes(), pool_->spilled_disk_bytes(), pool_->max_memory(),
          entry_.waited_ns()};
}

std::string FragmentTask::LedgerText(std::string_view query) const {
  return LedgerEntries(query, operators_).dump();
}

Result<int64_t> FragmentTask::Spill(int64_t bytes) {
  if (finished_ || !failure_.ok() || !pool_) return 0;
  TraceScope range(TraceHere(), kSpillRange);
  const TaskThreadScope thread(pool_.get());
  const auto given_back = pool_->SpillFor(bytes);
  if (given_back.ok()) range.Count(bytes, *given_back);
  return given_back;
}

Status FragmentTask::Finish(CaptureEnd end, const std::string& error) {
  if (finished_) return Status::OK();
  const TraceScope range(TraceHere(), kFinishRange);
  const CoreCall call(entry_, pool_.get());
  return LetGo(end, error);
}

Status FragmentTask::Close(CaptureEnd end) {
  if (closed_) return Status::OK();
  closed_ = true;
  const Status status = GiveBack(end);
  EndTrace();
  return status;
}

Status FragmentTask::GiveBack(CaptureEnd end) {
  const TraceScope range(TraceHere(), kCloseRange);
  const CoreCall call(entry_, pool_.get());
  live_.reset();
  const Status status = finished_ ? Status::OK() : LetGo(end, {});
  const Status memory = CheckMemory();
  return status.ok() ? memory : status;
}

// Of all that the fragment holds, its own and that of others.
Status FragmentTask::LetGo(CaptureEnd end, const std::string& error) {
  finished_ = true;
  if (!failure_.ok()) end = CaptureEnd::kFailed;
  if (root_ && end == CaptureEnd::kFailed) root_->TellFailure({.raised = failure_, .error = error});
  Status status;
  if (root_) status = root_->Finish(end);
  pieces_.clear();
  encoder_.reset();
  cache_.reset();
  operators_.clear();
  metric_count_ = 0;
  root_.reset();
  return status;
}

// A trace that cannot be written is no reason to fail.
void FragmentTask::EndTrace() {
  if (trace_ == nullptr) return;
  const Status written = trace_->End();
  if (written.ok()) return;
  static std::once_flag warned;
  std::call_once(warned, [&] {
    fmt::print(stderr,
               "reprise: spark.reprise.trace.path: {}; the trace lacks tasks (this is said once)\n",
               written.message());
  });
}

// Whoever still holds the memory will give it back to the pool: the pool must outlive its task.
static void KeepForEver(std::unique_ptr<TaskMemory> pool) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::unique_ptr<TaskMemory>>();
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(pool));
}

Status FragmentTask::CheckMemory() {
  pool_->Detach();
  const int64_t bytes = pool_->bytes_allocated();
  if (bytes == 0) return Status::OK();
  std::string message = fmt::format(
      "stage {}, partition {}, attempt {}: {} bytes were not given back at the end of the fragment",
      task_.stage, task_.partition, task_.attempt, bytes);
  for (const auto& [user, leaked] : pool_->LeaksByUser()) {
    message += fmt::format("; {} of them by {}", leaked, user);
  }
  KeepForEver(std::move(pool_));
  if (task_.settings.boolean("spark.reprise.memory.debug")) return Status::Invalid(message);
  fmt::print(stderr, "reprise: {}\n", message);
  return Status::OK();
}

}  // namespace reprise
