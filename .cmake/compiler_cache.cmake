# SPDX-License-Identifier: Apache-2.0
# Where ccache is installed it is asked first: a second clone, or a branch gone back to, compiles nothing
# twice. What somebody has chosen as launcher stays.
if(HILD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(HILD_CCACHE_PROGRAM ccache)
  mark_as_advanced(HILD_CCACHE_PROGRAM)
  if(HILD_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HILD_CCACHE_PROGRAM})
  endif()
endif()
