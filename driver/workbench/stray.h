/* stray.h - processes that a command leaves running outside of its group: daemons.
 *
 *     stray_adopt();                          before the first command
 *     ... a command runs, and ends ...
 *     stray_end(2, &names);                   names: "4711 (sshd), 4712 (sh)"
 *
 * Whose parent ends becomes a child of vprofiler, whatever session it made for itself, and so all
 * of a command's can be found. They are ended as its group is: SIGTERM, SIGINT, SIGKILL. Where
 * vprofiler itself was killed they are nobody's any more, and are found by a word of their
 * environment, which a process may have taken away.
 */
#ifndef DRIVER_WORKBENCH_STRAY_H
#define DRIVER_WORKBENCH_STRAY_H

#include "base/str.h"

void stray_adopt(void);
/* Every child of another session, and their groups. */
void stray_end(unsigned grace_s, struct str *names);
/* Every process that `mark` ("NAME=value") was in the environment of. */
void stray_end_marked(const char *mark, unsigned grace_s);

#endif
