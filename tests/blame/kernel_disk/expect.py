"""What a request waited for in move_record is the disk, for as long as it neither ran nor could have, by the program's clock
and the kernel's account."""
writes = variant in ("-DWRITE", "-DSYNC")
io = kernel("disk", "move_record")
name = f"disk {truth['disk']}"
expect(io, "no disk")
for node in io:
    expect(node["name"].startswith(name) and node["name"].endswith("(write)" if writes else "(read)"),
           f"it is called {node['name']}")
threads = []
if "-DSYNC" in variant:  # the file system's own threads wait for the disk, too
    threads = kernel("outside", "move_record")
    expect(all(node["name"].startswith(("jbd2", "kworker", "xfs", "btrfs")) for node in threads), "they have other names")
    io += threads + kernel("disk", blamed=True)
near("the disk", whole(io), truth["blocked_share"], 0.03)
lasts("the disk", io, truth["blocked_mean_us"], 0.08 if threads else 0.03)
lasts("move_record", own("move_record"), truth["move_record_mean_us"])
expect(not warned("unknown-wakers"), "the waker is known")
root(["move_record", "pread", "pwrite", "fdatasync"])
