/* shared_file.h - a file of the trace folder that all processes of a run map and write.
 *
 *     long fd = shared_file_open("control.shm");          it is made where it is not there
 *
 * A mapped file that gets shorter ends the program with SIGBUS, so one that another user may have
 * made or may write to is refused: -1. VPROF_TRACE_SHARE=1 says that others have their part in the
 * run; then the owner of the folder is trusted too, and modes are as the umask leaves them.
 */
#ifndef RUNTIME_SHARED_FILE_H
#define RUNTIME_SHARED_FILE_H

/* The environment says whether the folder is shared; its name outlives the process. */
void shared_file_configure(const char *directory);
long shared_file_open(const char *name);
/* The same, but a file that is not there is not made: -1. */
long shared_file_find(const char *name);
/* Every file of the trace folder has this mode. */
unsigned shared_file_mode(void);

#endif
