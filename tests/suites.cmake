# Read by CTest when it starts, once per test program, with `room` and `program` set: makes one CTest entry
# `<room>.<suite>` per GoogleTest suite. A suite that has no enabled test makes no entry, for such an entry could not fail.
# The end of the suite's name gives the label; all others are `unit`.

if(NOT EXISTS "${program}")
  add_test("${room}.not_built" "${program}") # fails, and says which program is missing
  return()
endif()
execute_process(
  COMMAND "${program}" --gtest_list_tests
  OUTPUT_VARIABLE listing
  ERROR_VARIABLE listing
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} cannot list its tests:\n${listing}")
endif()

# A listing has lines `Suite.` (or `Instance/Suite.`, `Suite/0.  # TypeParam = …`), each followed by `  Test` lines.
string(REGEX REPLACE "[][;#][^\n]*" "" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
set(suites)
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\. *$")
    set(suite "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^  " AND NOT "${suite}.${line}" MATCHES "DISABLED_")
    list(APPEND suites "${suite}")
  endif()
endforeach()
list(REMOVE_DUPLICATES suites)

foreach(suite IN LISTS suites)
  set(label unit)
  set(timeout 300)
  string(REGEX REPLACE "/[0-9]+$" "" name "${suite}")
  if(name MATCHES "(Property|BadInput|Scene|Docs|Slow)$")
    string(TOLOWER "${CMAKE_MATCH_1}" label)
  endif()
  if(label STREQUAL "slow")
    set(timeout 7200)
  endif()
  add_test("${room}.${suite}" "${program}" "--gtest_filter=${suite}.*" --gtest_brief=1)
  set_tests_properties("${room}.${suite}" PROPERTIES LABELS "${label}" TIMEOUT "${timeout}")
endforeach()
