# The two commands of the README, and what they are made of. The build itself is CMake's.
BUILD ?= build
JOBS ?= $(shell nproc)
PACKAGES = cmake gcc g++ make pkg-config python3 libclang-dev libjansson-dev libdw-dev libelf-dev zlib1g-dev lowdown
TEST_PACKAGES = clang patch

.PHONY: all demo test needed packages clean
all: $(BUILD)/Makefile
	cmake --build $(BUILD) -j$(JOBS)

demo: needed $(BUILD)/Makefile
	cmake --build $(BUILD) -j$(JOBS) --target vprofiler
	$(BUILD)/bin/vprofiler demo

test: packages all
	ctest --test-dir $(BUILD) --output-on-failure -j$(JOBS)

# Not the cache: CMake leaves one behind where it found a package missing.
$(BUILD)/Makefile: | needed
	cmake -S . -B $(BUILD)

needed:
	@tools/install_packages.sh $(PACKAGES)

packages: needed
	@tools/install_packages.sh $(TEST_PACKAGES)

clean:
	rm -rf $(BUILD)
