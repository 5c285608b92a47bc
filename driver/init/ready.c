#include "driver/init/ready.h"

#include <stddef.h>

#include "base/file.h"
#include "driver/workbench/installation.h"

const char *const ready_names[] = {"nginx",      "httpd", "redis",    "memcached",
                                   "postgresql", "libuv", "libevent", NULL};

bool ready_read(const char *name, struct str *declaration, struct str *script, struct error *error)
{
    struct str path = {0}, below = {0};
    const char *folder = installation_ready();
    bool ok = folder || error_set(error, ERROR_SYSTEM,
                                  "The folder of ready declarations is missing. Install vprofiler "
                                  "again, or build it with make.");
    if (ok) {
        str_printf(&below, "%s/vprofiler.json", name);
        path_join(&path, folder, below.data);
        ok = file_read(declaration, path.data, error);
        str_clear(&below);
        str_printf(&below, "%s/build.sh", name);
        path_join(&path, folder, below.data);
        ok = ok && (!file_exists(path.data) || file_read(script, path.data, error));
    }
    str_release(&path);
    str_release(&below);
    return ok;
}
