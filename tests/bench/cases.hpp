// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work to measure in two ways: by time, with Google Benchmark, which gives nanoseconds an item;
/// and by instructions, which do not depend on what else the machine does: `PROGRAM --count CASE
/// ITEMS` does that much of it and nothing else, for valgrind to count (counts.bash).
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace hild::bench {

/// Does so many items, a step or a frame each, from where the call before left off.
using Work = std::function<void(int items)>;
/// Builds what it takes.
using Make = std::function<Work()>;

class Cases {
 public:
  Cases& add(const std::string& name, Make make) {
    all_[name] = std::move(make);
    return *this;
  }

  int main(int count, char** arguments) {
    if (count == 4 && std::string(arguments[1]) == "--count") {
      const auto found = all_.find(arguments[2]);
      if (found == all_.end()) return std::fprintf(stderr, "no case %s\n", arguments[2]), 1;
      found->second()(std::atoi(arguments[3]));
      return 0;
    }
    for (const auto& [name, make] : all_) {
      benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
        const Work work = make();
        for (auto _ : state) work(items);
        state.SetItemsProcessed(state.iterations() * items);
      });
    }
    benchmark::Initialize(&count, arguments);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }

 private:
  static constexpr int items = 1000;  // an iteration
  std::map<std::string, Make> all_;
};

}  // namespace hild::bench
