// SPDX-License-Identifier: Apache-2.0
/// \file
/// The test sequences that clients may begin, one at a time, and what became of the one begun last.
/// Each is run by a process of its own, a client as others are; what is kept of it is bounded. For
/// one thread, the server's.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "control/rpc/parse_json.hpp"
#include "control/server/run.hpp"
#include "control/server/sequence_process.hpp"

namespace hild::server {

class Params;

class Sequences {
 public:
  using Configured = std::vector<config::Control::Sequence>;

  /// What is kept of the steps of a sequence. Of more of them those that passed go first, the
  /// oldest of these before others; `left_out` counts them.
  static constexpr std::size_t most_steps = 500;
  /// How long one that was asked to end may be at its steps `always`.
  static constexpr auto patience = std::chrono::seconds(60);

  /// All outlive this. `socket` tells where the server listens.
  Sequences(boost::asio::io_context& io, const Run& run, const Configured& configured,
            std::function<std::string()> socket);
  ~Sequences();  ///< ends what is under way

  /// Reads which is meant. Throws Refused where there is none of this name.
  [[nodiscard]] const config::Control::Sequence& read_which(Params& params) const;
  /// Begins it; `owner` is the one whose control it is lent, empty: nobody's. Throws Refused where
  /// one runs, or it cannot be begun.
  void begin(const config::Control::Sequence& which, const std::string& owner);
  /// Has the one that runs take its last steps and end. Precondition: one runs.
  void cease();
  /// The one that runs; empty: none does.
  [[nodiscard]] std::string running() const;
  /// The answer to `sequences`, with steps from the `since`-th on.
  [[nodiscard]] json::value told(std::int64_t since) const;

  /// Its topic: "none", "running", "ending", or how the last one ended: "passed", "failed",
  /// "error".
  [[nodiscard]] std::string_view is() const;
  /// In words that stay the same until `is` or the sequence changes.
  [[nodiscard]] std::string words() const;

  /// To be called when the run has ended: what runs ends within a second.
  void close();

 private:
  struct Step {
    std::int64_t number = 0;  ///< among all of its sequence, from 0
    json::object told;
  };
  /// The one begun last.
  struct Begun {
    std::string sequence;         ///< as it is configured
    std::int64_t turn = 0;        ///< how many were begun, this one included
    SimTime at{};                 ///< simulated time at which it was begun
    std::string_view is{"none"};  ///< see is()
    std::string words{};          ///< how it ended
    json::object totals{};        ///< of the file: name, description, steps, always
    std::int64_t next = 0;        ///< steps that have ended
    std::int64_t left_out = 0;    ///< of these
    std::deque<Step> steps{};
    std::string said{};   ///< the last line that is none of a sequence's
    std::string error{};  ///< what kept it from its first step
  };

  void take(std::string_view line);
  void take_step(const json::object& step);
  void take_outcome(const json::object& outcome);
  void ended(int status, const std::string& killed_for);

  boost::asio::io_context& io_;
  const Run& run_;
  const Configured& configured_;
  std::function<std::string()> socket_;
  Begun last_;
  std::unique_ptr<SequenceProcess> process_;
};

}  // namespace hild::server
