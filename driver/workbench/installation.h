/* installation.h - where the parts of vprofiler lie that are no part of the command.
 *
 * The parts are found from where the running program lies: installed (bin/, lib/, include/,
 * share/vprofiler/) or in the folder where it was built. Paths are static and valid for the life of
 * the process; NULL where a part is missing.
 */
#ifndef DRIVER_WORKBENCH_INSTALLATION_H
#define DRIVER_WORKBENCH_INSTALLATION_H

const char *installation_runtime(void);        /* libvprof.so.1 */
const char *installation_wrapper(void);        /* libvprof_wrap.so */
const char *installation_recorder(void);       /* libvprof_record.so */
const char *installation_parser(void);         /* libvprof_clang.so */
const char *installation_static_runtime(void); /* libvprof.a */
const char *installation_include(void);        /* the folder of vprof_api.h */
const char *installation_examples(void);       /* the folder of the bundled programs */
const char *installation_ready(void);          /* the folder of the declarations of init --for */

#endif
