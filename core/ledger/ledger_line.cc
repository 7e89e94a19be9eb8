#include "ledger/ledger_line.h"

#include <charconv>
#include <optional>

#include "eventlog/json_fields.h"

namespace reprise {

namespace {

static_assert(kLinePaddingBytes >= simdjson::SIMDJSON_PADDING);

struct HeadLine {
  int64_t format = 0;
  std::string_view reprise;
  std::string_view spark;
  std::string_view application;
  std::string_view id;
  std::string_view operators;
};

constexpr auto kHeadLine = MakeFields<HeadLine>({
    {"format", Take<&HeadLine::format>::Do},
    {"reprise", Take<&HeadLine::reprise>::Do},
    {"spark", Take<&HeadLine::spark>::Do},
    {"application", Take<&HeadLine::application>::Do},
    {"id", Take<&HeadLine::id>::Do},
    {"operators", Take<&HeadLine::operators>::Do},
});

struct OperatorLine {
  std::string_view query;
  int64_t lore_id = 0;
  std::vector<std::string_view> columns;
};

constexpr auto kOperatorLine = MakeFields<OperatorLine>({
    {"query", Take<&OperatorLine::query>::Do},
    {"loreId", Take<&OperatorLine::lore_id>::Do},
    {"columns", Take<&OperatorLine::columns>::Do},
});

struct TaskLine {
  int64_t stage = -1;
  int64_t stage_attempt = 0;
  int64_t partition = -1;
  int64_t attempt = 0;
  int64_t id = -1;
  std::string_view executor;
  std::string_view end;
};

constexpr auto kTaskLine = MakeFields<TaskLine>({
    {"stage", Take<&TaskLine::stage>::Do},
    {"stageAttempt", Take<&TaskLine::stage_attempt>::Do},
    {"partition", Take<&TaskLine::partition>::Do},
    {"attempt", Take<&TaskLine::attempt>::Do},
    {"id", Take<&TaskLine::id>::Do},
    {"executor", Take<&TaskLine::executor>::Do},
    {"end", Take<&TaskLine::end>::Do},
});

struct ChecksumItem {
  std::string_view of;
  std::string_view query;
  int64_t lore_id = 0;
  int64_t shuffle = -1;
  int64_t rdd = -1;
  int64_t rows = 0;
  int64_t batches = 0;
  std::optional<uint64_t> ordered;
  std::optional<uint64_t> unordered;
  std::optional<uint64_t> value;
  std::vector<uint64_t> columns;
  bool complete = false;
  std::string_view reason;
};

// 16 hexadecimal digits.
JsonError TakeHex(JsonValue& value, uint64_t* out) {
  constexpr size_t kDigits = 16;
  std::string_view text;
  if (const JsonError error = value.get_string().get(text)) return error;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out, kDigits);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && text.size() == kDigits ? simdjson::SUCCESS : simdjson::NUMBER_ERROR;
}

template <std::optional<uint64_t> ChecksumItem::*kMember>
JsonError TakeSum(JsonValue& value, ChecksumItem* item, JsonContext&) {
  return TakeHex(value, &(item->*kMember).emplace());
}

JsonError TakeColumns(JsonValue& value, ChecksumItem* item, JsonContext&) {
  return TakeItems(
      value, [&](JsonValue& column) { return TakeHex(column, &item->columns.emplace_back()); });
}

constexpr auto kChecksumItem = MakeFields<ChecksumItem>({
    {"of", Take<&ChecksumItem::of>::Do},
    {"query", Take<&ChecksumItem::query>::Do},
    {"loreId", Take<&ChecksumItem::lore_id>::Do},
    {"shuffle", Take<&ChecksumItem::shuffle>::Do},
    {"rdd", Take<&ChecksumItem::rdd>::Do},
    {"rows", Take<&ChecksumItem::rows>::Do},
    {"batches", Take<&ChecksumItem::batches>::Do},
    {"ordered", TakeSum<&ChecksumItem::ordered>},
    {"unordered", TakeSum<&ChecksumItem::unordered>},
    {"value", TakeSum<&ChecksumItem::value>},
    {"columns", TakeColumns},
    {"complete", Take<&ChecksumItem::complete>::Do},
    {"reason", Take<&ChecksumItem::reason>::Do},
});

struct Line {
  std::optional<HeadLine> head;
  std::optional<OperatorLine> named;
  std::optional<TaskLine> task;
  std::vector<ChecksumItem> checksums;
  bool has_checksums = false;
};

JsonError TakeHead(JsonValue& value, Line* line, JsonContext& context) {
  return TakeObject(value, kHeadLine, &line->head.emplace(), context);
}

JsonError TakeOperator(JsonValue& value, Line* line, JsonContext& context) {
  return TakeObject(value, kOperatorLine, &line->named.emplace(), context);
}

JsonError TakeTask(JsonValue& value, Line* line, JsonContext& context) {
  return TakeObject(value, kTaskLine, &line->task.emplace(), context);
}

JsonError TakeChecksums(JsonValue& value, Line* line, JsonContext& context) {
  line->has_checksums = true;
  return TakeItems(value, [&](JsonValue& item) {
    return TakeObject(item, kChecksumItem, &line->checksums.emplace_back(), context);
  });
}

constexpr auto kLine = MakeFields<Line>({
    {"ledger", TakeHead},
    {"operator", TakeOperator},
    {"task", TakeTask},
    {"sums", TakeChecksums},
});

struct NamedSubject {
  std::string_view of;
  SubjectKind kind;
};
constexpr NamedSubject kNamedSubjects[] = {{"operator", SubjectKind::kOperator},
                                           {"shuffle", SubjectKind::kShuffle},
                                           {"result", SubjectKind::kResult}};

const NamedSubject* KindOf(const ChecksumItem& item) {
  for (const NamedSubject& kind : kNamedSubjects) {
    if (kind.of == item.of) return &kind;
  }
  return nullptr;
}

bool HasSubject(const ChecksumItem& item, SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kOperator:
      return !item.query.empty() && item.lore_id > 0;
    case SubjectKind::kShuffle:
      return item.shuffle >= 0;
    default:
      return item.rdd >= 0;
  }
}

}  // namespace

class LedgerLineDecoder::Impl {
 public:
  explicit Impl(Ledger* ledger) : ledger_(*ledger) {}

  int64_t format() const { return format_; }

  Status Decode(const LogLine& text) {
    line_.head.reset();
    line_.named.reset();
    line_.task.reset();
    line_.checksums.clear();
    line_.has_checksums = false;
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    JsonError error =
        parser_.iterate(text.text.data(), text.text.size(), text.text.size() + kLinePaddingBytes)
            .get(document);
    if (!error) error = document.get_object().get(object);
    if (!error) error = TakeObject(object, kLine, &line_, context_);
    // Where two lines have run into one, the first is followed by another.
    if (!error && document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
      error = simdjson::TRAILING_CONTENT;
    }
    if (error) {
      return Status::Invalid(text.ended ? "damaged: " : "torn: ", simdjson::error_message(error));
    }
    if (line_.head) return AddHead(*line_.head);
    if (line_.named) return AddColumns(*line_.named);
    if (line_.task && line_.has_checksums) return AddTask(*line_.task);
    return Status::Invalid(
        "expected a line with \"ledger\", \"operator\" or \"task\" and \"sums\"");
  }

 private:
  Status AddHead(const HeadLine& head) {
    if (head.format <= 0) return Status::Invalid("its first line names no format");
    format_ = head.format;
    ledger_.reprise_version = head.reprise;
    ledger_.spark_version = head.spark;
    ledger_.application = head.application;
    ledger_.application_id = head.id;
    ledger_.all_operators = head.operators == "all";
    return Status::OK();
  }

  Status AddColumns(const OperatorLine& named) {
    if (named.query.empty() || named.lore_id <= 0) {
      return Status::Invalid("an operator without query or loreId");
    }
    LedgerSubject& subject =
        SubjectOf(SubjectKind::kOperator, std::string(named.query), named.lore_id);
    subject.query = named.query;
    subject.lore_id = named.lore_id;
    subject.columns.assign(named.columns.begin(), named.columns.end());
    return Status::OK();
  }

  Status AddTask(const TaskLine& task) {
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
    for (const int64_t number : {task.stage, task.stage_attempt, task.partition, task.attempt}) {
      if (number < 0 || number > kMax) return Status::Invalid("a task without its numbers");
    }
    for (const ChecksumItem& item : line_.checksums) {
      const NamedSubject* kind = KindOf(item);
      if (kind == nullptr || !HasSubject(item, kind->kind)) {
        return Status::Invalid("checksums of nothing that it names");
      }
      if (item.reason.empty() && !item.unordered) {
        return Status::Invalid("checksums with neither \"unordered\" nor \"reason\"");
      }
    }
    const auto index = static_cast<uint32_t>(ledger_.tasks.size());
    ledger_.tasks.push_back(
        {task.id, static_cast<int32_t>(task.stage), static_cast<int32_t>(task.stage_attempt),
         static_cast<int32_t>(task.partition), static_cast<int32_t>(task.attempt),
         ExecutorOf(task.executor), task.end == "success"});
    for (const ChecksumItem& item : line_.checksums) AddChecksums(item, index);
    return Status::OK();
  }

  void AddChecksums(const ChecksumItem& item, uint32_t task) {
    const SubjectKind kind = KindOf(item)->kind;
    const bool of_operator = kind == SubjectKind::kOperator;
    LedgerSubject& subject =
        of_operator ? SubjectOf(kind, std::string(item.query), item.lore_id)
                    : SubjectOf(kind, {}, kind == SubjectKind::kShuffle ? item.shuffle : item.rdd);
    if (of_operator) {
      subject.query = item.query;
      subject.lore_id = item.lore_id;
    } else {
      subject.shuffle = item.shuffle;
      subject.rdd = item.rdd;
    }
    if (!item.reason.empty()) {
      if (subject.without_checksums++ == 0) subject.reason = item.reason;
    }
    subject.python_batches += item.batches;
    LedgerChecksums checksums{task};
    checksums.rows = item.rows;
    checksums.unordered = item.unordered.value_or(0);
    checksums.ordered = item.ordered.value_or(0);
    checksums.has_ordered = item.ordered.has_value();
    checksums.value = item.value.value_or(0);
    checksums.has_value = item.value.has_value();
    checksums.complete = item.complete && item.reason.empty();
    checksums.columns = ledger_.column_checksums.size();
    checksums.column_count = static_cast<uint32_t>(item.columns.size());
    if (!subject.checksums.empty() && subject.checksums.back().task == task) {
      AddUp(checksums, item.columns, &subject.checksums.back());
      return;
    }
    ledger_.column_checksums.insert(ledger_.column_checksums.end(), item.columns.begin(),
                                    item.columns.end());
    subject.checksums.push_back(checksums);
  }

  // Several streams of one subject in one task, as where a task reads several partitions.
  void AddUp(const LedgerChecksums& more, const std::vector<uint64_t>& columns,
             LedgerChecksums* checksums) {
    checksums->rows += more.rows;
    checksums->unordered += more.unordered;
    checksums->complete &= more.complete;
    checksums->has_ordered = false;
    checksums->has_value = false;
    if (columns.size() != checksums->column_count) checksums->column_count = 0;
    for (size_t i = 0; i < checksums->column_count; ++i) {
      ledger_.column_checksums[checksums->columns + i] += columns[i];
    }
  }

  LedgerSubject& SubjectOf(SubjectKind kind, std::string query, int64_t id) {
    const auto [known, fresh] =
        subjects_.try_emplace({kind, std::move(query), id}, ledger_.subjects.size());
    if (fresh) ledger_.subjects.emplace_back().kind = kind;
    return ledger_.subjects[known->second];
  }

  int32_t ExecutorOf(std::string_view name) {
    for (size_t i = ledger_.executors.size(); i-- > 0;) {
      if (ledger_.executors[i] == name) return static_cast<int32_t>(i);
    }
    ledger_.executors.emplace_back(name);
    return static_cast<int32_t>(ledger_.executors.size() - 1);
  }

  Ledger& ledger_;
  int64_t format_ = 0;
  simdjson::ondemand::parser parser_;
  JsonContext context_;
  Line line_;
  std::map<std::tuple<SubjectKind, std::string, int64_t>, size_t> subjects_;
};

LedgerLineDecoder::LedgerLineDecoder(Ledger* ledger) : impl_(std::make_unique<Impl>(ledger)) {}
LedgerLineDecoder::~LedgerLineDecoder() = default;

Status LedgerLineDecoder::Decode(const LogLine& line) { return impl_->Decode(line); }

int64_t LedgerLineDecoder::format() const { return impl_->format(); }

}  // namespace reprise
