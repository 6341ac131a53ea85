// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/peer.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/doctor/wake.hpp"

namespace hild::doctor {

Finding judge_cyclictest(const std::string& printed) {
  Finding f{.check = "cyclictest", .why = "another program's opinion of the wake latency"};
  long long wakes = 0;
  long long least = 0;
  long long average = 0;
  long long most = 0;
  const auto line = printed.find("T: 0");
  const char* const text = line == std::string::npos ? "" : printed.c_str() + line;
  if (std::sscanf(text, "T: 0 (%*d) P:%*d I:%*d C:%lld Min:%lld Act:%*d Avg:%lld Max:%lld", &wakes,
                  &least, &average, &most) != 4) {
    const auto end = printed.find('\n');
    f.found = "it did not measure" + (printed.empty() ? "" : ": " + printed.substr(0, end));
    return f;
  }
  f.verdict = verdict_of(Duration{most * 1000});
  f.found = fmt::format("min {}, average {}, max {} us in {} wakes", least, average, most, wakes);
  if (f.verdict != Verdict::good) f.remedy = "as for wake_latency";
  return f;
}

std::optional<Finding> measure_by_cyclictest(const rt::ThreadOptions& options, Duration span) {
  const std::string command =
      fmt::format("cyclictest --quiet --mlockall --priority={} --interval=1000 --loops={} {} 2>&1",
                  options.priority, std::max<std::int64_t>(1, span.ns / 1'000'000),
                  options.cpu >= 0 ? fmt::format("--affinity={}", options.cpu) : "");
  std::FILE* const run = ::popen(command.c_str(), "re");
  if (run == nullptr) return std::nullopt;
  std::string printed;
  std::array<char, 512> part;
  while (std::fgets(part.data(), part.size(), run) != nullptr) {
    if (part.front() != '#') printed += part.data();
  }
  const int status = ::pclose(run);
  constexpr int not_found = 127;  // the shell's word for it
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_found) return std::nullopt;
  return judge_cyclictest(printed);
}

}  // namespace hild::doctor
