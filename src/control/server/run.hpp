// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the server knows of the run it serves, and the few things through which it reaches it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "exec/frame_loop.hpp"
#include "hild/io/options.hpp"
#include "hild/model/description.hpp"
#include "hild/rt/atomic.hpp"
#include "recording/record/overrun_attribution.hpp"

namespace hild::server {

/// Where an input comes from or an output goes to, in words; empty: nowhere.
struct Wire {
  std::string where;
  std::optional<double> safe{};  ///< of an output that is wired, in the signal's unit
  io::Interval limits{};         ///< of the line of such an output, likewise
};

/// Who makes the outputs safe when this process cannot.
enum class Guarding : std::uint8_t {
  none,      ///< nobody needs to: nothing is driven
  off,       ///< the configuration wants nobody
  watching,  ///< a guard
  lost,      ///< it died or hung; the run ends
};

/// How a run ended.
struct Ending {
  std::string outcome = "requested";  ///< as in the report: "duration", "overrun_limit" ...
  std::string words = "The run has ended.";
  std::string next{};  ///< what to do about it; empty when all is well
  int exit_code = 0;
  bool safe = true;  ///< every output took its safe value
};

/// All that is referred to outlives the server.
struct Run {
  std::string model;
  std::string method;
  std::string version;
  exec::Settings settings;
  io::FrameLayout layout;  ///< of its records
  model::Description description;
  std::vector<double> start_parameters;  ///< those the run begins with
  std::vector<Wire> inputs;              ///< one for each input of the description
  std::vector<Wire> outputs;
  std::string devices{};  ///< their names, for words about overruns
  const record::CauseCorrections* corrections =
      nullptr;            ///< to the loop's causes; none: there is nothing to correct them by
  bool evidence = false;  ///< of the kernel was asked for
  const exec::FrameLoop& loop;
  exec::ExternalEvents& events;  ///< nobody else submits
  rt::Flag& stop;                ///< raised to end the run
  const rt::Flag& ended;         ///< raised when the loop has ended
  /// Lets outputs follow the model, or takes them to safety; and whether they follow it.
  std::function<void(bool)> arm = [](bool) {};
  std::function<bool()> armed = [] { return true; };
  /// What is being recorded; none: nothing is.
  struct Recording {
    std::string file;
    std::size_t blocks;      ///< of memory: as many as were ever on their way to the disk at once,
    std::size_t blocks_max;  ///< and how many may be before frames are lost
    std::int64_t lost = 0;   ///< frames that are not in the file though they were to be
    std::string error{};     ///< what went wrong first; empty when nothing did
  };
  std::function<std::optional<Recording>()> recording = [] { return std::nullopt; };
  /// Told of every transaction that took effect, in their order, on the server's thread.
  std::function<void(const exec::Transaction&, const exec::Reply&)> accepted =
      [](const exec::Transaction&, const exec::Reply&) {};
  /// How the process of the model ended by itself; empty: it did not, or it is not known.
  std::function<std::string()> model_ending = [] { return std::string(); };
  std::function<Guarding()> guard = [] { return Guarding::none; };
  /// Asked once `ended` is raised.
  std::function<Ending()> ending = [] { return Ending{}; };
  /// Told each change of the run's state once, in words for a log; `bad`: something is lost.
  std::function<void(const std::string& words, bool bad)> tell = [](const std::string&, bool) {};
};

}  // namespace hild::server
