# Every target does its own set-up: nothing but `make` and a Swift 6 toolchain must be there.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
OUTPUT ?= dist
RELEASE = .build/release
SOURCES = Package.swift Sources Tests examples bench/baseline/Package.swift bench/baseline/Sources

# The commit that --version names: an archive of `make dist` has it in a file.
export FMSG_COMMIT := $(shell cat COMMIT 2>/dev/null || \
	git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help setup build release test demo bench soak generate install uninstall deb try-deb dist \
	lint format clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r name what; do printf '%-14s %s\n' "$$name" "$$what"; done

setup: ## Install what is missing (Debian, Ubuntu)
	@scripts/setup

build: setup ## Build for debugging
	$(SWIFT) build

release: setup ## Build for use, with the Swift runtime inside
	$(SWIFT) build -c release --static-swift-stdlib

test: setup ## Run every test
	$(SWIFT) test

demo: build ## See a conversation of three people over a real host
	@scripts/demo "$$($(SWIFT) build --show-bin-path)"

bench: release ## Measure requests, times, memory, events and transfers against their targets
	@bench/run "$$($(SWIFT) build -c release --static-swift-stdlib --show-bin-path)"

soak: build ## Kill hosts for a minute, and run every test 20 times, then under the sanitizers
	@SWIFT="$(SWIFT)" scripts/soak "$$($(SWIFT) build --show-bin-path)"

install: release ## Install below PREFIX (/usr/local) of DESTDIR
	@scripts/install $(RELEASE) "$(PREFIX)" "$(DESTDIR)"

uninstall: ## Take away what was installed
	@scripts/install --remove $(RELEASE) "$(PREFIX)" "$(DESTDIR)"

deb: release ## Build Debian packages in OUTPUT (dist)
	@scripts/setup dpkg-shlibdeps:dpkg-dev strip:binutils
	@scripts/package-deb $(RELEASE) $(OUTPUT)

try-deb: ## Install, use and remove the packages of OUTPUT in a fresh root (needs root and debootstrap)
	@scripts/try-deb $(OUTPUT)

dist: ## Make a source archive of the last commit in OUTPUT (dist)
	@scripts/source-archive $(OUTPUT)

generate: build ## Make anew what comes from the declarations: completions, man, README, picture
	@"$$($(SWIFT) build --show-bin-path)/generate-reference" .
	@scripts/picture "$$($(SWIFT) build --show-bin-path)" >docs/session.svg

lint: setup ## Check the style of every Swift file
	$(SWIFT) format lint --strict --recursive $(SOURCES)

format: setup ## Bring every Swift file into style
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean: ## Remove what was built
	rm -rf .build bench/out bench/baseline/.build dist
