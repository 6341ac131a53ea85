// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model's process: the program hild-model, confined, with the page that hild exchanges with it.
/// Load time.
#pragma once

#include <string>

#include "foreign/contain/task.hpp"
#include "hild/rt/confined/process.hpp"

namespace hild::contain {

using confined::aborted;
using confined::plain;
using Child = confined::Process;

/// Uses another program in place of hild-model, which does the same when it is started as
/// `argument`: that of a test, which has models of its own. To be called before any is started.
void use_program(std::string path, std::string argument);

/// Starts a process and sends it its task. Error: no process, or no program to start.
[[nodiscard]] Result<Child> start_child(const Task& task, const remote::Shared& page,
                                        Child::Voice voice = Child::Voice::heard);

/// Which of the measures that confine a model's process this machine refuses, tried once in one;
/// empty: none.
[[nodiscard]] const std::string& not_confined();

}  // namespace hild::contain
