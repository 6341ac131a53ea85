// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/confine.hpp"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

#include "foreign/contain/child.hpp"

namespace hild::contain {
namespace {

bool close_from(int first, int last) {
  return first > last || ::syscall(SYS_close_range, first, last, 0) == 0;
}

std::string close_descriptors(int but) {
  if (close_from(STDERR_FILENO + 1, but - 1) &&
      close_from(but + 1, std::numeric_limits<int>::max())) {
    return {};
  }
  return fmt::format("its descriptors cannot be closed (close_range: {}; Linux 5.9 is needed)",
                     std::strerror(errno));
}

std::string drop_rights() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, 2> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) {
    return fmt::format("its capabilities cannot be dropped ({})", std::strerror(errno));
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return fmt::format("new privileges cannot be ruled out ({})", std::strerror(errno));
  }
  return {};
}

std::string filter_calls() {
  const int refused = allow_few_system_calls();
  if (refused == 0) return {};
  return fmt::format(
      "the kernel takes no filter of system calls ({}; CONFIG_SECCOMP_FILTER is needed, and a "
      "unit or a container that lets prctl(PR_SET_SECCOMP) through)",
      std::strerror(refused));
}

}  // namespace

std::string confine(int kept) {
  std::string refused;
  const auto note = [&](const std::string& what) {
    if (!what.empty()) refused += (refused.empty() ? "" : "; ") + what;
  };
  note(close_descriptors(kept));
  note(drop_rights());
  note(filter_calls());
  return refused;
}

const std::string& not_confined() {
  static const std::string words = [] {
    const remote::Shared page(remote::Sizes{});
    if (!page.good()) return std::string("there is no memory to try it with");
    auto child = Child::start({.work = Work::attempt}, page);
    if (!child) return child.error().message;
    const auto there = child->reply();
    std::string refused = child->refused();
    const std::string& further = there ? *there : there.error().message;
    if (!further.empty()) refused += (refused.empty() ? "" : "; ") + plain(further);
    return refused;
  }();
  return words;
}

}  // namespace hild::contain
