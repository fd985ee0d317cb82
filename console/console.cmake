# The files of the page, and the tables and items of a fixture as its example, as a C source of the build folder;
# embed.cmake writes it.
set(console_folder ${PROJECT_SOURCE_DIR}/console)
set(console_example ${PROJECT_SOURCE_DIR}/fixtures/ecommerce)
set(console_source ${PROJECT_BINARY_DIR}/http_console_files.c)
file(GLOB_RECURSE console_names CONFIGURE_DEPENDS RELATIVE ${console_folder}
    ${console_folder}/*.html ${console_folder}/*.css ${console_folder}/*.js ${console_folder}/*.svg)
file(GLOB console_example_names CONFIGURE_DEPENDS RELATIVE ${console_example}
    ${console_example}/tables/*.json ${console_example}/items/*.jsonl)
list(SORT console_names)
list(SORT console_example_names)
list(TRANSFORM console_names PREPEND ${console_folder}/ OUTPUT_VARIABLE console_paths)
list(TRANSFORM console_example_names PREPEND ${console_example}/ OUTPUT_VARIABLE console_example_paths)
list(TRANSFORM console_example_names PREPEND example/)
list(APPEND console_names ${console_example_names})
list(APPEND console_paths ${console_example_paths})
add_custom_command(
    OUTPUT ${console_source}
    COMMAND ${CMAKE_COMMAND} "-DNAMES=${console_names}" "-DPATHS=${console_paths}" -DINTO=${console_source}
            -P ${console_folder}/embed.cmake
    DEPENDS ${console_paths} ${console_folder}/embed.cmake ${PROJECT_SOURCE_DIR}/cmake/pack.cmake
    VERBATIM)
