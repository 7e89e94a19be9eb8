// An error has a row: Spark goes row by row, so it gives the rows before one that fails, tells its
// error when that row's turn comes, and never meets it where nobody asks for the row.
//
// Batches are computed whole. Only where that fails is the row looked for: halves of halves of the
// batch are computed until one row is left. Whoever gives rows as it goes keeps a DueError; whoever
// gives nothing before the last row has been seen asks FindRowError which error to tell.
#pragma once

#include <functional>
#include <utility>

#include "base/batch.h"
#include "base/selected_rows.h"
#include "base/status.h"

namespace reprise {

/// The first row of a batch that fails.
struct RowError {
  int64_t row = 0;  ///< its position among the rows that count
  Status status;    ///< its error, of several the one that `work` meets first
};

/// Whether a row can have this error. None has one of memory that is short, nor that of a task that
/// is cancelled.
bool IsOfRow(const Status& error);

/// `work` over the whole of `batch` has failed with `error`: which of its rows fails first? `work`
/// must compute each row as if it were alone and may be called often, for some of the rows at a
/// time. An error that no row has (memory that is short, a task that is cancelled) is told of row
/// 0.
RowError FindRowError(const Batch& batch, const Status& error,
                      const std::function<Status(const Batch&)>& work);

/// The error of a row that comes after those that have been given.
class DueError {
 public:
  /// Not OK once the rows before it have been given: to be returned when more is asked for.
  const Status& status() const { return status_; }
  bool is_due() const { return !status_.ok(); }
  void Set(Status status) { status_ = std::move(status); }

  /// `work` over `batch` (Batch -> Status or Result), or, where that fails, over the rows before
  /// the first that fails, whose error is due then. If that is the first of all it is returned.
  template <typename Work>
  auto UpTo(const Batch& batch, Work&& work) -> decltype(work(batch)) {
    auto done = work(batch);
    if (done.ok()) [[likely]]
      return done;
    const auto status_of = [&](const Batch& rows) { return arrow::ToStatus(work(rows)); };
    Batch before = batch;
    RETURN_NOT_OK(Cut(&before, arrow::ToStatus(done), status_of));
    return work(before);
  }

  /// Leaves the rows of `batch` before the first that has no value in a column for which `is_used`
  /// holds (base/value_errors.h); its error is due then. If that is the first of all it is
  /// returned.
  Status EndAtValue(Batch* batch, const std::function<bool(int column)>& is_used);

  /// As UpTo, where `work` has failed with `error` already: leaves the rows before in `batch`.
  Status Cut(Batch* batch, const Status& error, const std::function<Status(const Batch&)>& work);

 private:
  Status status_;
};

}  // namespace reprise
