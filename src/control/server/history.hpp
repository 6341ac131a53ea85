// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run did of late, for who begins to look at it later: the samples of all signals over the
/// last minute, in memory of a fixed size, and the newest changes. Filled and read on the server's
/// thread; the frame loop knows nothing of it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/json/value.hpp>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "control/rpc/parse_json.hpp"
#include "control/server/event_history.hpp"
#include "control/server/names.hpp"
#include "control/server/sample_tap.hpp"
#include "control/server/timer.hpp"
#include "exec/transaction.hpp"

namespace hild::server {

struct Context;
class Params;

class History {
 public:
  static constexpr Duration reach{60'000'000'000};      ///< of simulated time
  static constexpr double most_rows_a_second = 100;     ///< fewer where memory ends
  static constexpr std::size_t most_bytes = 16 << 20;   ///< of samples
  static constexpr std::int64_t most_numbers = 50'000;  ///< in one answer
  static constexpr std::size_t most_changes = 1000;     ///< kept, the newest
  static constexpr std::size_t most_events = 200;       ///< steps with state events, in one answer

  /// A change that took effect.
  struct Made {
    std::int64_t frame = 0;                   ///< of the step at whose start it took effect
    SimTime time{};                           ///< of that start
    bool fault = false;                       ///< makes something wrong
    std::string words;                        ///< "set inertia 0.02"
    std::optional<exec::SetParameter> set{};  ///< what it sets, where it is one that does
    std::string text{};                       ///< what a person wrote to it; empty: nothing
  };

  /// What is kept: rows of every n-th step.
  struct Size {
    std::int64_t every = 1;
    std::size_t rows = 0;
  };
  /// So that `reach` of a run of this rate fit into the memory, `signals` numbers a row.
  [[nodiscard]] static Size size_for(std::size_t signals, double rate_hz);

  /// `io` and `names` outlive this.
  History(boost::asio::io_context& io, const io::FrameLayout& layout, const Names& names,
          double rate_hz);

  /// What the recorder must feed.
  [[nodiscard]] SampleTap& tap() noexcept { return tap_; }
  /// Likewise.
  [[nodiscard]] EventHistory& events() noexcept { return events_; }
  /// Begins to keep samples, and goes on until close().
  void start();
  void close();
  /// Takes the samples there are; the timer does the same.
  void take();
  /// Notes the changes of a transaction that took effect, with what was written to each of them.
  void note(const exec::Transaction& made, std::int64_t frame, SimTime time,
            std::span<const std::string> texts = {});

  /// The oldest and the newest time of which there are samples; none while there are not two.
  [[nodiscard]] std::optional<std::pair<SimTime, SimTime>> known();

  /// The answer to `history`. Throws Refused.
  [[nodiscard]] json::value answer(Params& params);

 private:
  void wait();
  void keep(const SampleTap::Sample& sample);
  [[nodiscard]] SimTime newest() const;
  [[nodiscard]] json::array changes_since(SimTime since) const;
  [[nodiscard]] json::array events_since(SimTime since) const;

  const Names& names_;
  Size size_;
  SampleTap tap_;
  Timer timer_;
  std::vector<double> values_;  // row by row, of a ring of rows
  std::vector<std::int64_t> steps_;
  std::vector<std::int64_t> frames_;
  std::vector<SimTime> times_;
  std::size_t kept_ = 0;  // rows taken so far
  std::deque<Made> made_;
  EventHistory events_;
};

}  // namespace hild::server
