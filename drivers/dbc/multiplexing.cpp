// SPDX-License-Identifier: Apache-2.0
#include "drivers/dbc/multiplexing.hpp"

#include <algorithm>

namespace hild::can {
namespace {

// ---- switches ----------------------------------------------------------------------------------

/// The switches that are not switched themselves.
std::vector<std::size_t> plain_switches(std::span<const Mark> marks) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].is_switch && !marks[i].value) found.push_back(i);
  }
  return found;
}

void give_switches(Scanner& in, Message& message, std::span<const Mark> marks) {
  const auto plain = plain_switches(marks);
  const bool extended = std::ranges::any_of(
      message.signals, [](const Signal& one) { return one.multiplexing.switched_by.has_value(); });
  const auto refuse_two = [&] {
    const Signal& other = message.signals[plain[1]];
    in.refuse(other.line,
              "message '{}' has two switches, '{}' (line {}) and '{}'; expected one M, or an "
              "SG_MUL_VAL_ for each signal with an m",
              message.name, message.signals[plain[0]].name, message.signals[plain[0]].line,
              other.name);
  };
  if (plain.size() > 1 && !extended) return refuse_two();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    Signal& signal = message.signals[i];
    if (!marks[i].value || signal.multiplexing.switched_by) continue;
    if (plain.empty()) {
      return in.refuse(signal.line,
                       "signal '{}' of message '{}' is there for a value of a switch, and there "
                       "is none; expected a signal marked M in this message",
                       signal.name, message.name);
    }
    if (plain.size() > 1) return refuse_two();
    signal.multiplexing.switched_by = plain[0];
    signal.multiplexing.values = {{*marks[i].value, *marks[i].value}};
  }
}

// ---- overlaps ----------------------------------------------------------------------------------

/// The signals of a message below their switches.
class Tree {
 public:
  explicit Tree(const Message& message) : message_(message), below_(message.signals.size()) {
    for (std::size_t i = 0; i < below_.size(); ++i) {
      const auto above = message.signals[i].multiplexing.switched_by;
      (above ? below_[*above] : top_).push_back(i);
    }
    order_ = top_;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto& more = below_[order_[i]];
      order_.insert(order_.end(), more.begin(), more.end());
    }
  }

  /// A signal that is switched by what it switches, if there is one.
  [[nodiscard]] const Signal* circular() const {
    if (order_.size() == below_.size()) return nullptr;
    std::vector<bool> reached(below_.size());
    for (const std::size_t i : order_) reached[i] = true;
    const auto first = std::ranges::find(reached, false);
    return &message_.signals[static_cast<std::size_t>(first - reached.begin())];
  }

  /// Refuses two signals that can be there at once and overlap. Precondition: nothing is circular.
  void check(Scanner& in) {
    all_.resize(below_.size());
    for (std::size_t k = order_.size(); k-- > 0 && !in.failed();) {
      const std::size_t i = order_[k];
      const Bits own = bits_of(message_.signals[i].layout);
      sweep(in, below_[i]);
      Bits under;
      for (const std::size_t j : below_[i]) {
        if ((own & all_[j]).any()) return refuse(in, {i}, subtree(j));
        under |= all_[j];
      }
      all_[i] = own | under;
    }
    sweep(in, top_);
  }

 private:
  using Places = std::vector<std::size_t>;

  /// Goes through the values of a switch. Of what is there at one of them all bits are disjoint,
  /// even with those of all they switch: their switches are different ones.
  void sweep(Scanner& in, const Places& signals) const {
    struct Event {
      std::uint64_t value;
      bool ends;  // those that begin come first
      std::size_t signal;
      bool operator<(const Event& o) const {
        return value != o.value ? value < o.value : ends < o.ends;
      }
    };
    std::vector<Event> events;
    for (const std::size_t i : signals) {
      const Multiplexing& m = message_.signals[i].multiplexing;
      if (!m.switched_by) {
        events.push_back({0, false, i});
        continue;
      }
      for (const RawRange& range : m.values) {
        events.push_back({range.first, false, i});
        events.push_back({range.last, true, i});
      }
    }
    std::stable_sort(events.begin(), events.end());
    Bits taken;
    for (const Event& event : events) {
      const Bits& bits = all_[event.signal];
      if (event.ends) {
        taken &= ~bits;
      } else if ((taken & bits).none()) {
        taken |= bits;
      } else {
        const auto other = std::ranges::find_if(signals, [&](std::size_t i) {
          return i != event.signal && there_at(i, event.value) && (all_[i] & bits).any();
        });
        return refuse(in, subtree(*other), subtree(event.signal));
      }
    }
  }

  [[nodiscard]] bool there_at(std::size_t i, std::uint64_t value) const {
    const Multiplexing& m = message_.signals[i].multiplexing;
    return !m.switched_by || present(value, m.values);
  }

  [[nodiscard]] Places subtree(std::size_t top) const {
    Places found{top};
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Places& more = below_[found[k]];
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  }

  /// Of two groups in which there are signals that overlap.
  void refuse(Scanner& in, const Places& some, const Places& others) const {
    Bits bits_of_others;
    for (const std::size_t i : others) bits_of_others |= bits_of(message_.signals[i].layout);
    const auto overlaps = [this](const Bits& bits) {
      return [this, &bits](std::size_t i) {
        return (bits_of(message_.signals[i].layout) & bits).any();
      };
    };
    const Signal* a = &message_.signals[*std::ranges::find_if(some, overlaps(bits_of_others))];
    const Bits bits_of_a = bits_of(a->layout);
    const Signal* b = &message_.signals[*std::ranges::find_if(others, overlaps(bits_of_a))];
    if (a->line > b->line) std::swap(a, b);
    const Bits both = bits_of(a->layout) & bits_of(b->layout);
    std::size_t bit = 0;
    while (!both[bit]) ++bit;
    in.refuse(b->line,
              "signals '{}' (line {}) and '{}' of message '{}' overlap in bit {}, and can be there "
              "together; expected bits of their own, or values of one switch that exclude each "
              "other",
              a->name, a->line, b->name, message_.name, bit);
  }

  const Message& message_;
  std::vector<Places> below_;
  Places top_;
  Places order_;           // what is above comes first
  std::vector<Bits> all_;  // of a signal and those below it
};

}  // namespace

void settle_multiplexing(Scanner& in, Message& message, std::span<const Mark> marks) {
  give_switches(in, message, marks);
  if (in.failed()) return;
  Tree tree(message);
  if (const Signal* signal = tree.circular()) {
    return in.refuse(signal->line,
                     "signal '{}' of message '{}' is switched by a signal that it switches itself; "
                     "mend their SG_MUL_VAL_",
                     signal->name, message.name);
  }
  tree.check(in);
}

}  // namespace hild::can
