# The two commands of the README, and what they are made of. The build itself is CMake's.
BUILD ?= build
JOBS ?= $(shell nproc)
PACKAGES = cmake gcc g++ clang make pkg-config python3 libclang-dev libjansson-dev libdw-dev libelf-dev zlib1g-dev

.PHONY: all demo test packages clean
all: $(BUILD)/CMakeCache.txt
	cmake --build $(BUILD) -j$(JOBS)

demo: packages all
	$(BUILD)/bin/vprofiler demo

test: packages all
	ctest --test-dir $(BUILD) --output-on-failure -j$(JOBS)

$(BUILD)/CMakeCache.txt:
	cmake -S . -B $(BUILD)

packages:
	@tools/install_packages.sh $(PACKAGES)

clean:
	rm -rf $(BUILD)
