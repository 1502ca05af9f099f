# The page of report.html: bundled from viewer/ into one file, and compiled into the program. Include it after `rooms`.
#
# Needs node (18 or newer) and npm. The packages that viewer/package-lock.json names are installed once, into
# viewer/node_modules, for all build trees; after that no network is needed. Without them the program is complete but for
# this page: a plain one takes its place (io/report.cpp), and a message says so.

option(RICOCHET_VIEWER "Bundle the viewer into report.html; needs node and npm" ON)
find_program(RICOCHET_NODE NAMES node nodejs)
find_program(RICOCHET_NPM NAMES npm)
mark_as_advanced(RICOCHET_NODE RICOCHET_NPM)

set(viewer "${PROJECT_SOURCE_DIR}/viewer")
set(viewer_lost "report.html will hold the summary and the data of a run, but no replay, no tables and no plots")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${viewer}/package-lock.json")

if(NOT RICOCHET_VIEWER)
  message(STATUS "The viewer is switched off: ${viewer_lost}")
  return()
elseif(NOT RICOCHET_NODE OR NOT RICOCHET_NPM)
  message(STATUS "node or npm is not installed: ${viewer_lost}")
  return()
endif()
execute_process(COMMAND "${RICOCHET_NODE}" --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^v" "" node_version "${node_version}")
if(node_version VERSION_LESS 18)
  message(STATUS "node is version ${node_version}, the viewer needs 18: ${viewer_lost}")
  return()
endif()

# The packages, unless those of this lock file are there. Other build trees may want them at the same time.
set(viewer_stamp "${viewer}/node_modules/.installed")
file(LOCK "${viewer}/.install.lock" GUARD FILE TIMEOUT 600 RESULT_VARIABLE lock_failed)
file(SHA256 "${viewer}/package-lock.json" viewer_packages)
set(installed_packages)
if(EXISTS "${viewer_stamp}")
  file(READ "${viewer_stamp}" installed_packages)
endif()
if(NOT installed_packages STREQUAL viewer_packages)
  message(STATUS "Installing the packages of the viewer")
  execute_process(
    COMMAND "${RICOCHET_NPM}" ci
    WORKING_DIRECTORY "${viewer}"
    OUTPUT_VARIABLE npm_words
    ERROR_VARIABLE npm_words
    RESULT_VARIABLE npm_failed
    TIMEOUT 300)
  if(npm_failed)
    message(WARNING "npm could not install the packages of the viewer: ${viewer_lost}\n${npm_words}")
    return()
  endif()
  file(WRITE "${viewer_stamp}" "${viewer_packages}")
endif()
file(LOCK "${viewer}/.install.lock" RELEASE RESULT_VARIABLE lock_failed)

file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS "${viewer}/src/*")
set(viewer_output "${PROJECT_BINARY_DIR}/viewer")
set(viewer_page "${viewer_output}/report_template.cpp")
add_custom_command(
  OUTPUT "${viewer_page}"
  BYPRODUCTS "${viewer_output}/report_template.html"
  COMMAND "${RICOCHET_NODE}" build.mjs "${viewer_output}"
  DEPENDS ${viewer_sources} "${viewer}/build.mjs" "${viewer}/package.json" "${viewer_stamp}"
  WORKING_DIRECTORY "${viewer}"
  COMMENT "Bundling the viewer"
  VERBATIM)
target_sources(ricochet_io PRIVATE "${viewer_page}")
set_source_files_properties("${viewer_page}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Known to one file, which CMake then keeps out of the unity build.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/ricochet/io/report.cpp" PROPERTIES COMPILE_DEFINITIONS
                                                                                          RICOCHET_VIEWER)

add_test(NAME viewer.types COMMAND "${RICOCHET_NODE}" "${viewer}/node_modules/typescript/bin/tsc" --noEmit --project
                                   "${viewer}")
set_tests_properties(viewer.types PROPERTIES LABELS unit)

# Reports of some scenes in a real browser; skipped where there is none.
add_test(NAME viewer.report COMMAND "${RICOCHET_NODE}" "${viewer}/tests/report_test.mjs" "$<TARGET_FILE:ricochet>")
set_tests_properties(viewer.report PROPERTIES LABELS browser SKIP_RETURN_CODE 77 TIMEOUT 300 PROCESSORS 2)
