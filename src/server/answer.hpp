// SPDX-License-Identifier: Apache-2.0
/// \file
/// The answer to one text: of a single request at once, of a batch when all of its requests have
/// theirs. A client that has gone meanwhile is answered no more.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "rpc/reply.hpp"
#include "server/client.hpp"

namespace hild::server {

class Answer {
 public:
  Answer(const std::shared_ptr<Client>& client, bool batch, std::size_t requests)
      : client_(client), batch_(batch), left_(requests) {}

  /// Each request gets one of these, once. A notification (id null) is not answered.
  void succeed(const boost::json::value& id, boost::json::value result) {
    done(id.is_null() ? boost::json::object() : rpc::reply(id, std::move(result)));
  }
  void fail(const boost::json::value& id, const rpc::Error& error) {
    done(id.is_null() ? boost::json::object() : rpc::error_reply(id, error));
  }
  /// A reply as it is.
  void put(boost::json::object reply) { done(std::move(reply)); }

 private:
  void done(boost::json::object reply) {
    if (!reply.empty()) replies_.emplace_back(std::move(reply));
    if (--left_ > 0) return;
    const auto client = client_.lock();
    if (client == nullptr) return;
    if (replies_.empty()) return client->answer({});
    client->answer(boost::json::serialize(batch_ ? boost::json::value(std::move(replies_))
                                                 : std::move(replies_[0])));
  }

  std::weak_ptr<Client> client_;
  bool batch_;
  std::size_t left_;
  boost::json::array replies_;
};

}  // namespace hild::server
