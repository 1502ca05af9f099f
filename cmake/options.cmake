# How everything is compiled: the language, the warnings, and floating point that gives the same bits everywhere.
# Targets take all of it by linking `ricochet_options`.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_COLOR_DIAGNOSTICS ON)
set(CMAKE_UNITY_BUILD ${RICOCHET_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0) # all files of a target in one
# The rooms also go into the Python module, a shared library. Hidden symbols keep calls between them direct.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# No -march: the instruction set, and with it every rounding, is the same on every x86-64 machine.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -D_GLIBCXX_ASSERTIONS") # Eigen without any optimisation is 50 times slower

add_library(ricochet_options INTERFACE)
target_include_directories(ricochet_options INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(
  ricochet_options
  INTERFACE -ffp-contract=off
            -fno-math-errno
            -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wno-sign-conversion
            -Wnon-virtual-dtor
            -Wold-style-cast
            -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 gives these from inside inlined Eigen and std::string code (GCC bugs 105651, 105329, 106247), not for ours.
  target_compile_options(ricochet_options INTERFACE -Wno-restrict -Wno-error=array-bounds -Wno-error=stringop-overflow
                                                    -Wno-error=maybe-uninitialized)
endif()

if(RICOCHET_SANITIZE)
  # Lines are all that a report needs (-g1): the rest of what -g writes takes a good part of the time to compile.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_compile_options(ricochet_options INTERFACE ${sanitizers} -Wno-maybe-uninitialized)
  target_link_options(ricochet_options INTERFACE ${sanitizers})
endif()

find_program(RICOCHET_CCACHE ccache)
if(RICOCHET_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RICOCHET_CCACHE}")
endif()

find_program(RICOCHET_MOLD ld.mold)
find_program(RICOCHET_LLD ld.lld)
if(RICOCHET_MOLD)
  target_link_options(ricochet_options INTERFACE -fuse-ld=mold)
elseif(RICOCHET_LLD)
  target_link_options(ricochet_options INTERFACE -fuse-ld=lld)
endif()
target_link_options(ricochet_options INTERFACE -Wl,--as-needed)
