# Tests of models that other programs provide: compiled Stan models, which are a
# library built here with BridgeStan's interface and, if available or if it can
# be compiled, a real model; and models in other processes.
set(outside ${CMAKE_CURRENT_SOURCE_DIR}/outside)
set(stan_small THREADS="true")
set(stan_alone THREADS="false")
set(stan_old MAJOR=1)
set(stan_older MAJOR=0)
set(stan_lacking WITHOUT_FREE)
foreach(model small alone old older lacking)
  add_library(${model}_model MODULE ${outside}/stan_model.c)
  target_compile_definitions(${model}_model PRIVATE _DEFAULT_SOURCE ${stan_${model}})
  target_link_libraries(${model}_model PRIVATE m)
  set_target_properties(${model}_model PROPERTIES PREFIX "")
  add_dependencies(tests ${model}_model)
endforeach()
cs_test_kind(outside ${CMAKE_CURRENT_BINARY_DIR} 300 test_support)
foreach(name stan process bounds python real_stan)
  add_test(NAME outside/${name} COMMAND sh ${outside}/${name}.sh
    $<TARGET_FILE:chainscope> $<TARGET_FILE_DIR:small_model>
    ${CMAKE_SOURCE_DIR}/assets/models)
endforeach()
set_tests_properties(outside/stan outside/process outside/bounds
  outside/python outside/real_stan
  PROPERTIES LABELS outside TIMEOUT 300 SKIP_RETURN_CODE 77)
# If this test compiles a model, compiling takes a minute on an idle machine.
set_tests_properties(outside/real_stan PROPERTIES TIMEOUT 900)
