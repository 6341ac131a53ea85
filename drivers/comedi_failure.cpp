// SPDX-License-Identifier: Apache-2.0
#include "drivers/comedi_failure.hpp"

#include <cerrno>

#include "drivers/comedi_lines.hpp"

namespace hild::comedi {

void put_into_words(const Failure& failure, const std::filesystem::path& path,
                    fmt::memory_buffer& words) {
  const auto say = [&]<class... Args>(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(fmt::appender(words), "{}: ", path.c_str());
    fmt::format_to(fmt::appender(words), text, std::forward<Args>(args)...);
  };
  const char* const reason = comedi_strerror(failure.error);
  const std::string_view help = remedy(failure.error);
  switch (failure.of) {
    case Failure::Of::nothing:
      return;
    case Failure::Of::instructions:
      if (failure.error != 0) return say("device call failed: {}; {}", reason, help);
      return say("only {} instructions of a device call were carried out; {}", failure.count,
                 remedy(EIO));
    case Failure::Of::start:
      return say("the card did not begin its command: {}; {}", reason, help);
    case Failure::Of::reading:
      return say("cannot read scans, after {} of them: {}; {}", failure.count, reason, help);
    case Failure::Of::ended:
      return say(
          "the card ended its command after {} scans, expected it to go on until the run ends; {}",
          failure.count, help);
    case Failure::Of::overflow:
      return say(
          "the command was stopped after {} scans, since the kernel's buffer was full: scans came "
          "faster than they were read; raise `scans` of `command`, or let the card sample more "
          "slowly",
          failure.count);
    case Failure::Of::stopped:
      return say(
          "the card stopped its command after {} scans by an error of its own, a FIFO that ran "
          "over perhaps; {}, or let it sample more slowly",
          failure.count, help);
  }
}

}  // namespace hild::comedi
