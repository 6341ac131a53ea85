// SPDX-License-Identifier: Apache-2.0
/// \file
/// The gateway's side of the page: outputs go from there to the topics of hild_nodes.idl, and what
/// comes there goes to the page. Cyclone DDS allocates, locks and has threads of its own: here it
/// may.
#pragma once

#include <dds/dds.h>
#include <hild_nodes.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "drivers/dds/inbox.hpp"
#include "drivers/dds/page.hpp"
#include "drivers/dds/peer_table.hpp"
#include "drivers/dds/task.hpp"

namespace hild::dds {

class Bridge {
 public:
  /// On the network once it is made. `page` outlives it. Error: DDS refuses something.
  [[nodiscard]] static Result<std::unique_ptr<Bridge>> make(GatewayTask task, const Page& page);
  /// Tells the others that this node has ended.
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  /// Sends the newest outputs, if they have not been sent. One thread.
  void send();
  /// Says that this node is there, and what it does; and its plan anew, where the kernel was told
  /// of another TAI. The same thread.
  void tell_health();
  /// Whether it has something else to say than it said last.
  [[nodiscard]] bool has_news();

 private:
  /// Its names for entities: they end with the domain.
  struct Entities {
    dds_entity_t domain = 0, participant = 0, publisher = 0, subscriber = 0;
    dds_entity_t signals_out = 0, plan_out = 0, health_out = 0;
    dds_entity_t signals_in = 0, plan_in = 0, health_in = 0;
  };
  struct Outgoing {
    explicit Outgoing(const Page& page, std::size_t values)
        : slot(page.outputs(values)), image(stamps + values) {}
    rt::ImageSlot slot;
    std::vector<double> image;
    std::int64_t number = 0;  // sent last
    rt::Tally readers;        // that have come, and had none yet
    std::int64_t met = 0;     // of them
  };

  Bridge(GatewayTask task, const Page& page);
  [[nodiscard]] Result<void> join();
  [[nodiscard]] Result<void> make_writers();
  [[nodiscard]] Result<void> make_readers();
  [[nodiscard]] Result<void> tell_plan();
  void take_plans(dds_entity_t reader);
  void lose_plans_of(std::uint64_t writer);
  void take_samples(dds_entity_t reader);
  void take_health(dds_entity_t reader);
  void write(std::span<const double> image);
  [[nodiscard]] Inbox* inbox_of(const char* node) noexcept;
  /// On the standard error; none: nothing.
  void tell(const std::string& words) const;

  GatewayTask task_;
  PageHead* head_;
  Entities dds_;
  std::uint64_t run_;
  std::uint64_t plan_;
  rt::Counter utc_behind_tai_;  // looked at once a second
  Outgoing outgoing_;
  rt::ImageSlot own_words_;
  io::NodeWords words_{.waits = true};  // read there last
  std::mutex mutex_;  // guards what follows: what comes does so on different threads
  std::vector<Inbox> inboxes_;
  PeerTable peers_;
};

}  // namespace hild::dds
