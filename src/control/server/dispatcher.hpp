// SPDX-License-Identifier: Apache-2.0
/// \file
/// Executes what a client's text asks for, and ensures that each request is answered exactly once:
/// at once, or when its transaction has taken effect. For one thread, the server's.
#pragma once

#include <functional>
#include <memory>

#include "control/server/intake.hpp"
#include "control/server/method.hpp"

namespace hild::server {

class Answer;
class Turns;

class Dispatcher {
 public:
  /// `context` outlives this.
  explicit Dispatcher(const Context& context) : context_(context) {}

  /// Executes the urgent requests of a text and one other now, the rest of a batch one a turn.
  /// `done` is called when all are dealt with, so that the client's next text may be taken.
  void serve(Intake intake, const std::shared_ptr<Client>& client, Turns& turns,
             std::function<void()> done);

 private:
  struct Work;
  void go_on(const std::shared_ptr<Work>& work);
  void serve(const rpc::Request& request, const std::shared_ptr<Client>& client,
             const std::shared_ptr<Answer>& answer);

  const Context& context_;
};

}  // namespace hild::server
