// SPDX-License-Identifier: Apache-2.0
/// \file
/// A recorder: the recordings that one entry of the configuration asks for, one after the other.
/// One begins with the run or when it is asked for, ends when it is asked to, and goes on in a new
/// file when the old one is large or long enough. Files are opened and closed by a thread of the
/// recorder's own, so that whoever hands over records waits for no disk.
///
/// A file that begins in mid-run begins with a keyframe, which the loop is asked for, so that it is
/// replayed like one that begins with the run; and no step is missing between two files. It has the
/// changes from before as well, unless they are more than a megabyte: then only those whose tables
/// are in use.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exec/transaction.hpp"
#include "hild/rt/thread.hpp"
#include "recording/framelog/frame_log.hpp"

namespace hild::framelog {

/// What a recorder needs of the run.
struct RollOptions {
  /// Makes a log with this file. Error: it cannot be made; then nothing is left of it. Called on
  /// the thread of the recorder, or of begin().
  std::function<Result<std::unique_ptr<FrameLog>>(const std::string& file, bool mid_run)> open;
  /// Asks the loop for a keyframe; empty: it makes none. Any thread.
  std::function<void()> ask_keyframe{};
  /// Told what goes wrong, once each time it begins. On the thread of the recorder.
  DiskThread::Tell tell = [](const std::string&) {};
  bool wait = false;        ///< for files, as a run does that is not in real time
  Duration patience = 2_s;  ///< for a keyframe, by the times of frames; then it goes on without
  Duration again = 10_s;    ///< when a file that could not be made is tried again, likewise
  /// Changes that took effect before, in the run that this one goes on from, from number 1 on.
  std::vector<std::string> before{};
};

class Roll final : public record::Sink {
 public:
  enum class State {
    idle,
    beginning,  ///< a file is made, or is there and waits for its keyframe
    recording,
  };
  struct Status {
    State state = State::idle;
    std::string file;         ///< the newest by its present name; empty: there was none
    std::int64_t files = 0;   ///< begun so far
    std::uint64_t bytes = 0;  ///< of the newest file, as far as it is written
    std::size_t closing = 0;  ///< ended, and not yet whole on the disk
    std::size_t blocks = 0;   ///< of the present file: as LogStatus
    std::size_t blocks_max = 0;
    std::int64_t lost = 0;  ///< frames of all files that are not in them
    std::string error;      ///< what went wrong first, or last keeps it from recording
  };

  Roll(config::Record settings, RollOptions options);
  ~Roll() override;  ///< calls flush()

  /// Begins with the run, before there are records. Error: as create() of the log.
  [[nodiscard]] Result<void> begin();

  // From any thread.

  /// Begins to record, soon. Error: it does already.
  [[nodiscard]] Result<void> start();
  /// Ends the recording, with the next frame. Error: there is none.
  [[nodiscard]] Result<void> stop();
  [[nodiscard]] Status status();
  [[nodiscard]] const std::string& name() const noexcept { return settings_.name; }
  /// Notes a transaction that took effect, with what was written to each of its changes. In their
  /// order, all of a run.
  void changed(const exec::Transaction& transaction, const exec::Reply& reply,
               std::span<const std::string> texts = {});

  // On the thread that takes the records.

  void frame(const io::FrameView& record) override;
  void keyframe(const exec::KeyframeView& keyframe) override;
  void flush() override;

  /// All files together, of which `file` is the newest; nothing: there was none. Valid after
  /// flush().
  [[nodiscard]] std::optional<LogStatus> total() const;

 private:
  /// What has been asked for and is not yet done.
  struct Wishes {
    bool record = false;  ///< as asked for last
    bool file = false;    ///< one is to be made
    bool failed = false;  ///< the last one could not be
    bool over = false;    ///< the run is over
  };
  /// A file that is there and waits for the frame it begins with.
  struct Next {
    std::unique_ptr<FrameLog> log;
    std::string file;
    std::optional<MonoTime> since{};           ///< the first frame that could have been that
    std::optional<exec::Keyframe> keyframe{};  ///< for the frame that comes
  };
  /// A log that has ended; it still gets the changes up to this one.
  struct Ended {
    std::unique_ptr<FrameLog> log;
    std::string file;
    std::int64_t changes;
    bool unused = false;  ///< no frame came to be in it: nothing is left of it
  };
  /// The file that records go to. Changed on the thread that takes the records alone.
  struct Present {
    std::unique_ptr<FrameLog> log;
    std::string file;
    MonoTime since{};                 ///< its first frame
    std::int64_t changes = 0;         ///< of the run before it
    bool all = false;                 ///< it has the changes from before as well
    std::optional<MonoTime> retry{};  ///< when a file is asked for again
  };
  /// A transaction that took effect, until the frame it did so in comes.
  struct Told {
    NotedChange change;
    std::int64_t frame = 0;
    /// The inputs whose stimulus it changed, and whether to a playback.
    std::vector<std::pair<std::uint32_t, bool>> stimuli{};
  };
  struct Changes {
    std::int64_t count = 0;  ///< told so far
    std::int64_t noted = 0;  ///< the last that was given to its file
    std::deque<Told> waiting{};
    std::map<std::uint32_t, NotedChange> tables{};  ///< of playbacks in force, by their input
    std::vector<std::string> first{};  ///< all from number 1 on, or as many as there is room for
    std::size_t room = std::size_t{1} << 20U;  ///< bytes that are left for more of them; 0: no more
  };

  void keep_files();
  void open_file(std::unique_lock<std::mutex>& lock);
  void close_file(std::unique_lock<std::mutex>& lock);
  void give_up(Next next);
  void remove_old(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] Result<void> ask_for_file();
  void add_up(const LogStatus& status);
  [[nodiscard]] bool needs_keyframe() const noexcept;
  [[nodiscard]] bool is_over(const io::FrameHeader& h) const;
  void look_for_next(const io::FrameHeader& h, std::unique_lock<std::mutex>& lock);
  void go_on_in_next(const io::FrameHeader& h);
  void leave(std::int64_t changes);
  void note_changes(std::int64_t frame, std::int64_t number);
  void note(const Told& told);
  void keep(const NotedChange& change);

  config::Record settings_;
  RollOptions options_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable moved_;
  Wishes wishes_;
  std::optional<Next> next_;
  Present present_;
  std::deque<Ended> ended_;
  Changes changes_;
  std::optional<LogStatus> closed_;  // files that are whole
  std::int64_t files_ = 0;
  std::string newest_;
  std::uint64_t newest_bytes_ = 0;  // once it is whole
  std::string error_;
  std::optional<rt::Thread> keeper_;
};

[[nodiscard]] std::string_view to_string(Roll::State state) noexcept;

}  // namespace hild::framelog
