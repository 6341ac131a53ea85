// SPDX-License-Identifier: Apache-2.0
/// \file
/// The memory that hild and a model's process share: one request and one reply at a time, with the
/// vectors that belong to them. By agreement the side that has been rung owns all of it until it
/// rings back; but the model's code runs in that process, and may write to all of it at any time.
/// Therefore nothing here is read twice, no word is used before it is checked against its bounds,
/// and hild never reads back what it wrote.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "hild/core/descriptor.hpp"
#include "hild/model/stepper.hpp"
#include "hild/rt/doorbell.hpp"
#include "hild/rt/lifeline.hpp"
#include "hild/rt/shared_memory.hpp"

namespace hild::remote {

/// Of the header, the vectors and what calls mean: both ends have the same.
inline constexpr std::uint32_t exchange_version = 2;

/// The functions that a process can be asked for.
enum class Call : std::uint32_t {
  // of model::System
  set_initial,
  start,
  set_parameter,
  derivatives,
  jacobian,
  outputs,
  event_functions,
  on_event,
  next_time_event,
  on_time_event,
  // of model::Stepper
  begin,
  begun,  // nothing beyond what Request::begins says
  pass,
  finish,     // this, last_pass and advance: with what is asked for at the end of a step
  last_pass,  // pass, finish
  advance,    // begin, all passes with the same inputs, finish
  finish_early,
  pass_outputs,
  dense,
  error_estimate,
  rewind,
  restart,
  // of its state, in pieces
  measure_state,
  save_state,
  load_state,
};

/// The bytes of a state that one call carries, and the most that a state may have.
inline constexpr std::size_t piece_bytes = std::size_t{16} << 10U;
inline constexpr std::size_t most_state_bytes = std::size_t{4} << 20U;

/// A request; written by hild.
struct Request {
  Call call{};
  std::uint32_t begins = 0;  ///< 1: before anything else a step begins, from begin_t over begin_h
  SimTime begin_t{};
  Duration begin_h{};
  std::uint64_t index = 0;   ///< of a pass, an event, a parameter, a piece; or a model::Restart
  std::uint32_t slopes = 0;  ///< 1: with the end of a step its derivatives there are asked for
  SimTime t{};
  Duration h{};
  double number = 0;        ///< a time in seconds, a part of a step, the value of a parameter
  std::int32_t made = 0;    ///< of a state: passes of the step under way, as Stepper::transfer()
  std::uint64_t bytes = 0;  ///< of a state to be loaded, in all
};

/// A reply; written by the process. Every pattern of bits is a valid value of each of its words.
struct ModelReply {
  std::uint32_t yes = 0;  ///< 0 or 1, like the next four
  std::uint32_t starting = 0;
  std::uint32_t together = 0;
  std::uint32_t failed = 0;
  std::uint32_t estimated = 0;  ///< after a step: whether its error is
  /// The function of the model that failed; or why its state cannot be saved.
  std::array<char, 96> function{};
  SimTime next{};             ///< time event after the time asked with; or after a step's end
  SimTime next_from_start{};  ///< after a step: time event after its start
  std::uint64_t bytes = 0;    ///< of its state: at most, or of the one that was saved
  model::CapCounts cap_counts;
};

struct Header {
  rt::Doorbell asked;
  rt::Doorbell answered;
  rt::Lifeline life;  ///< held by the thread that answers
  Request request;
  ModelReply reply;
};

/// The lengths of the parts that depend on the model.
struct Sizes {
  std::size_t states = 0, inputs = 0, outputs = 0, events = 0, parameters = 0;
  std::size_t jacobian = 0;  ///< numbers of it, where it may differ from zero
  std::size_t said = 0;      ///< bytes for the model's messages, behind all others

  bool operator==(const Sizes&) const = default;
};
[[nodiscard]] Sizes sizes_of(const model::Description& d) noexcept;

/// The header and the vectors behind it, in memory that can be handed to one other process: a file
/// without a name, whose size cannot be changed any more.
class Shared {
 public:
  /// Makes the memory, on hild's side; not good() when there is none.
  explicit Shared(const Sizes& sizes);
  /// Maps it at the other end, by the file handed over; not good() when that is not of that size.
  Shared(const Sizes& sizes, int handed_over);
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  [[nodiscard]] bool good() const noexcept { return header_ != nullptr; }
  [[nodiscard]] Header& header() const noexcept { return *header_; }
  [[nodiscard]] std::span<std::byte> said() const noexcept { return said_; }
  /// The file to be handed over; -1 at the other end, and once it has been handed over.
  [[nodiscard]] int descriptor() const noexcept { return file_.get(); }
  void handed_over() noexcept { (void)file_.close(); }
  using Vector = std::span<double>;
  Vector x;  ///< a state that belongs to a request
  Vector u;
  Vector out;                                      ///< the result of a request; long enough for any
  Vector states, start_states, start_derivatives;  ///< as they are after every request
  /// After a step: those of the end, with the inputs that were asked with.
  Vector outputs, events;
  Vector slopes;               ///< derivatives there, where they were asked for
  Vector error;                ///< the step's, where it is estimated
  std::span<std::byte> piece;  ///< of a state that is saved or loaded

 private:
  void lay_out(const Sizes& sizes);

  rt::SharedMemory memory_;
  Descriptor file_;
  Header* header_ = nullptr;
  std::span<std::byte> said_;
};

}  // namespace hild::remote
