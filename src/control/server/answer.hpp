// SPDX-License-Identifier: Apache-2.0
/// \file
/// Collects the answer to one text: that to a single request is sent at once, that to a batch when
/// all its requests have theirs. A client that has gone meanwhile gets no answer; one whose answer
/// is larger than what may wait for it is closed.
#pragma once

#include <boost/json/serialize.hpp>
#include <memory>

#include "control/rpc/reply.hpp"
#include "control/server/client.hpp"
#include "control/server/outbox.hpp"

namespace hild::server {

class Answer {
 public:
  Answer(const std::shared_ptr<Client>& client, bool batch, std::size_t requests)
      : client_(client), batch_(batch), left_(requests) {}

  /// Answers one request; to be called once for each, one of the two. A notification (id null) is
  /// not answered.
  void succeed(const boost::json::value& id, boost::json::value result) {
    done(id.is_null() ? boost::json::object() : rpc::reply(id, std::move(result)));
  }
  void fail(const boost::json::value& id, const rpc::Error& error) {
    done(id.is_null() ? boost::json::object() : rpc::error_reply(id, error));
  }
  /// Answers something that is not a request, whose id may not be known.
  void fail_unknown(const boost::json::value& id, const rpc::Error& error) {
    done(rpc::error_reply(id, error));
  }

 private:
  // Kept as text: as values a batch would take many times the memory.
  void done(const boost::json::object& reply) {
    if (!reply.empty()) {
      if (batch_) text_ += text_.empty() ? '[' : ',';
      text_ += boost::json::serialize(reply);
    }
    const bool last = --left_ == 0;
    const auto client = client_.lock();
    if (client == nullptr) return;
    if (text_.size() > Outbox::most) {
      client_.reset();
      return client->close();
    }
    if (!last) return;
    if (batch_ && !text_.empty()) text_ += ']';
    client->answer(std::move(text_));
  }

  std::weak_ptr<Client> client_;
  bool batch_;
  std::size_t left_;
  std::string text_;
};

}  // namespace hild::server
