// SPDX-License-Identifier: Apache-2.0
/// \file
/// The task of a model's process: all that it needs to know, in a form that can be sent. It
/// contains no code and no address: the process finds the code itself, and makes the model.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foreign/fmu/load.hpp"
#include "foreign/remote/shared.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/model/multirate.hpp"
#include "hild/numerics/method.hpp"

namespace hild::contain {

/// Where the code of a model is, and how to load it.
struct Recipe {
  enum class From : std::uint8_t { built_in, plugin, fmu };
  From from = From::built_in;
  std::string where;                  ///< name, file of the plug-in, folder of the unpacked FMU
  fmu::LoadOptions options{};         ///< of an FMU
  std::optional<fmu::Found> found{};  ///< of an FMU that has been initialised before
};

/// How a model is advanced: by a method of the catalogue, or by those of its partitions.
using Way = std::variant<const numerics::Method*, model::Multirate>;

enum class Work : std::uint8_t {
  attempt,   ///< do nothing but report what could not be confined
  describe,  ///< open the model, and describe it
  serve,     ///< make the model, and answer requests from then on
  examine,   ///< make the model, and examine it in all its calls
};

struct Task {
  Work work = Work::attempt;
  Recipe recipe{};
  std::optional<Way> way{};  ///< none: its equations alone
  remote::Sizes sizes{};     ///< of the exchange page
  int priority = 0;          ///< of a process that serves
  int cpu = -1;
  // For an examination.
  std::vector<double> parameters{};
  std::vector<double> initial{};
  Duration frame{};
  int steps = 0;
};

[[nodiscard]] std::string packed(const Task& task);
/// Reads a task. Error: it comes from another build, or breaks off.
[[nodiscard]] Result<Task> unpacked(std::string_view bytes);

}  // namespace hild::contain
