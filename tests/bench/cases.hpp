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
  /// `items` in an iteration: fewer where an item takes milliseconds.
  Cases& add(const std::string& name, Make make, int items = 1000) {
    all_[name] = {std::move(make), items};
    return *this;
  }

  int main(int count, char** arguments) {
    if (count == 4 && std::string(arguments[1]) == "--count") {
      const auto found = all_.find(arguments[2]);
      if (found == all_.end()) return std::fprintf(stderr, "no case %s\n", arguments[2]), 1;
      found->second.make()(std::atoi(arguments[3]));
      return 0;
    }
    for (const auto& [name, one] : all_) {
      benchmark::RegisterBenchmark(name.c_str(), [&one = one](benchmark::State& state) {
        const Work work = one.make();
        for (auto _ : state) work(one.items);
        state.SetItemsProcessed(state.iterations() * one.items);
      });
    }
    benchmark::Initialize(&count, arguments);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }

 private:
  struct Case {
    Make make;
    int items;  // an iteration
  };
  std::map<std::string, Case> all_;
};

}  // namespace hild::bench
