// SPDX-License-Identifier: Apache-2.0
/// images FILE: of each step of a recording a line: its frame, when it was due and when it began,
/// in ns of the monotonic clock; for each image group the instant its newest image is of; then all
/// inputs as they were read, and the outputs.
#include <cstdio>

#include "recording/framelog/reader.hpp"

namespace {

class Printer final : public hild::framelog::LogVisitor {
  [[nodiscard]] bool wants(hild::framelog::LogPart part) const override {
    return part == hild::framelog::LogPart::frame;
  }
  void frame(const hild::io::FrameView& record) override {
    if (record.images() == 0) return;
    const hild::io::FrameHeader& h = record.header();
    const std::size_t tick = record.tick_image();
    std::printf("%lld %lld %lld", static_cast<long long>(h.frame), static_cast<long long>(h.due.ns),
                static_cast<long long>(h.start.ns));
    for (const hild::MonoTime t : record.instants(tick)) {
      std::printf(" %lld", static_cast<long long>(t.ns));
    }
    for (const double value : record.image(tick)) std::printf(" %.6g", value);
    for (const double value : record.outputs()) std::printf(" %.6g", value);
    std::printf("\n");
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: images FILE\n", stderr), 1;
  auto file = hild::mcap::FileSource::open(argv[1]);
  if (!file) return std::fprintf(stderr, "images: %s\n", file.error().message.c_str()), 1;
  Printer printer;
  const auto read = hild::framelog::read_log(*file, printer);
  if (!read) return std::fprintf(stderr, "images: %s\n", read.error().message.c_str()), 1;
  return 0;
}
