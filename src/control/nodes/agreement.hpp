// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the members of a system agree, all or none: on a first tick, and on being armed. Each member
/// says in what state it is and looks at what the others say; there is no message that must not be
/// lost, and no member that must not end.
///
/// Begin: while all members wait, the first by name proposes a tick; once all have taken it up it
/// says so, and all begin then. A member that finds others running begins by itself.
///
/// Arming, in two phases: the one that was asked for it lets all answer whether they can (prepare);
/// where all can, all are armed (commit), and once all say that they are, it stands (done). Where
/// one cannot, does not answer, or was not armed after all, those that were are disarmed again
/// (revoke); so does by itself who does not hear soon that it stands. For some seconds after that
/// the end of one is still that of all; from then on each has its own rules.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/io/nodes.hpp"

namespace hild::nodes {

/// How long before it begins a tick is proposed.
inline constexpr Duration notice = 1_s;
/// How long answers are waited for, and the ends of ramps and frames behind them.
inline constexpr Duration patience = 3_s;
/// How long one that was armed waits to hear that all are.
inline constexpr Duration trust = 5_s;
/// How long all have to stay armed, once they were.
inline constexpr Duration proof = trust + patience;
/// After which nobody disarms any more who hears of it only then.
inline constexpr Duration late = 60_s;

/// By the clocks of this machine.
struct Now {
  MonoTime mono{};
  std::int64_t tai = 0;  ///< nanoseconds
};

[[nodiscard]] Now read_clocks();

/// What this node knows of itself.
struct Self {
  bool armed = false;
  bool may_arm = false;
  std::int64_t frame = 0;
  std::int64_t overruns = 0;
};

/// What this node is to do now.
struct Orders {
  std::optional<std::int64_t> begin{};  ///< nanoseconds of TAI; those of the past: at once
  bool arm = false;
  bool disarm = false;
  std::string why{};  ///< in words for a log, where it is armed or disarmed for others
};

/// What became of the newest request of a person to this node.
struct Round {
  enum class State : std::uint8_t { none, under_way, done, refused };
  State state = State::none;
  std::int64_t number = 0;
  std::string words{};  ///< why it was refused, or what was done
};

class Agreement {
 public:
  /// Of this node with `members`, of which it is one.
  Agreement(std::string_view own, std::span<const Name> members);

  /// Every twentieth of a second or so.
  [[nodiscard]] Orders look(const Self& self, std::vector<io::Peer> peers, const Now& now);
  /// What the others are to hear, after a look.
  [[nodiscard]] const io::NodeWords& words() const noexcept { return words_; }

  /// A person wants all members to be armed. Error: not now, and why.
  [[nodiscard]] Result<void> arm_all(const Now& now);
  /// A person wants all members to be disarmed; needs no consent. This one is to be disarmed
  /// besides.
  void disarm_all(const Now& now);

  [[nodiscard]] const Round& round() const noexcept { return round_; }
  /// As they were at the last look.
  [[nodiscard]] const std::vector<io::Peer>& peers() const noexcept { return peers_; }
  [[nodiscard]] std::string_view own() const noexcept { return own_.view(); }
  [[nodiscard]] const std::vector<Name>& members() const noexcept { return members_; }
  /// Members of which nothing is heard: "load, controller"; empty: all are here.
  [[nodiscard]] std::string missing() const;

 private:
  /// To another one that has asked for an arming.
  struct Promise {
    Name to;
    std::int64_t number = 0;
    MonoTime since{};
    bool armed = false;  ///< for it, and it does not stand yet
  };
  [[nodiscard]] const io::Peer* member_here(std::string_view node) const;
  /// The other members for which `is` holds, of what is known of them: "load, controller".
  template <class Is>
  [[nodiscard]] std::string those(Is is) const;

  void look_for_beginning(const Now& now, Orders& orders);
  void propose(const Now& now, Orders& orders);
  void begin_at(std::int64_t tick, const Now& now, Orders& orders);
  void go_on_asking(const Self& self, const Now& now, Orders& orders);
  void look_at_answers(const Now& now, Orders& orders);
  void look_at_armed(const Self& self, const Now& now, Orders& orders);
  void look_whether_it_stands(const Self& self, const Now& now, Orders& orders);
  void refuse(std::string why, Orders& orders);
  void heed(const io::Peer& peer, const Self& self, const Now& now, Orders& orders);
  void answer(const io::Peer& peer, bool can, const Now& now);
  void keep_promise(const Self& self, const Now& now, Orders& orders);

  Name own_;
  std::vector<Name> members_;  // by name
  std::vector<io::Peer> peers_;
  io::NodeWords words_{.waits = true};
  std::optional<std::int64_t> begins_;
  MonoTime asked_{};         // since when what is asked for is what it is
  bool proven_ = true;       // all that were armed have stayed so for long enough
  std::int64_t obeyed_ = 0;  // the newest disarming of another one
  std::optional<Promise> promise_;
  Round round_;
};

}  // namespace hild::nodes
