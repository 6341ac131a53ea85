// SPDX-License-Identifier: Apache-2.0
/// \file
/// The methods of docs/control.md for one who steers a run from within its process, without a
/// socket, a thread or a timer: a request is served when it comes, and what takes effect later is
/// looked for when it is asked for.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "control/rpc/message.hpp"
#include "control/server/names.hpp"
#include "control/server/run.hpp"

namespace hild::server {

/// For one thread, which is the only one to submit changes to the run.
class Desk {
 public:
  /// What `run` refers to outlives the desk.
  explicit Desk(Run run);
  ~Desk();

  using Answer = tl::expected<json::value, rpc::Error>;
  /// Serves a request. Of one before it that is not answered, no answer is given any more.
  void ask(std::string_view method, json::object params);
  /// The answer to it, once there is one.
  [[nodiscard]] std::optional<Answer> answer();
  /// To be called when the run has ended: what is owed is answered so.
  void close();

  [[nodiscard]] const Names& names() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hild::server
