/* stray.h - processes that a command leaves running outside of its group: daemons.
 *
 *     stray_adopt();                          before the first command
 *     ... a command runs, and ends ...
 *     stray_end(2, &names);                   names: "4711 (sshd), 4712 (sh)"
 *
 * A process whose parent ends becomes a child of vprofiler, whatever session it made for itself,
 * and so all of a command's can be found. They are ended as its group is: SIGTERM, SIGINT, SIGKILL.
 * They are nobody's any more where vprofiler itself was killed, and are then found by a word of
 * their environment, which a process may have taken away.
 */
#ifndef DRIVER_WORKBENCH_STRAY_H
#define DRIVER_WORKBENCH_STRAY_H

#include "base/str.h"

void stray_adopt(void);
/* Finds every child of another session, and their groups. */
void stray_end(unsigned grace_s, struct str *names);
/* Finds every process that had `mark` ("NAME=value") in its environment. */
void stray_end_marked(const char *mark, unsigned grace_s);

#endif
