// SPDX-License-Identifier: Apache-2.0
/// The Python client can ask for every kind of change, with all that it has.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cli/main/program.hpp"
#include "exec/change_kinds.hpp"

namespace hild::ctl {
namespace {

constexpr const char* look = R"(
import inspect, sys
sys.path.insert(0, sys.argv[1])
import hild
for line in open(sys.argv[2]):
    keyword, *params = line.split()
    method = getattr(hild.Hild, keyword, None)
    if method is None:
        sys.exit(f"{keyword}: there is no such method")
    has = inspect.signature(method).parameters.values()
    any_name = any(p.kind is p.VAR_KEYWORD for p in has)
    for param in params:
        if not any_name and param not in [p.name for p in has]:
            sys.exit(f"{keyword}: no parameter {param}")
)";

TEST(PythonClient, HasAMethodForEveryKindOfChange) {
  const test::Folder folder;
  std::ofstream script(folder.path("look.py"));
  script << look;
  script.close();
  std::ofstream kinds(folder.path("kinds"));
  for (const exec::ChangeKind& kind : exec::change_kinds()) {
    if (kind.schema.part) continue;
    kinds << kind.schema.keyword;
    for (const exec::FieldInfo& f : kind.fields) kinds << ' ' << f.field.in_json();
    kinds << '\n';
  }
  kinds.close();
  const std::string command = "python3 '" + folder.path("look.py") +
                              "' '" HILD_SOURCE_DIR "/src/cli/ctl/python' '" +
                              folder.path("kinds") + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace
}  // namespace hild::ctl
