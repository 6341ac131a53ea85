# SPDX-License-Identifier: Apache-2.0
# hild_add_model(), hild_add_driver() and hild_add_driver_test() of hildConfig.cmake, which says what they make. Within
# the tree they are there too, of the targets hild::model and hild::driver and of where the sources are that they add.

# What is inside stays inside; what is missing is found by the linker, not by the run.
function(hild_add_plugin name library)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE ${library})
  set_target_properties(${name} PROPERTIES
    PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_options(${name} PRIVATE -Wl,--no-undefined -Wl,-z,now -Wl,--exclude-libs,ALL)
endfunction()

function(hild_add_model name)
  hild_add_plugin(${name} hild::model ${ARGN} ${hild_ENTRY})
  # As built-in models are.
  target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo,Release>:-O3>
    -fno-trapping-math $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)
endfunction()

function(hild_add_driver name)
  hild_add_plugin(${name} hild::driver ${ARGN} ${hild_DRIVER_ENTRY})
endfunction()

function(hild_add_driver_test name)
  add_executable(${name} ${ARGN} ${hild_CONFORMANCE}/support/heap_trap.cpp
    ${hild_CONFORMANCE}/cli/main/heap_interposed.cpp)
  target_include_directories(${name} PRIVATE ${hild_CONFORMANCE})
  target_compile_definitions(${name} PRIVATE HILD_HEAP_TRAP=1 HILD_COUNT_HEAP=1)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)  # names in backtraces
  target_link_libraries(${name} PRIVATE hild::driver GTest::gtest_main)
endfunction()
