// SPDX-License-Identifier: Apache-2.0
#include "cli/main/nodes_keeper.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "cli/terminal/print.hpp"
#include "io/nodes_of.hpp"

namespace hild::commands {
namespace {

constexpr auto often = std::chrono::milliseconds(50);

}  // namespace

void NodesKeeper::start(const io::Bus& bus, Hooks hooks) {
  nodes_ = io::nodes_of(bus.members());
  if (nodes_ == nullptr) return;
  hooks_ = std::move(hooks);
  agreement_.emplace(nodes_->own(), nodes_->members());
  look_again();
}

std::optional<MonoTime> NodesKeeper::await_beginning(const rt::Flag& stop) {
  if (!agreement_ || agreement_->members().empty()) return {};
  constexpr int some_seconds = 100;  // turns
  for (int turn = 0; !begins_ && !stop.raised(); ++turn) {
    if (turn % some_seconds == 0) hooks_.waits(agreement_->missing());
    tell_of_waiting();
    io_.run_one_for(often);
  }
  return begins_;
}

void NodesKeeper::tell_of_waiting() {
  std::string missing = agreement_->missing();
  if (missing == waits_for_) return;
  waits_for_ = std::move(missing);
  if (!waits_for_.empty()) cli::tell("hild: waits for {}, to begin together\n", waits_for_);
}

void NodesKeeper::look() {
  const nodes::Now now = nodes::read_clocks();
  const nodes::Orders orders = agreement_->look(hooks_.self(), nodes_->heard(), now);
  nodes_->tell(agreement_->words());
  if (orders.begin) begins_ = now.mono + Duration{*orders.begin - now.tai};
  if (!orders.arm && !orders.disarm) return;
  hooks_.arm(orders.arm);
  hooks_.tell(fmt::format("outputs are {}: {}", orders.arm ? "armed" : "disarmed", orders.why));
}

void NodesKeeper::look_again() {
  look();
  timer_.after(often, [this] { look_again(); });
}

}  // namespace hild::commands
