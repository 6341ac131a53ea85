// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model's process is to do: all that it needs to know, in a form that can be sent. None of
/// it is code or an address: the process finds the code itself, and makes the model there.
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

/// Where the code of a model is.
struct Recipe {
  enum class From : std::uint8_t { built_in, plugin, fmu };
  From from = From::built_in;
  std::string where;                  ///< name, file of the plug-in, folder of the unpacked FMU
  fmu::LoadOptions options{};         ///< of an FMU
  std::optional<fmu::Found> found{};  ///< of an FMU that has been looked at
};

/// What a model is advanced by: a method of the catalogue, or those of partitions.
using Way = std::variant<const numerics::Method*, model::Multirate>;

enum class Work : std::uint8_t {
  attempt,   ///< nothing, but say what could not be given up
  describe,  ///< open it, and say what it is
  serve,     ///< make it, and answer for it from then on
  examine,   ///< make it, and watch it in all its calls
};

struct Task {
  Work work = Work::attempt;
  Recipe recipe{};
  std::optional<Way> way{};  ///< none: its equations alone
  remote::Sizes sizes{};     ///< of the exchange page
  int priority = 0;          ///< of one that serves
  int cpu = -1;
  // Of one that is examined.
  std::vector<double> parameters{};
  std::vector<double> initial{};
  Duration frame{};
  int steps = 0;
};

[[nodiscard]] std::string packed(const Task& task);
/// Error: it comes of another build, or breaks off.
[[nodiscard]] Result<Task> unpacked(std::string_view bytes);

}  // namespace hild::contain
