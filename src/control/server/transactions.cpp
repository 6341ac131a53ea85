// SPDX-License-Identifier: Apache-2.0
#include "control/server/transactions.hpp"

#include <algorithm>

namespace hild::server {
namespace {

using namespace std::chrono_literals;
constexpr auto shortest_nap = 500us;
constexpr auto longest_nap = 10'000us;  // of a wait for a frame far ahead

exec::Transaction transaction_of(std::uint64_t id, const Changes& changes) {
  exec::Transaction t;
  t.id = id;
  t.when = changes.when;
  for (const exec::Change& c : changes.all) static_cast<void>(t.add(c));
  return t;
}

}  // namespace

Transactions::Transactions(boost::asio::io_context& io, const Run& run, ActiveChanges& active)
    : run_(run), active_(active), timer_(io) {}

void Transactions::submit(Changes changes, const Client& asker, Done done) {
  if (run_.ended.raised()) refuse(rpc::Code::run_ended, "the run has ended");
  const std::uint64_t id = last_id_ + 1;
  const exec::Refusal refusal = run_.events.submit(transaction_of(id, changes));
  if (refusal != exec::Refusal::none) {
    throw Refused{
        error_of({.id = id, .kind = exec::Reply::Kind::refused, .refusal = refusal}, changes)};
  }
  last_id_ = id;
  const auto lent =
      std::ranges::count_if(changes.tables, [](const auto& t) { return t != nullptr; });
  pending_.emplace(
      id, Pending{std::move(changes), &asker, std::move(done), static_cast<std::size_t>(lent)});
  nap_ = shortest_nap;
  wait();
}

void Transactions::forget(const Client& asker) {
  for (auto& [id, p] : pending_) {
    if (p.asker != &asker) continue;
    p.asker = nullptr;
    if (p.done && p.changes.when.kind != exec::When::Kind::at_once) withdrawn_.push_back(id);
  }
  withdraw();
}

// As many as the queue takes; the others with the next look for replies.
void Transactions::withdraw() {
  for (; !withdrawn_.empty(); withdrawn_.pop_front()) {
    exec::Transaction t;
    t.withdraws = withdrawn_.front();
    if (run_.events.submit(t) != exec::Refusal::none) return;
  }
}

void Transactions::wait() {
  const auto then = std::chrono::steady_clock::now() + nap_;
  if (next_look_ && *next_look_ <= then) return;
  next_look_ = then;
  timer_.after(nap_, [this] { poll(); });
}

void Transactions::poll() {
  next_look_.reset();
  const bool ended = run_.ended.raised();  // asked before the replies: then those are all
  nap_ = std::min(longest_nap, nap_ * 3 / 2);
  while (const auto reply = run_.events.next_reply()) {
    take(*reply);
    nap_ = shortest_nap;
  }
  tell();
  if (ended) return close();
  withdraw();
  if (!pending_.empty() || !verdicts_.empty()) wait();
}

void Transactions::take(const exec::Reply& reply) {
  const auto found = pending_.find(reply.id);
  if (found == pending_.end()) return;
  Pending& p = found->second;
  if (reply.kind == exec::Reply::Kind::released) {
    p.changes.tables[reply.change].reset();
    --p.tables;
  } else if (reply.kind == exec::Reply::Kind::accepted) {
    for (const exec::Change& c : p.changes.all) active_.apply(c, reply.frame, reply.time);
    run_.accepted(transaction_of(reply.id, p.changes), reply);
    // The next image is that of the step it took effect in, or of a later one.
    verdicts_.push_back({run_.loop.snapshot().published() + 1, std::exchange(p.done, {}),
                         Effect{reply.frame, reply.time}});
  } else {
    verdicts_.push_back(
        {0, std::exchange(p.done, {}), tl::make_unexpected(error_of(reply, p.changes))});
    p.tables = 0;
  }
  if (p.tables == 0 && !p.done) pending_.erase(found);
}

// In their order: one that waits for its image holds up those behind it.
void Transactions::tell() {
  const bool images = run_.settings.snapshot_every > 0 && !run_.ended.raised();
  while (!verdicts_.empty()) {
    const std::uint64_t wanted = verdicts_.front().images;
    if (images && wanted > run_.loop.snapshot().published()) return;
    const Verdicts v = std::move(verdicts_.front());
    verdicts_.pop_front();
    v.done(v.verdict);
  }
}

void Transactions::close() {
  timer_.cancel();
  while (const auto reply = run_.events.next_reply()) take(*reply);
  const Verdict ended = tl::make_unexpected(rpc::Error{rpc::Code::run_ended, "the run has ended"});
  for (auto& [id, p] : pending_) {
    if (p.done) verdicts_.push_back({0, std::exchange(p.done, {}), ended});
  }
  // What is lent stays until the loop is gone for good.
  while (!verdicts_.empty()) {
    const Verdicts v = std::move(verdicts_.front());
    verdicts_.pop_front();
    v.done(v.verdict);
  }
}

}  // namespace hild::server
