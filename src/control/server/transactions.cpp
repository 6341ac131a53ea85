// SPDX-License-Identifier: Apache-2.0
#include "control/server/transactions.hpp"

#include <algorithm>

namespace hild::server {
namespace {

using namespace std::chrono_literals;
constexpr auto shortest_nap = 500us;
constexpr auto longest_nap = 10'000us;  // of a wait for a frame far ahead

using exec::Refusal;

constexpr std::pair<Refusal, std::string_view> refusal_words[] = {
    {Refusal::no_slack,
     "no frame had the slack for it: ask for fewer changes at once, or give the run longer frames"},
    {Refusal::queue_full,
     "too many transactions wait already: try again when some have taken effect"},
    {Refusal::unknown_target, "there is no such thing to change"},
    {Refusal::out_of_limits, "out of limits"},
    {Refusal::not_finite, "not a finite number"},
    {Refusal::not_tunable,
     "this parameter does not change while running: set it in the configuration"},
    {Refusal::bad_table, "a table needs one point at least, and times that ascend"},
    {Refusal::empty_slot, "nothing was saved in this slot: save first"},
    {Refusal::device_failed, "a device did not take its safe value, and the run ends"},
    {Refusal::run_ended, "the run has ended"},
    {Refusal::withdrawn, "withdrawn: who asked for it has gone"},
    {Refusal::not_frozen,
     "the plant runs, and to step it would freeze it: `freeze` first, or `step` with "
     "`freeze: true` (hildctl step --freeze)"},
    {Refusal::not_whole, "this parameter takes whole numbers only"},
};

rpc::Code code_of(Refusal refusal) {
  if (refusal == Refusal::queue_full) return rpc::Code::queue_full;
  if (refusal == Refusal::run_ended) return rpc::Code::run_ended;
  return rpc::Code::refused;
}

/// The refusal of the run in words.
rpc::Error error_of(const exec::Reply& reply, const Changes& changes) {
  const auto* const words =
      std::ranges::find(refusal_words, reply.refusal, [](const auto& w) { return w.first; });
  rpc::Error error{code_of(reply.refusal),
                   std::string(words != std::end(refusal_words) ? words->second : "refused"),
                   {}};
  const bool of_one = error.code == rpc::Code::refused && reply.refusal != Refusal::no_slack &&
                      reply.refusal != Refusal::not_frozen;
  const bool known = reply.change < changes.origins.size();
  if (of_one && known) {
    error.message = fmt::format("{}: {}", changes.origins[reply.change].called, error.message);
  }
  error.data = {{"refusal", exec::to_string(reply.refusal)},
                {"change", known ? changes.origins[reply.change].entry : 0},
                {"frame", reply.frame}};
  return error;
}

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
  const Refusal refusal = run_.events.submit(transaction_of(id, changes));
  if (refusal != Refusal::none) {
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
    if (run_.events.submit(t) != Refusal::none) return;
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
    run_.accepted(transaction_of(reply.id, p.changes), reply, p.changes.texts);
    // The next that is begun is of the step it took effect in, or of a later one.
    run_.loop.snapshot().ask();
    verdicts_.push_back({run_.loop.snapshot().begun() + 1, std::exchange(p.done, {}),
                         Effect{reply.frame, reply.time}});
  } else {
    verdicts_.push_back(
        {0, std::exchange(p.done, {}), tl::make_unexpected(error_of(reply, p.changes))});
    p.tables = 0;
  }
  if (p.tables == 0 && !p.done) pending_.erase(found);
}

// In their order: one that waits for its image holds up those behind it.
void Transactions::tell(bool all) {
  const bool images = !all && run_.loop.snapshot().offered() && !run_.ended.raised();
  while (!verdicts_.empty()) {
    const std::int64_t wanted = verdicts_.front().images;
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
  tell(true);
}

}  // namespace hild::server
