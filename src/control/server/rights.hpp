// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a client may change of the run, by the way it came.
#pragma once

#include <string>

namespace hild::server {

struct Rights {
  /// Why it may only read, worded for the middle of a sentence; empty: it may write too.
  std::string may_not_write{};
  /// The role (control.roles) whose rights it has; empty: none, it has those to everything.
  std::string role{};
};

}  // namespace hild::server
