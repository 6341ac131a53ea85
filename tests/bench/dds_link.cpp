// SPDX-License-Identifier: Apache-2.0
/// What an exchange of the driver dds takes, with as many values from a node as to others.
///     dds_link VALUES TICKS
/// The page is real, and nobody is at its other end but this program, which writes a new image of
/// the node before each exchange. For callgrind, which counts what is in tick() and no kernel: the
/// one system call of an exchange wakes nobody here.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "drivers/dds_device.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::bench {
namespace {

[[gnu::noinline]] bool tick(io::Device& device, std::span<const double> outputs,
                            std::span<double> inputs, std::span<MonoTime> sampled) {
  return device.exchange(outputs, inputs, sampled);
}

void add_values(dds::DdsDevice& device, std::size_t values) {
  for (std::size_t i = 0; i < values; ++i) {
    const std::string name = "s" + std::to_string(i);
    test::FakeOptions in({{"node", "other"}, {"signal", name}});
    test::FakeOptions out({{"signal", name}});
    if (!device.add(io::Direction::input, in) || !device.add(io::Direction::output, out)) {
      std::exit(1);
    }
  }
}

int measure(std::size_t values, int ticks) {
  Descriptor file;
  dds::Page page = *dds::Page::make(file);
  const dds::Page other_end = *dds::Page::map(file.get());
  dds::Settings settings;
  settings.task.node = std::string_view("this");
  dds::DdsDevice device(std::move(settings), std::move(page), std::move(file));
  add_values(device, values);
  const auto clock = *rt::make_clock(rt::ClockKind::sleep, {});
  device.join(*clock);

  dds::TwoImages image = other_end.images(std::array{values}).front();
  std::vector<double> fresh(values, 0.5);
  const std::vector<double> outputs(values, 0.25);
  std::vector<double> inputs(values);
  double sum = 0;
  for (int n = 1; n <= ticks; ++n) {
    const MonoTime now = clock->now();
    fresh.back() = n;
    image.write(std::array{dds::as_word(n), dds::as_word(now.ns)}, fresh);
    std::array sampled{now};
    if (!tick(device, outputs, inputs, sampled)) return 1;
    sum += inputs.back();
  }
  const double expected = 0.5 * ticks * (ticks + 1);
  std::printf("values %zu, ticks %d\n", values, ticks);
  return sum == expected && other_end.head().written.rung() == static_cast<unsigned>(ticks) ? 0 : 1;
}

}  // namespace
}  // namespace hild::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: dds_link VALUES TICKS\n", stderr);
    return 1;
  }
  return hild::bench::measure(std::strtoul(argv[1], nullptr, 10), std::atoi(argv[2]));
}
