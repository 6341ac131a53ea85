// SPDX-License-Identifier: Apache-2.0
/// \file
/// Takes a text from a client, does what it asks for, and sees to it that each request is answered
/// exactly once: at once, or when its transaction has taken effect. One thread, the server's.
#pragma once

#include <memory>

#include "rpc/request.hpp"
#include "server/method.hpp"
#include "server/token_bucket.hpp"

namespace hild::server {

class Answer;

class Dispatcher {
 public:
  /// `context` outlives this.
  Dispatcher(const Context& context, const rpc::Limits& limits)
      : context_(context), limits_(limits) {}

  /// Returns how long nothing more should be taken from this client: 0, unless it asks too much.
  std::chrono::duration<double> receive(std::string_view text,
                                        const std::shared_ptr<Client>& client, TokenBucket& bucket);
  /// Answers a text that was too long to be received at all.
  void too_long(Client& client) const;

 private:
  void serve(const rpc::Request& request, const std::shared_ptr<Client>& client,
             const std::shared_ptr<Answer>& answer);

  const Context& context_;
  rpc::Limits limits_;
};

}  // namespace hild::server
