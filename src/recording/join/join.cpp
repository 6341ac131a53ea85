// SPDX-License-Identifier: Apache-2.0
#include "recording/join/join.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "hild/core/units.hpp"

namespace hild::join {
namespace {

using framelog::LinkName;
using framelog::ReceivedSignal;
using framelog::SentSignal;

// Before anything has come, an image is said to be a year old.
constexpr Duration nothing_yet = 10'000'000_s;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// ---- what is there -----------------------------------------------------------------------------

struct System {
  int domain;
  std::string name;
  auto operator<=>(const System&) const = default;
};

std::set<System> systems_of(const NodeRecord& node) {
  std::set<System> all;
  for (const SentSignal& s : node.links.sent) all.insert({s.name.domain, s.name.system});
  for (const ReceivedSignal& s : node.links.received) all.insert({s.name.domain, s.name.system});
  return all;
}

std::string in_words(const std::set<System>& systems) {
  std::vector<std::string> words;
  words.reserve(systems.size());
  for (const System& s : systems) words.push_back(fmt::format("{} of domain {}", s.name, s.domain));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// A node is known by its name within its systems.
Result<void> check_pair(const NodeRecord& a, const NodeRecord& b) {
  const std::set<System> of_a = systems_of(a);
  const std::set<System> of_b = systems_of(b);
  const bool meet = std::ranges::any_of(of_a, [&](const System& s) { return of_b.contains(s); });
  if (!meet) {
    return fail("{} is of system {}, and {} of system {}: expected nodes of one system", a.file,
                in_words(of_a), b.file, in_words(of_b));
  }
  if (a.name == b.name) {
    return fail(
        "{} and {} both are of node {}: expected one recording of each node; of several runs join "
        "those that were there together",
        a.file, b.file, a.name);
  }
  if (a.last < b.first || b.last < a.first) {
    const bool a_first = a.last < b.first;
    const Duration apart = a_first ? b.first - a.last : a.first - b.last;
    return fail(
        "{} and {} never met: the one begins {:.3f} s after the other has ended, by TAI; expected "
        "recordings of runs that were there together",
        a_first ? b.file : a.file, a_first ? a.file : b.file, seconds(apart));
  }
  return {};
}

/// Each with all others: three nodes of which two never met are not one run of a system.
Result<void> check(std::span<const NodeRecord> nodes) {
  if (nodes.size() < 2) {
    return fail("found {} recording, expected those of two nodes or more",
                nodes.empty() ? "no" : "one");
  }
  for (std::size_t b = 1; b < nodes.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (auto good = check_pair(nodes[a], nodes[b]); !good) return good;
    }
  }
  return {};
}

// ---- one link ----------------------------------------------------------------------------------

/// A signal at both of its ends.
class Ends {
 public:
  Ends(const NodeRecord& from, std::size_t sent, const NodeRecord& to, std::size_t received,
       UnitConversion unit)
      : from_(from), to_(to), sent_(sent), received_(received), unit_(unit) {}

  [[nodiscard]] const std::vector<Write>& writes() const { return from_.writes; }
  [[nodiscard]] const std::vector<Look>& looks() const { return to_.looks; }
  [[nodiscard]] double sent(std::size_t write) const {
    return from_.written[write * from_.links.sent.size() + sent_];
  }
  [[nodiscard]] double received(std::size_t look) const {
    return to_.received[look * to_.links.received.size() + received_];
  }
  [[nodiscard]] TaiTime made(std::size_t look) const {
    return to_.made[look * to_.links.received.size() + received_];
  }
  /// What is to be received, by the very operations of who receives it.
  [[nodiscard]] double expected(std::size_t write) const {
    const ReceivedSignal& s = to_.links.received[received_];
    const double value = unit_.factor * sent(write) + unit_.offset;
    return s.scale * value + s.offset;
  }
  /// The write at an instant, by clocks that are not read at once; none: there is none near.
  [[nodiscard]] std::optional<std::size_t> find(TaiTime made) const {
    const auto after = std::ranges::lower_bound(writes(), made, {}, &Write::at);
    std::optional<std::size_t> best;
    Duration nearest = from_.frame / 2;
    const auto look_at = [&](auto write) {
      const Duration apart{std::abs((write->at - made).ns)};
      if (apart > nearest) return;
      nearest = apart;
      best = static_cast<std::size_t>(write - writes().begin());
    };
    if (after != writes().begin()) look_at(after - 1);
    if (after != writes().end()) look_at(after);
    return best;
  }
  /// Whether nothing is known of what was sent then.
  [[nodiscard]] bool beyond_record(TaiTime made) const {
    const Duration reach = from_.frame / 2;
    if (writes().empty() || made < writes().front().at || made > writes().back().at) return true;
    return !from_.covers(made) || !from_.covers(made + reach) || !from_.covers(made + reach * -1);
  }
  /// When a write is the newest no longer.
  [[nodiscard]] TaiTime until(std::size_t write) const {
    return write + 1 < writes().size() ? writes()[write + 1].at : from_.last;
  }
  [[nodiscard]] bool sender_is_there(TaiTime t) const {
    return t >= from_.first && t <= from_.last;
  }

 private:
  const NodeRecord& from_;
  const NodeRecord& to_;
  std::size_t sent_, received_;
  UnitConversion unit_;
};

class LinkJudge {
 public:
  LinkJudge(const Ends& ends, Link& link)
      : ends_(ends), link_(link), seen_(ends.writes().size()), ticks_(ends.writes().size()) {}

  void judge() {
    for (std::size_t l = 0; l < ends_.looks().size(); ++l) look(l);
    ages();
    count_samples();
  }

 private:
  void look(std::size_t l) {
    const Look& look = ends_.looks()[l];
    const TaiTime made = ends_.made(l);
    if (look.at - made > nothing_yet) return;
    const bool both_there = ends_.sender_is_there(look.at) && ends_.sender_is_there(made);
    if (look.tick && both_there) ages_.push_back(look.at - made);
    if (!made_ || *made_ != made) take(l);
    made_ = made;
    if (!newest_) return;
    if (look.tick) ++ticks_[*newest_];
    // Also where it is seen again: it must not have changed.
    if (!same_bits(ends_.received(l), ends_.expected(*newest_))) differ(l, newest_);
  }

  // Another sample than at the look before.
  void take(std::size_t l) {
    const TaiTime made = ends_.made(l);
    const std::optional<std::size_t> write = ends_.find(made);
    const std::optional<std::size_t> before = std::exchange(newest_, write);
    if (is_of_no_known_write(l, write)) {
      ++link_.unknown;
      newest_.reset();
      return;
    }
    if (!write) return differ(l, {});
    if (before && *write < *before) ++link_.out_of_order;
    if (!first_) first_ = write;
    first_ = std::min(*first_, *write);
    const TaiTime sent = ends_.writes()[*write].at;
    if (before && !seen_[*write] && ends_.looks()[l - 1].at > sent) {
      longest_way_ = std::max(longest_way_, ends_.looks()[l - 1].at - sent);
    }
    seen_[*write] = true;
  }

  // What a node sends as its run ends, its safe values, is of no step and so not recorded. It may
  // follow the last write of a step within microseconds, which clocks do not tell apart. And a
  // frame that was held up between its look at the clock and that at its inputs takes what was sent
  // meanwhile to be of its look at the clock, since nothing is of the future.
  [[nodiscard]] bool is_of_no_known_write(std::size_t l, std::optional<std::size_t> write) const {
    const TaiTime made = ends_.made(l);
    if (!write && ends_.beyond_record(made)) return true;
    const bool last = write && *write + 1 == seen_.size();
    const bool cut = made == ends_.looks()[l].at;
    return (last || cut) && !(write && same_bits(ends_.received(l), ends_.expected(*write)));
  }

  void differ(std::size_t l, std::optional<std::size_t> write) {
    if (link_.differences++ > 0) return;
    const Look& look = ends_.looks()[l];
    Difference d{look.at, look.frame, look.t, ends_.received(l), ends_.made(l)};
    d.was_sent = write.has_value();
    if (write) {
      d.sent_in = ends_.writes()[*write].frame;
      d.sent = ends_.sent(*write);
      d.expected = ends_.expected(*write);
      d.fits_frame = look_around(*write, d.received);
    }
    link_.first = d;
  }

  // Of a sample that has another one's stamp it helps to know which one it is.
  [[nodiscard]] std::optional<std::int64_t> look_around(std::size_t write, double received) const {
    constexpr std::size_t reach = 3;
    const std::size_t last = std::min(write + reach, ends_.writes().size() - 1);
    for (std::size_t w = write - std::min(write, reach); w <= last; ++w) {
      if (same_bits(ends_.expected(w), received)) return ends_.writes()[w].frame;
    }
    return {};
  }

  // What was never seen is lost where a tick had an older one later after it was sent than any that
  // came was on its way. Else a newer one may have come before it was looked for.
  void count_samples() {
    if (!first_) return;
    for (std::size_t w = *first_; w < seen_.size(); ++w) {
      if (seen_[w]) {
        ++link_.received;
        link_.repeated += ticks_[w] > 1 ? 1 : 0;
      } else if (without_it(w) > longest_way_) {
        ++link_.lost;
      } else if (ends_.looks().back().at >= ends_.until(w)) {
        ++link_.overtaken;
      } else {
        break;  // the recording of the receiver ends
      }
      ++link_.sent;
    }
  }
  // How long after a write, which nobody has seen, an older one was still the newest at a tick.
  [[nodiscard]] Duration without_it(std::size_t write) const {
    const TaiTime sent = ends_.writes()[write].at;
    const auto& looks = ends_.looks();
    auto look = std::ranges::lower_bound(looks, ends_.until(write), {}, &Look::at);
    while (look != looks.begin()) {
      --look;
      if (look->at <= sent) break;
      if (look->tick) return look->at - sent;
    }
    return {};
  }

  void ages() {
    if (ages_.empty()) return;
    std::ranges::sort(ages_);
    const auto quantile = [&](std::size_t percent) {
      return ages_[(ages_.size() - 1) * percent / 100];
    };
    link_.ages = {quantile(50), quantile(99), ages_.back(), static_cast<std::int64_t>(ages_.size()),
                  0};
    if (link_.max_latency.ns == 0) return;
    link_.ages.too_old = ages_.end() - std::ranges::upper_bound(ages_, link_.max_latency);
  }

  const Ends& ends_;
  Link& link_;
  std::vector<bool> seen_;           // of each write
  std::vector<std::int64_t> ticks_;  // at which it was used
  std::vector<Duration> ages_;
  Duration longest_way_{};             // of those seen: not yet there at the look before
  std::optional<TaiTime> made_;        // what was seen last
  std::optional<std::size_t> newest_;  // the write that is
  std::optional<std::size_t> first_;   // the first write that was seen
};

Result<Link> link_between(const NodeRecord& from, std::size_t sent, const NodeRecord& to,
                          std::size_t received) {
  const SentSignal& s = from.links.sent[sent];
  const ReceivedSignal& r = to.links.received[received];
  Link link;
  link.from = fmt::format("{}.{}", from.name, s.output);
  link.to = fmt::format("{}.{}", to.name, r.input);
  link.sent_unit = s.unit;
  link.unit = r.in;
  link.max_latency = r.max_latency;
  const auto unit = unit_conversion(s.unit, r.unit);
  if (!unit) {
    return fail("{} -> {}: {} sends it in {}, and {} expects it in {}: {}", link.from, link.to,
                from.file, s.unit, to.file, r.unit, unit.error().message);
  }
  const Ends ends(from, sent, to, received, *unit);
  LinkJudge(ends, link).judge();
  return link;
}

// ---- all of them -------------------------------------------------------------------------------

Result<void> add_link(std::span<const NodeRecord> nodes, const NodeRecord& to, std::size_t received,
                      Joined& joined) {
  const LinkName& wanted = to.links.received[received].name;
  bool node_is_here = false;
  for (const NodeRecord& from : nodes) {
    node_is_here = node_is_here || from.name == wanted.node;
    const auto sent = std::ranges::find(from.links.sent, wanted, &SentSignal::name);
    if (sent == from.links.sent.end()) continue;
    auto link =
        link_between(from, static_cast<std::size_t>(sent - from.links.sent.begin()), to, received);
    if (!link) return tl::make_unexpected(link.error());
    joined.links.push_back(std::move(*link));
    return {};
  }
  if (node_is_here) {
    return fail(
        "{}: {}.{} is to be the signal {} of node {}, which sends no such signal: expected "
        "recordings of one system",
        to.file, to.name, to.links.received[received].input, wanted.signal, wanted.node);
  }
  joined.unheld.push_back({fmt::format("{}.{}", wanted.node, wanted.signal),
                           fmt::format("{}.{}", to.name, to.links.received[received].input)});
  return {};
}

}  // namespace

const Link* Joined::first_difference() const noexcept {
  const Link* first = nullptr;
  for (const Link& link : links) {
    if (link.first && (first == nullptr || link.first->at < first->first->at)) first = &link;
  }
  return first;
}

Result<Joined> join(std::span<const NodeRecord> nodes) {
  if (auto good = check(nodes); !good) return tl::make_unexpected(good.error());
  Joined joined;
  joined.zero = std::ranges::min(nodes, {}, &NodeRecord::first).first;
  for (const NodeRecord& node : nodes) {
    joined.nodes.push_back(
        {node.name, node.file, node.first, node.last, node.frame, node.missing.size(), node.notes});
  }
  for (const NodeRecord& to : nodes) {
    for (std::size_t r = 0; r < to.links.received.size(); ++r) {
      if (auto good = add_link(nodes, to, r, joined); !good)
        return tl::make_unexpected(good.error());
    }
  }
  if (joined.links.empty()) {
    return fail(
        "none of these nodes receives what another one of them sends: expected the recordings of "
        "nodes that are joined by a signal");
  }
  const bool any = std::ranges::any_of(joined.links, [](const Link& link) {
    return link.ages.ticks > 0 || link.unknown > 0 || link.differences > 0;
  });
  if (!any) {
    return fail(
        "no node has received anything of another one, though all were there together: expected "
        "runs that heard one another; the counts of their devices in `hild run --report` tell why "
        "not (docs: several machines)");
  }
  return joined;
}

}  // namespace hild::join
