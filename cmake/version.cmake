# RICOCHET_VERSION, as in 0.1.0+1a2b3c4: the version and, in a git checkout, the commit. Only io/version.cpp is compiled
# with it, so that a commit recompiles one small file.

set(RICOCHET_VERSION "${PROJECT_VERSION}")
execute_process(
  COMMAND git describe --always --abbrev=7
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  RESULT_VARIABLE git_failed)
if(NOT git_failed)
  string(APPEND RICOCHET_VERSION "+${commit}")
endif()
set(git_log "${PROJECT_SOURCE_DIR}/.git/logs/HEAD") # grows with every commit
if(EXISTS "${git_log}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${git_log}")
endif()
