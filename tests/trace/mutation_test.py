#!/usr/bin/env python3
"""mutation_test.py mutation_tool events.json: make the file and let the tool damage it."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_vtr

with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as top:
    with open(sys.argv[2]) as source:
        make_vtr.make_directory(json.load(source), top)
    os.mkdir(os.path.join(top, "run"))
    sys.exit(subprocess.run([sys.argv[1], os.path.join(top, "100.vtr"),
                             os.path.join(top, "run")]).returncode)
