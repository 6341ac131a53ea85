// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/doctor/checks.hpp"

namespace hild::doctor {

Finding check_rtprio(const Machine& machine) {
  Finding f{.check = "rtprio",
            .why = "without the right to it the frame thread runs like any other"};
  const int needed = std::min(machine.priority() + 1, 99);  // the guard's
  const Limits& limits = machine.limits();
  const bool enough = limits.privileged || limits.rtprio < 0 || limits.rtprio >= needed;
  f.verdict = enough ? Verdict::good : Verdict::problem;
  f.found = limits.privileged ? "root may have any"
            : limits.rtprio < 0
                ? "unlimited"
                : fmt::format("at most {}; {} is needed, the guard's", limits.rtprio, needed);
  if (!enough) {
    f.remedy = fmt::format(
        "echo '@iocard - rtprio {}' > /etc/security/limits.d/hild.conf, then log in again; in a "
        "unit LimitRTPRIO={}",
        needed, needed);
  }
  return f;
}

Finding check_memlock(const Machine& machine) {
  Finding f{.check = "memlock", .why = "a page that is not in memory costs a frame milliseconds"};
  const Limits& limits = machine.limits();
  const bool enough = limits.privileged || limits.memlock < 0;
  f.verdict = enough ? Verdict::good : Verdict::problem;
  f.found = enough ? "all memory may be locked"
                   : fmt::format("only {} KiB may be locked", limits.memlock / 1024);
  if (!enough) {
    f.remedy =
        "echo '@iocard - memlock unlimited' >> /etc/security/limits.d/hild.conf, then log "
        "in again; in a unit LimitMEMLOCK=infinity";
  }
  return f;
}

Finding check_swap(const Machine& machine) {
  Finding f{.check = "swap",
            .why = "locked memory stays, but what hild is to read or write may have gone to disk"};
  const auto swaps = machine.text("proc/swaps");
  if (!swaps) {
    f.found = "no /proc/swaps";
    return f;
  }
  const auto lines = std::ranges::count(*swaps, '\n');  // the first is a heading
  f.verdict = lines <= 1 ? Verdict::good : Verdict::warning;
  f.found = lines <= 1 ? "none" : fmt::format("{} in use", lines - 1);
  if (lines > 1) f.remedy = "swapoff -a, and take its lines out of /etc/fstab";
  return f;
}

Finding check_comedi(const Machine& machine) {
  Finding f{.check = "comedi", .why = "converter cards are reached through Comedi"};
  const auto modules = machine.text("proc/modules");
  const bool loaded = modules && ("\n" + *modules).find("\ncomedi ") != std::string::npos;
  const auto cards = machine.names("dev", "comedi");
  std::vector<std::string> barred;
  for (const auto& card : cards) {
    if (!machine.usable("dev/" + card)) barred.push_back("/dev/" + card);
  }
  if (!barred.empty()) {
    f.verdict = Verdict::problem;
    f.found = fmt::format("may not be opened by this user: {}", fmt::join(barred, ", "));
    f.remedy = "usermod -aG iocard USER, then log in again";
  } else if (!cards.empty()) {
    f.verdict = Verdict::good;
    f.found = fmt::format("{}", fmt::join(cards, ", "));
  } else {
    f.verdict = Verdict::warning;
    f.found = loaded ? "the module is loaded, but no card is attached" : "not loaded, no card";
    f.remedy = loaded ? "load the card's own module, see `lspci -k` and `dmesg`"
                      : "modprobe the card's driver; only driver: sim needs none";
  }
  return f;
}

Finding check_disk(const Machine& machine) {
  constexpr std::int64_t enough = 1'000'000'000;
  Finding f{.check = "disk", .why = "a recording that finds no room loses frames, and says so"};
  const std::string path = machine.exists("var/lib/hild") ? "var/lib/hild" : "var/tmp";
  const auto free = machine.free_bytes(path);
  if (!free) {
    f.found = "no /" + path;
    return f;
  }
  f.verdict = *free >= enough ? Verdict::good : Verdict::warning;
  f.found = fmt::format("{:.1f} GB free in /{}", static_cast<double>(*free) / 1e9, path);
  if (*free < enough) f.remedy = "make room, or record elsewhere: record: {file: ...}";
  return f;
}

}  // namespace hild::doctor
