# SPDX-License-Identifier: Apache-2.0
# The seconds that each test takes on two quiet cores, rounded up. CTest starts the longest test first, and `./dev test` estimates its total time
# from these numbers. The time limit of a test is ten times its seconds and at least 20 minutes. It ends a test that hangs; it does not test speed.
set(sepx_seconds
  test_cli 120  test_workbench 110  test_exhibits 60  test_kill 60  docs_first_change 60
  test_train 40  test_windows 30  test_studio_inspector 30  test_dialogs 30  test_studies 20  test_studio_files 20
  test_gpu 20  test_pointer 20  test_soak 40  test_app 20  test_render 15  test_checkpoint 15
  monkey_walks 30  faults_short 150  quiet_programs 60
  docs_recipes 900  test_locale_all 400  test_studies_long 900  test_train_long 300  test_workbench_long 400  test_cli_long 500  test_kill_long 600  test_soak_long 4000  test_lecture_soak 200  monkey_walks_long 2400
  faults_inspect 300  faults_scores 300  faults_state 300  faults_save 1500  faults_svg 1900  faults_pdf 100  faults_page 250  faults_pack 900
  faults_png 600  faults_gpu 600  faults_csv 300  faults_npz 300  faults_film 600  faults_matrix 300  faults_metrics 200  faults_saved 200  faults_studio 900  faults_stage 300  faults_windows 40
  faults_answers 1800  faults_train 900  faults_resume 900  faults_library 300  faults_every_inspect 900  faults_every_export 30  quiet_hour 4000)

# sepx_limit(NAME): sets the time limit of a test that add_test created in this folder. A test without an entry takes at most 10 seconds.
function(sepx_limit name)
  set(seconds 10)
  list(FIND sepx_seconds ${name} at)
  if(NOT at EQUAL -1)
    math(EXPR at "${at} + 1")
    list(GET sepx_seconds ${at} seconds)
  endif()
  math(EXPR limit "10 * ${seconds}")
  if(limit LESS 1200)
    set(limit 1200)
  endif()
  set_tests_properties(${name} PROPERTIES COST ${seconds} TIMEOUT ${limit})
  get_test_property(${name} LABELS labels)
  string(REPLACE ";" "," labels "${labels}")
  file(APPEND ${CMAKE_BINARY_DIR}/test_seconds.txt "${name} ${seconds} ${labels}\n")
endfunction()
file(WRITE ${CMAKE_BINARY_DIR}/test_seconds.txt "")
