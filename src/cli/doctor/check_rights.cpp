// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {

using enum Verdict;

Finding check_rtprio(const Machine& machine) {
  const Check c{"rtprio", "without the right to it the frame thread runs like any other"};
  const int needed = std::min(machine.priority() + 1, 99);  // the guard's
  const Limits& limits = machine.limits();
  if (limits.privileged) return c.is(good, "root may have any");
  if (limits.rtprio < 0) return c.is(good, "unlimited");
  const std::string found =
      fmt::format("at most {}; {} is needed, the guard's", limits.rtprio, needed);
  if (limits.rtprio >= needed) return c.is(good, found);
  return c.is(problem, found,
              fmt::format("echo '@iocard - rtprio {0}' > /etc/security/limits.d/hild.conf, then "
                          "log in again; in a unit LimitRTPRIO={0}",
                          needed));
}

Finding check_memlock(const Machine& machine) {
  const Check c{"memlock", "a page that is not in memory costs a frame milliseconds"};
  const Limits& limits = machine.limits();
  if (limits.privileged || limits.memlock < 0) return c.is(good, "all memory may be locked");
  return c.is(problem, fmt::format("only {} KiB may be locked", limits.memlock / 1024),
              "echo '@iocard - memlock unlimited' >> /etc/security/limits.d/hild.conf, then log "
              "in again; in a unit LimitMEMLOCK=infinity");
}

Finding check_swap(const Machine& machine) {
  const Check c{"swap",
                "locked memory stays, but what hild is to read or write may have gone to disk"};
  const auto swaps = machine.text("proc/swaps");
  if (!swaps) return c.is(unknown, "no /proc/swaps");
  const auto lines = std::ranges::count(*swaps, '\n');  // the first is a heading
  if (lines <= 1) return c.is(good, "none");
  return c.is(warning, fmt::format("{} in use", lines - 1),
              "swapoff -a, and take its lines out of /etc/fstab");
}

Finding check_comedi(const Machine& machine) {
  const Check c{"comedi", "converter cards are reached through Comedi"};
  const auto cards = machine.names("dev", "comedi");
  std::vector<std::string> barred;
  for (const auto& card : cards) {
    if (!machine.usable("dev/" + card)) barred.push_back("/dev/" + card);
  }
  if (!barred.empty()) {
    return c.is(problem, fmt::format("may not be opened by this user: {}", fmt::join(barred, ", ")),
                "usermod -aG iocard USER, then log in again");
  }
  if (!cards.empty()) return c.is(good, fmt::format("{}", fmt::join(cards, ", ")));
  const auto modules = machine.text("proc/modules");
  if (modules && ("\n" + *modules).find("\ncomedi ") != std::string::npos) {
    return c.is(warning, "the module is loaded, but no card is attached",
                "load the card's own module, see `lspci -k` and `dmesg`");
  }
  return c.is(warning, "not loaded, no card",
              "modprobe the card's driver; only driver: sim needs none");
}

Finding check_disk(const Machine& machine) {
  constexpr std::int64_t enough = 1'000'000'000;
  const Check c{"disk", "a recording that finds no room loses frames, and says so"};
  const std::string path = machine.exists("var/lib/hild") ? "var/lib/hild" : "var/tmp";
  const auto free = machine.free_bytes(path);
  if (!free) return c.is(unknown, "no /" + path);
  const std::string found =
      fmt::format("{:.1f} GB free in /{}", static_cast<double>(*free) / 1e9, path);
  if (*free >= enough) return c.is(good, found);
  return c.is(warning, found, "make room, or record elsewhere: record: {file: ...}");
}

}  // namespace hild::doctor
