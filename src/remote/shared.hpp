// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a plant and its process share: one request and one reply at a time, with the vectors that
/// go with them. Whoever has been rung for owns all of it until it rings back.
#pragma once

#include <array>
#include <span>
#include <type_traits>

#include "hild/model/plant.hpp"
#include "hild/numerics/method.hpp"
#include "hild/rt/doorbell.hpp"

namespace hild::remote {

/// The functions of model::Plant that a process is asked for; `set_parameters` is all of them.
enum class Call : std::uint32_t {
  set_initial,
  reset,
  set_states,
  set_parameter,
  begin,
  pass,
  finish,
  finish_early,
  shorten,
  dense,
  error_estimate,
  rewind,
  restart,
  derivatives,
  jacobian,
  outputs,
  outputs_at,
  pass_outputs,
  event_functions,
  on_event,
  next_time_event,
  on_time_event,
};

inline constexpr std::size_t most_passes = 64;  ///< of a step, more than any method has

struct Header {
  rt::Doorbell asked;
  rt::Doorbell answered;

  // Of the request.
  Call call{};
  std::uint64_t index = 0;  ///< of a pass, an event, a parameter
  SimTime t{};
  Duration h{};
  double number = 0;  ///< a time in seconds, a part of a step, the value of a parameter

  // Of the reply.
  bool yes = false;
  bool starting = false;
  bool together = false;
  bool failed = false;
  std::array<char, 96> function{};  ///< of the model, that failed
  int passes = 0;
  std::array<double, most_passes> nodes{};
  SimTime next{};
  model::CutShort cut_short;
};

/// The header and the vectors behind it, in memory that fork() shares.
class Shared {
 public:
  /// None: no memory.
  explicit Shared(const model::Description& d);
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared();

  [[nodiscard]] bool good() const noexcept { return header_ != nullptr; }
  [[nodiscard]] Header& header() const noexcept { return *header_; }
  using Vector = std::span<double>;
  Vector x;  ///< a state that goes along with a request
  Vector u;
  Vector out;  ///< what a request gives: as long as it has to be
  Vector states, start_states, start_derivatives, parameters;  ///< after every request

 private:
  Header* header_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace hild::remote
