// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several offline runs of one configuration that differ in settings, each in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "cli/main/commands.hpp"
#include "control/sequence/variables.hpp"

namespace hild::commands {

/// What `hild run --offline` is given for more than one run.
struct SweepArguments {
  std::vector<std::string> values;  ///< KEY=VALUE,VALUE,...: every combination is run
  std::string seeds;                ///< FIRST..LAST, or VALUE,VALUE,...; empty: as configured
  int jobs = 0;                     ///< processes at a time; 0: as many as there are CPUs
  std::string into = "sweep";       ///< the folder that gets one for each run
  bool as_json = false;

  [[nodiscard]] bool wanted() const { return !values.empty() || !seeds.empty(); }
};
void add_sweep_arguments(CLI::App& command, SweepArguments& arguments);

/// What `hild run --offline` is given to steer it by a test sequence.
struct SequenceArguments {
  std::string file;               ///< empty: there is none
  std::vector<std::string> lets;  ///< NAME=VALUE
  std::string junit;              ///< the file for the outcome as JUnit XML; empty: none
};
void add_sequence_arguments(CLI::App& command, SequenceArguments& arguments);
/// The variables that are given. Throws an Error.
[[nodiscard]] std::vector<sequence::Let> lets_of(const SequenceArguments& arguments);
/// Whether the sequence sweeps over variables, so that there is a run for each of their values.
/// Throws an Error.
[[nodiscard]] bool sweeps(const SequenceArguments& arguments);

/// Makes the runs and shows their summary. Throws an Error where none can be made. Returns the exit
/// code of the first run that did not end with 0.
ExitCode sweep(const ConfigArguments& config, const std::string& duration,
               const SweepArguments& arguments, const SequenceArguments& sequence);

/// The values of "1,{a: 1, b: 2},'x,y'": commas within brackets and quotes belong to a value.
[[nodiscard]] std::vector<std::string> split_values(std::string_view text);
/// The numbers of "3..5" and of "3,5". Throws an Error.
[[nodiscard]] std::vector<std::string> seeds_of(const std::string& text);

}  // namespace hild::commands
