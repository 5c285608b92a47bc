/* title_role.h - what a process is for, by the title that it gave itself.
 *
 *     postgres: walwriter                          postgres: walwriter
 *     postgres: 15/main: bob shop [local] idle     postgres: bob shop
 *     postgres: bob shop 10.0.0.7(4711) SELECT     postgres: bob shop
 *     nginx: worker process is shutting down       nginx: worker process
 *     puma: cluster worker 0: 4711 [shop]          puma: cluster worker
 *     sshd: bob [priv]                             sshd: bob
 *
 * A title is one line whose words go from what stays to what changes. So the role ends before the first word
 * that has a digit or a bracket, is a path or an option, is in capitals (a command that runs), or says what it
 * does just now; a label with a digit and a colon, as of a server's instance, is left out. The first word stays.
 */
#ifndef TRACE_TITLE_ROLE_H
#define TRACE_TITLE_ROLE_H

#include <stdbool.h>

#include "base/str.h"

/* Appends it. False: the title says none, and nothing is appended. */
bool title_role(const char *title, struct str *role);

#endif
