// SPDX-License-Identifier: Apache-2.0
/// \file
/// Instances of one FMU in hild's process, whose code need not bear to be called on several threads
/// at once: where a configuration has them on several, that is tried before a run.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "hild/core/result.hpp"

namespace hild::plan {

/// Whether two models are instances of one FMU in this process.
[[nodiscard]] bool of_one_fmu(const config::Model& a, const config::Model& b);

/// Instances of one FMU that a configuration has on different threads, and what came of trying it.
struct TriedInstances {
  std::string file;                 ///< the FMU
  std::vector<std::string> models;  ///< its instances, by their names
  int steps = 0;                    ///< so many of each two were taken at the same time
};

/// Tries all there are (examine::run_side_by_side); of a configuration without such instances that
/// is nothing. Call while the process has one thread. Error: some cannot be on several threads, or
/// it could not be tried.
[[nodiscard]] Result<std::vector<TriedInstances>> try_instances(const config::Config& config);

/// In words: "pump, valve of pump.fmu: on threads of their own they give what ..."
[[nodiscard]] std::string words(const TriedInstances& tried);
/// As JSON {file, models, steps}.
[[nodiscard]] boost::json::object to_json(const TriedInstances& tried);

}  // namespace hild::plan
