# The two commands of the README, and what they are made of. The build itself is CMake's.
BUILD ?= build
JOBS ?= $(shell nproc)
PACKAGES = cmake gcc g++ make pkg-config python3 libclang-dev libjansson-dev libdw-dev libelf-dev libcapstone-dev zlib1g-dev libprotobuf-c-dev protobuf-c-compiler libxxhash-dev lowdown
# Of the tests; what only a few of them need, and is large, these leave out and name.
TEST_PACKAGES = clang libclang-rt-dev libomp-dev patch graphviz groff-base dpkg-dev file
# For example -DVPROFILER_WERROR=ON.
CMAKE_OPTIONS ?=

.PHONY: all demo test needed packages clean
all: $(BUILD)/Makefile
	cmake --build $(BUILD) -j$(JOBS)

# All that is installed, too: `cmake --install` comes after this as after `make`.
demo: needed $(BUILD)/Makefile
	cmake --build $(BUILD) -j$(JOBS) --target installed
	$(BUILD)/bin/vprofiler demo

test: packages all
	tests/all.sh $(BUILD) $(JOBS)

# Not the cache: CMake leaves one behind where it found a package missing.
$(BUILD)/Makefile: | needed
	cmake -S . -B $(BUILD) $(CMAKE_OPTIONS)

needed:
	@tools/install_packages.sh $(PACKAGES)

packages: needed
	@tools/install_packages.sh $(TEST_PACKAGES)

clean:
	rm -rf $(BUILD)
