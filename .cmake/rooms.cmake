# SPDX-License-Identifier: Apache-2.0
# One library a folder of a room; links follow the arrows of docs/architecture.md and point down only.
# Sources are found by folder, so that a new method, model or driver touches no list.

# hild_room(NAME [OBJECT] FOLDER folder... DEPENDS target...)
function(hild_room name)
  cmake_parse_arguments(R "OBJECT" "" "FOLDER;DEPENDS" ${ARGN})
  set(sources)
  foreach(folder ${R_FOLDER})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  # What registers itself must be linked whole: objects, not an archive.
  if(R_OBJECT)
    add_library(hild_${name} OBJECT ${sources})
  else()
    add_library(hild_${name} STATIC ${sources})
  endif()
  target_link_libraries(hild_${name} PUBLIC hild_flags ${R_DEPENDS})
  hild_unity(hild_${name} 6)
endfunction()

# Most of a small file's time goes to the headers it includes: a few files of a room at a time are compiled
# as one, which reads these once. Names in unnamed namespaces are therefore of the room, not of the file.
# What a program does not use of them its linker leaves out all the same, where it is asked to.
function(hild_unity target files)
  if(HILD_UNITY)
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
    if(HILD_UNITY STREQUAL "WHOLE")
      set(files 0)  # all of them
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()

# What runs once, around a run, need not be optimised in earnest: option parsers take long to compile.
function(hild_runs_once target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()

hild_room(core FOLDER src/core DEPENDS fmt::fmt tl::expected hild_udunits)
hild_room(mcap FOLDER src/recording/mcap DEPENDS hild_core hild_deflate hild_zstd)
hild_room(rpc FOLDER src/control/rpc DEPENDS hild_core Boost::json)
hild_room(rt FOLDER src/rt DEPENDS hild_core Threads::Threads)
hild_room(confined FOLDER src/rt/confined DEPENDS hild_rt)
hild_room(io FOLDER src/io DEPENDS hild_rt)
hild_room(guard FOLDER src/io/guard DEPENDS hild_io)
hild_room(doctor FOLDER src/cli/doctor DEPENDS hild_rt)
hild_room(numerics FOLDER src/numerics DEPENDS hild_core Eigen3::Eigen)
hild_room(analysis FOLDER src/numerics/analysis DEPENDS hild_numerics)
hild_room(model FOLDER src/model DEPENDS hild_numerics)
hild_room(coupled FOLDER src/model/coupled DEPENDS hild_model)
hild_room(tabulated FOLDER src/model/tabulated DEPENDS hild_model)
hild_room(calculated FOLDER src/model/calculated DEPENDS hild_model hild_muparser)
hild_room(bond FOLDER src/model/bond DEPENDS hild_model)
hild_room(reference FOLDER src/offline/reference DEPENDS hild_model)
hild_room(plugin FOLDER src/foreign/plugin DEPENDS hild_model hild_io ${CMAKE_DL_LIBS})
hild_room(examine FOLDER src/foreign/examine DEPENDS hild_model hild_rt)
hild_room(remote FOLDER src/foreign/remote DEPENDS hild_model hild_rt)
hild_room(fmi FOLDER src/foreign/fmi DEPENDS hild_model)
hild_room(fmu FOLDER src/foreign/fmu DEPENDS hild_fmi hild_plugin hild_rt hild_zip pugixml::pugixml ${CMAKE_DL_LIBS})
hild_room(contain FOLDER src/foreign/contain DEPENDS hild_remote hild_fmu hild_plugin hild_examine hild_confined)
hild_room(models OBJECT FOLDER src/model/builtin DEPENDS hild_model)
# What drivers of a CAN bus are made of; nothing of it registers itself.
hild_room(can FOLDER drivers/can DEPENDS hild_flags)
target_include_directories(hild_can PUBLIC ${PROJECT_SOURCE_DIR})
hild_room(dbc FOLDER drivers/dbc DEPENDS hild_can hild_core)
hild_room(dds FOLDER drivers/dds DEPENDS hild_confined hild_io)
target_include_directories(hild_dds PUBLIC ${PROJECT_SOURCE_DIR})
hild_room(drivers OBJECT FOLDER drivers DEPENDS hild_io hild_can hild_dbc hild_dds hild_comedi)
target_include_directories(hild_drivers PUBLIC ${PROJECT_SOURCE_DIR})
hild_room(exec FOLDER src/exec DEPENDS hild_model hild_io)
# The parts of a frame are called from one place each: seen at once they become one function.
hild_unity(hild_exec 0)
hild_unity(hild_io 0)
# Around the models vectors are short: a plain loop over a handful of doubles costs less than a call
# to memcpy or the prologue of a vectorised loop; nor is one worth being aligned. Models may have long
# ones. What a virtual call calls is not guessed: the guess would be wrong in most runs.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(room io exec)
    target_compile_options(hild_${room} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns> -fno-tree-vectorize -fno-align-loops
      -fno-devirtualize-speculatively)
  endforeach()
endif()
# Rounding to a count is one instruction when nobody asks for errno.
target_compile_options(hild_drivers PRIVATE -fno-math-errno)
# Nothing is vectorised here either: a pair of states that were just stored one by one must reach the
# cache before it can be loaded as a pair. No operation traps: what depends on parameters alone may be
# computed before it is known to be wanted.
set(hild_model_options $<$<CONFIG:RelWithDebInfo,Release>:-O3> -fno-trapping-math
  $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)
target_compile_options(hild_models PRIVATE ${hild_model_options})

hild_room(config FOLDER src/config DEPENDS hild_exec hild_coupled hild_tabulated hild_bond hild_calculated hild_contain hild_fmu hild_plugin yaml-cpp Boost::json)
hild_room(terminal FOLDER src/cli/terminal DEPENDS hild_config CLI11::CLI11)
hild_room(sequence FOLDER src/control/sequence DEPENDS hild_config Boost::json pugixml::pugixml)
hild_room(plan FOLDER src/config/plan DEPENDS hild_config hild_contain hild_examine Boost::json)
hild_runs_once(hild_confined)
hild_runs_once(hild_dbc)
hild_runs_once(hild_dds)
hild_runs_once(hild_analysis)
hild_runs_once(hild_doctor)
hild_runs_once(hild_config)
hild_runs_once(hild_terminal)
hild_runs_once(hild_sequence)
hild_room(advise FOLDER src/offline/advise DEPENDS hild_plan hild_reference hild_analysis Eigen3::Eigen)
hild_runs_once(hild_advise)
# Where Spectra's vectors grow, gcc 12 takes them to be used after they were freed.
set_source_files_properties(src/offline/advise/krylov.cpp PROPERTIES
  COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-use-after-free>)
hild_room(record FOLDER src/recording/record DEPENDS hild_exec spdlog::spdlog hild_systemd)
hild_room(framelog FOLDER src/recording/framelog DEPENDS hild_record hild_config hild_mcap Boost::json)
# A log says what it was recorded by.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
target_compile_definitions(hild_framelog PRIVATE
  HILD_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
  HILD_COMPILE_FLAGS="${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} -ffp-contract=off")
hild_room(replay FOLDER src/offline/replay DEPENDS hild_framelog hild_plan hild_reference)
hild_room(join FOLDER src/recording/join DEPENDS hild_framelog)
hild_room(convert FOLDER src/recording/convert DEPENDS hild_framelog hild_hdf5 Boost::json)
hild_room(report FOLDER src/cli/report
  DEPENDS hild_analysis hild_config hild_framelog hild_join hild_record hild_plan hild_advise Boost::json)
hild_runs_once(hild_report)

hild_room(nodes FOLDER src/control/nodes DEPENDS hild_io)
hild_room(server FOLDER src/control/server DEPENDS hild_rpc hild_nodes hild_config hild_record Boost::json)
hild_assets(hild_server FOLDER ${PROJECT_SOURCE_DIR}/src/control/server/page ${uplot_served}
  HEADER control/server/assets.hpp NAMESPACE hild::server)

# Long files: a touched one is to be compiled again within seconds.
foreach(room analysis advise models)
  hild_unity(hild_${room} 3)
endforeach()

# A program with every built-in model and driver.
function(hild_program name)
  add_executable(${name} ${ARGN} $<TARGET_OBJECTS:hild_models> $<TARGET_OBJECTS:hild_drivers>)
  target_link_libraries(${name} PRIVATE hild_report hild_convert hild_replay hild_reference hild_config hild_record hild_plan hild_exec
    hild_model hild_io hild_dbc hild_can hild_dds hild_comedi)
endfunction()

file(GLOB main_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/main/*.cpp)
hild_program(hild ${main_sources})
target_link_libraries(hild PRIVATE hild_terminal hild_systemd hild_server hild_sequence hild_guard hild_doctor)
hild_assets(hild FOLDER ${PROJECT_SOURCE_DIR}/src/cli/main/new_project
  HEADER cli/main/new_project.hpp NAMESPACE hild::commands)
hild_unity(hild 6)
hild_runs_once(hild)
target_compile_definitions(hild PRIVATE HILD_VERSION="${PROJECT_VERSION}")

# What a model that is not trusted runs in: the built-in models, and what loads others.
add_executable(hild_model_server src/cli/main/model_server/main.cpp src/cli/main/heap_calls.cpp
  src/cli/main/heap_interposed.cpp $<TARGET_OBJECTS:hild_models>)
set_target_properties(hild_model_server PROPERTIES OUTPUT_NAME hild-model)
target_link_libraries(hild_model_server PRIVATE hild_contain)
target_link_options(hild_model_server PRIVATE -Wl,--as-needed -Wl,--gc-sections)
hild_runs_once(hild_model_server)
add_dependencies(hild hild_model_server)

# What nodes tell each other over DDS, by Cyclone's compiler of IDL: C, with warnings of its own. Here and not
# in the build, so that what reads sources alone finds the header.
set(idl ${PROJECT_BINARY_DIR}/idl)
set(nodes ${PROJECT_SOURCE_DIR}/drivers/dds/hild_nodes.idl)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nodes})
if(${nodes} IS_NEWER_THAN ${idl}/hild_nodes.h)
  file(MAKE_DIRECTORY ${idl})
  execute_process(COMMAND ${IDLC} -o ${idl} ${nodes} COMMAND_ERROR_IS_FATAL ANY)
endif()
add_library(hild_idl STATIC ${idl}/hild_nodes.c)
target_include_directories(hild_idl SYSTEM PUBLIC ${idl})
target_link_libraries(hild_idl PUBLIC hild_cyclonedds)

# The gateway of devices of the driver dds: Cyclone DDS is in no other program.
file(GLOB gateway_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/drivers/dds/gateway/*.cpp)
add_executable(hild_dds_gateway ${gateway_sources})
set_target_properties(hild_dds_gateway PROPERTIES OUTPUT_NAME hild-dds)
target_link_libraries(hild_dds_gateway PRIVATE hild_dds hild_idl)
target_link_options(hild_dds_gateway PRIVATE -Wl,--as-needed -Wl,--gc-sections)
add_dependencies(hild hild_dds_gateway)
include(GNUInstallDirs)
install(TARGETS hild_model_server hild_dds_gateway RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/hild)
install(FILES ${PROJECT_SOURCE_DIR}/drivers/dds/hild_nodes.idl DESTINATION ${CMAKE_INSTALL_DATADIR}/hild)

# The client: what it takes of the rooms below is words and files, nothing that runs a plant.
hild_room(ctl FOLDER src/cli/ctl DEPENDS hild_terminal hild_rpc hild_sequence hild_report Boost::json)
hild_runs_once(hild_ctl)
add_executable(hildctl src/cli/ctl/program/main.cpp)
target_link_libraries(hildctl PRIVATE hild_ctl)
target_compile_definitions(hildctl PRIVATE HILD_VERSION="${PROJECT_VERSION}")
hild_runs_once(hildctl)
target_link_options(hildctl PRIVATE -Wl,--as-needed -Wl,--gc-sections)
include(GNUInstallDirs)
install(TARGETS hildctl RUNTIME)
# Below a prefix of one's own, for PYTHONPATH; the package has it where Python looks (package.cmake).
install(FILES src/cli/ctl/python/hild.py DESTINATION ${CMAKE_INSTALL_DATADIR}/hild/python
  COMPONENT prefix)
# Where a sanitizer owns the allocator, nobody counts its calls.
if(HILD_SANITIZE)
  set(count_heap 0)
else()
  set(count_heap 1)
endif()
foreach(program hild hild_model_server)
  target_compile_definitions(${program} PRIVATE HILD_COUNT_HEAP=${count_heap})
endforeach()
