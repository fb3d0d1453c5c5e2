# porf: one Makefile for everything. `make help` lists the targets.
#
#   MODE=release|debug|asan|tsan|cov   what to build; release goes to build/, the others to build/MODE/
#   WERROR=1                           warnings are errors
#   LLVM_CONFIG=…  CLANG=…             another LLVM (16 or newer) than the newest tried one that is installed

MODE ?= release
ifeq ($(origin CC),default)
CC := gcc
endif
CLANG_FORMAT ?= clang-format-19

FLAGS_release := -O3 -g -DNDEBUG
FLAGS_debug := -O0 -g3
FLAGS_asan := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FLAGS_tsan := -O1 -g1 -fsanitize=thread
FLAGS_cov := -O0 -g --coverage -fprofile-update=atomic
ifeq ($(FLAGS_$(MODE)),)
$(error MODE=$(MODE): it is one of release debug asan tsan cov)
endif

B := $(if $(filter release,$(MODE)),build,build/$(MODE))

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wswitch-enum
# Every object can also be part of the shared library, in which nothing but porf.h is seen.
CFLAGS_ALL := -std=c11 -D_GNU_SOURCE $(WARNINGS) $(if $(filter 1,$(WERROR)),-Werror) -Isrc -Iinclude \
              -fPIC -fvisibility=hidden $(FLAGS_$(MODE)) -pthread $(CFLAGS)
LDFLAGS_ALL := $(filter -fsanitize=% --coverage,$(FLAGS_$(MODE))) -pthread $(LDFLAGS)

# LLVM is looked for when porf-cc is built, not before: `make help` works without it.
LLVM_CONFIG ?= $(eval LLVM_CONFIG := $(shell scripts/llvm-config))$(LLVM_CONFIG)
LLVM_BINDIR = $(eval LLVM_BINDIR := $(shell $(LLVM_CONFIG) --bindir))$(LLVM_BINDIR)
LLVM_CFLAGS = -isystem $(shell $(LLVM_CONFIG) --includedir)
LLVM_LIBS = $(shell $(LLVM_CONFIG) --ldflags --libs)
CLANG ?= $(LLVM_BINDIR)/clang

# Where `make install` puts things; DESTDIR stands before all of it.
prefix ?= /usr/local
libdir ?= $(prefix)/lib
VERSION := $(shell sed -n 's/^\#define PORF_VERSION "\(.*\)"/\1/p' src/core/core.h)

# ---------------------------------------------------------------------------------------------- files

LIB_FOLDERS := base core source ir litmus vm graph models checks explore witness parallel cluster futures repair machine report \
               session
LIB_SRC := $(sort $(foreach f,$(LIB_FOLDERS),$(wildcard src/$(f)/*.c src/$(f)/*/*.c src/$(f)/*/*/*.c)))
EMBEDDED := imm armv8 power riscv
CLI_SRC := $(wildcard src/cli/*.c)
API_SRC := $(wildcard src/api/*.c)
DIST_SRC := $(wildcard src/dist/*.c)
FRONT_SRC := $(wildcard src/front/*.c)
FRONT_LIB_SRC := $(wildcard src/ir/*.c src/core/*.c src/base/*.c)
RUNTIME := $(wildcard runtime/runtime.c)

objects = $(patsubst %.c,$(B)/obj/%.o,$(1))

PROGRAMS := $(if $(CLI_SRC),$(B)/porf) $(if $(FRONT_SRC),$(B)/porf-cc)

UNIT_TESTS := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
UNIT_SHARED := $(filter-out tests/unit/test_%.c,$(wildcard tests/unit/*.c))
ORACLE_MAINS := tests/oracle/selftest.c tests/oracle/ask.c
ORACLE_SRC := $(filter-out $(ORACLE_MAINS),$(wildcard tests/oracle/*.c))
DIFF_SRC := $(wildcard tests/diff/*.c) tests/scale/boxes.c $(ORACLE_SRC)
RANKS_SRC := tests/scale/ranks.c tests/scale/boxes.c $(filter-out src/cli/main.c,$(CLI_SRC))
MACHINE_SRC := $(wildcard tests/machine/*.c) $(ORACLE_SRC)
FUZZ_TESTS := $(patsubst tests/fuzz/%.c,build/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
TEST_PROGRAMS := $(UNIT_TESTS) $(B)/tests/oracle-selftest $(B)/tests/oracle \
                 $(if $(wildcard tests/diff/*.c),$(B)/porf-diff) $(B)/porf-machine-diff $(B)/porf-ranks

C_FILES = $(wildcard include/*.h examples/library/*.[ch] examples/tutorial/*.[ch] runtime/*.[ch] runtime/*/*.[ch] src/*/*.[ch] src/*/*/*.[ch] src/*/*/*/*.[ch] tests/unit/*.[ch] \
            tests/oracle/*.[ch] tests/diff/*.[ch] tests/machine/*.[ch] tests/fuzz/*.[ch] tests/scale/*.[ch] tests/install/*.[ch] bench/*.[ch] bench/machine/*.[ch] \
            examples/*.[ch])

# -------------------------------------------------------------------------------------------- targets

.PHONY: lib mpi install uninstall deb all deps demo test test-quick test-long test-unit test-litmus test-diff test-sanitizers test-fuzz test-real test-programs \
        fuzz-programs test-mutants bench bench-cat bench-engines bench-estimate bench-futures bench-jobs bench-processors format format-check layers install-deps clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/libporf.a $(PROGRAMS) ## porf, porf-cc and libporf.a (the default)

mpi: ## porf-mpi, for several machines; installs OpenMPI if there is no MPI
	@scripts/deps mpi
	@$(MAKE) --no-print-directory all $(B)/porf-mpi

lib: $(B)/libporf.so ## the shared library of include/porf.h

demo: ## install what is missing, build, and show a counterexample
	@scripts/deps
	@$(MAKE) --no-print-directory all
	@scripts/demo

test: ## install what is missing (MPI and a browser, too), build, and run every test
	@scripts/deps tests
	@scripts/test

test-quick: ## the tests to run while one works: below 3 minutes on two cores, and nothing is installed
	@scripts/test --quick

test-long: ## every test at full length, with nothing left to a sample: some hours
	@scripts/deps tests
	@scripts/test --long

test-unit: ## unit tests of the library
	@scripts/test unit

test-litmus: ## litmus tests, bugs, programs and the command line
	@scripts/test corpus

test-diff: ## the oracle and the differential tests against it
	@scripts/test oracle diff

test-sanitizers: ## unit tests, part of the corpus and differential tests under sanitizers
	@scripts/test asan

test-fuzz: ## fuzz the readers for a short while
	@scripts/test fuzz

test-real: all ## check real code of Debian packages (liburcu, Concurrency Kit, DPDK); installs liburcu-dev and libck-dev
	@scripts/test-real

test-programs: $(TEST_PROGRAMS) # what scripts/test runs
fuzz-programs: $(FUZZ_TESTS)

test-mutants: all ## leave out one axiom of one model at a time: a test must notice
	@scripts/test-mutants -v

bench: all ## measure the rows of bench/table.txt
	@scripts/bench

bench-estimate: all ## compare estimates with the truth, on the rows of bench/estimate.txt
	@scripts/bench-estimate

bench-engines: all ## is the engine that porf chooses the better one?
	@scripts/bench-engines

bench-processors: all ## measure models of processors beside rc11, on the rows of bench/processors.txt
	@scripts/bench-processors

bench-futures: all ## measure long tests, the rows of bench/futures.txt
	@scripts/bench-futures

bench-jobs: all ## measure what more workers bring
	@scripts/bench-jobs

bench-cat: all ## measure models in files against the native ones
	@scripts/bench-cat

format: ## format all C files
	$(CLANG_FORMAT) -i $(C_FILES)

format-check: ## are all C files formatted?
	@$(CLANG_FORMAT) --dry-run --Werror $(C_FILES)

layers: ## do the includes follow the arrows between the folders?
	@scripts/layers

install: all lib ## install porf, libporf and their documents below prefix (/usr/local)
	@B=$(B) prefix=$(prefix) libdir=$(libdir) DESTDIR=$(DESTDIR) VERSION=$(VERSION) scripts/install

uninstall: ## remove what install has installed
	@B=$(B) prefix=$(prefix) libdir=$(libdir) DESTDIR=$(DESTDIR) VERSION=$(VERSION) scripts/install --remove

deb: all lib ## a Debian package: build/porf_VERSION_ARCH.deb
	@B=$(B) VERSION=$(VERSION) LLVM_CONFIG=$(LLVM_CONFIG) scripts/deb

install-deps: ## install the compilers and libraries that the build and the tests need
	@scripts/deps

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20
	@echo
	@echo "  variables: MODE=release|debug|asan|tsan|cov  WERROR=1  V=1  CC=…  LLVM_CONFIG=…  CLANG=…"

# ------------------------------------------------------------------------------------- library, porf

# One short line for each thing that is made; V=1 shows the commands.
ifndef V
say = @echo "  $(1)  $(patsubst $(CURDIR)/%,%,$(2))" &&
endif

# Objects depend on the flags that they were built with.
FLAGS_NOW := $(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL)
ifneq ($(file <$(B)/flags),$(FLAGS_NOW))
$(shell mkdir -p $(B))
$(file >$(B)/flags,$(FLAGS_NOW))
endif

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(CFLAGS_ALL) $(EXTRA) -MMD -MP -c $< -o $@

# Models of hardware confirm what they found by their definitions in cat/.
$(B)/obj/cat_%.c: cat/%.cat scripts/embed
	@mkdir -p $(@D)
	$(call say,CAT,$@) scripts/embed cat_$* $< >$@

$(B)/obj/cat_%.o: $(B)/obj/cat_%.c $(B)/flags
	$(call say,CC,$<) $(CC) $(CFLAGS_ALL) -c $< -o $@

$(B)/libporf.a: $(call objects,$(LIB_SRC)) $(B)/obj/page.o $(EMBEDDED:%=$(B)/obj/cat_%.o)
	@rm -f $@
	$(call say,AR,$@) $(AR) rcs $@ $^

$(B)/porf: $(call objects,$(CLI_SRC)) $(B)/obj/runtime_ir.o $(B)/obj/force_c.o $(B)/obj/explain_examples.o $(B)/libporf.a
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -lm -o $@

# The same with MPI: the only program that links it.
MPICC ?= mpicc
MPI_CFLAGS = $(shell OMPI_CC=$(CC) $(MPICC) -show -c x.c | tr ' ' '\n' | sed -n 's/^-I/-isystem /p')
$(call objects,$(DIST_SRC)): EXTRA = $(MPI_CFLAGS)

$(B)/porf-mpi: $(call objects,$(DIST_SRC) $(filter-out src/cli/main.c,$(CLI_SRC))) $(B)/obj/runtime_ir.o $(B)/obj/force_c.o \
               $(B)/obj/explain_examples.o $(B)/libporf.a
	$(call say,LD,$@) OMPI_CC=$(CC) MPICH_CC=$(CC) $(MPICC) $(LDFLAGS_ALL) $^ -lm -o $@

# The programs that `porf explain` shows.
$(B)/obj/explain_examples.c: $(wildcard examples/explain/*.c) scripts/embed-examples
	@mkdir -p $(@D)
	@scripts/embed-examples $(wildcard examples/explain/*.c) >$@

$(B)/obj/explain_examples.o: $(B)/obj/explain_examples.c $(B)/flags
	$(call say,CC,$<) $(CC) $(CFLAGS_ALL) -c $< -o $@

# The page of `--format html`, inside the library.
$(B)/obj/page.c: src/report/formats/page.html scripts/embed
	@mkdir -p $(@D)
	@scripts/embed porf_page $< >$@

$(B)/obj/page.o: $(B)/obj/page.c $(B)/flags
	$(call say,CC,$<) $(CC) $(CFLAGS_ALL) -c $< -o $@

# The shared library holds everything but the command line; porf.map says what it shows.
SO_SRC := $(LIB_SRC) $(API_SRC)

$(B)/libporf.so: $(call objects,$(SO_SRC)) $(B)/obj/runtime_ir.o $(B)/obj/page.o $(EMBEDDED:%=$(B)/obj/cat_%.o) \
                 src/api/porf.map
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,libporf.so.0 -Wl,--version-script=src/api/porf.map \
	  -Wl,-z,defs $(filter %.o,$^) -lm -o $@

# The C library that porf gives to checked programs, and what C++ needs beside it, as IR inside the porf binary.
ifneq ($(and $(RUNTIME),$(FRONT_SRC)),)
$(B)/runtime.ir: $(RUNTIME) $(wildcard runtime/*) src/core/assumption.def $(B)/porf-cc
	$(call say,IR,$@) $(B)/porf-cc -o $@ $<
$(B)/runtime_cxx.ir: runtime/library.cpp $(B)/porf-cc
	$(call say,IR,$@) $(B)/porf-cc -o $@ $< -- -std=c++20
else
$(B)/runtime.ir $(B)/runtime_cxx.ir: $(B)/flags
	: >$@
endif

$(B)/obj/runtime_ir.c: $(B)/runtime.ir $(B)/runtime_cxx.ir scripts/embed
	@mkdir -p $(@D)
	$(call say,IR,$@) scripts/embed porf_runtime_ir $(B)/runtime.ir >$@
	@scripts/embed porf_runtime_cxx_ir $(B)/runtime_cxx.ir >>$@

# What `porf replay --gdb` links to programs, as text.
$(B)/obj/force_c.c: runtime/native/force.c scripts/embed
	@mkdir -p $(@D)
	$(call say,IR,$@) scripts/embed porf_force_c $< >$@

$(B)/obj/runtime_ir.o $(B)/obj/force_c.o: %.o: %.c $(B)/flags
	$(call say,CC,$<) $(CC) $(CFLAGS_ALL) -c $< -o $@

# -------------------------------------------------------------------------------------------- porf-cc

$(call objects,$(FRONT_SRC)): EXTRA = $(LLVM_CFLAGS) -DPORF_CLANG='"$(CLANG)"'
$(call objects,$(CLI_SRC)): EXTRA = -DPORF_CLANG='"$(CLANG)"'

$(B)/porf-cc: $(call objects,$(FRONT_SRC) $(FRONT_LIB_SRC))
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ $(LLVM_LIBS) -lstdc++ -lm -o $@

# ---------------------------------------------------------------------------------------------- tests

# Tests keep their assertions in every mode.
$(call objects,$(wildcard tests/*/*.c)): EXTRA = -Itests -UNDEBUG

$(UNIT_TESTS): $(B)/tests/%: $(B)/obj/tests/unit/%.o $(call objects,$(UNIT_SHARED)) $(B)/libporf.a
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -lm -o $@

$(B)/tests/oracle-selftest: $(call objects,tests/oracle/selftest.c $(ORACLE_SRC))
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -o $@

$(B)/tests/oracle: $(call objects,tests/oracle/ask.c $(ORACLE_SRC))
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -o $@

$(B)/porf-diff: $(call objects,$(DIFF_SRC)) $(B)/libporf.a
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -lm -o $@

$(B)/porf-ranks: $(call objects,$(RANKS_SRC)) $(B)/obj/runtime_ir.o $(B)/obj/force_c.o $(B)/obj/explain_examples.o $(B)/libporf.a
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -lm -o $@

$(B)/porf-machine-diff: $(call objects,$(MACHINE_SRC)) $(B)/libporf.a
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -lm -o $@

# Programs that leave out what PORF_DROP says (base/mutant.h): scripts/test-mutants.
MUTANT_SRC := $(shell grep -lE 'mutant_drops|\bdrops ."' $(LIB_SRC))
MUTANT_OBJECTS := $(MUTANT_SRC:%.c=build/mutants/obj/%.o)
build/mutants/obj/%.o: %.c build/flags
	@mkdir -p $(@D)
	$(call say,CC,$< (mutants)) $(CC) $(CFLAGS_ALL) -DPORF_MUTANTS -MMD -MP -c $< -o $@
build/mutants/test_%: build/obj/tests/unit/test_%.o $(MUTANT_OBJECTS) build/libporf.a
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -lm -o $@
build/mutants/porf-diff: $(call objects,$(DIFF_SRC)) $(MUTANT_OBJECTS) build/libporf.a
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $^ -lm -o $@
build/mutants/porf: $(call objects,$(CLI_SRC)) build/obj/runtime_ir.o build/obj/force_c.o build/obj/explain_examples.o \
                    $(MUTANT_OBJECTS) build/libporf.a build/porf-cc
	@ln -sf ../porf-cc build/mutants/porf-cc
	$(call say,LD,$@) $(CC) $(LDFLAGS_ALL) $(filter-out build/porf-cc,$^) -lm -o $@

# The fuzzers are built with clang, the library once for all of them, so that all of it is instrumented.
FUZZ_FLAGS := -std=c11 -D_GNU_SOURCE -O1 -g1 -Isrc -Iinclude -Itests -pthread -fsanitize=address,undefined
FUZZ_OBJECTS := $(patsubst %.c,build/fuzz/obj/%.o,$(LIB_SRC) src/cli/replay_show.c) \
                $(patsubst build/obj/%.c,build/fuzz/obj/%.o,build/obj/page.c $(EMBEDDED:%=build/obj/cat_%.c))
FUZZ_CC = $(call say,CC,$< (fuzz)) $(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@
build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC)
build/fuzz/obj/%.o: build/obj/%.c
	@mkdir -p $(@D)
	$(FUZZ_CC)
build/fuzz/libporf.a: $(FUZZ_OBJECTS)
	@rm -f $@
	$(call say,AR,$@) $(AR) rcs $@ $^
build/fuzz/%: build/fuzz/obj/tests/fuzz/%.o build/fuzz/libporf.a
	$(call say,LD,$@) $(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer $^ -lm -o $@

-include $(patsubst %.o,%.d,$(call objects,$(LIB_SRC) $(CLI_SRC) $(API_SRC) $(DIST_SRC) $(FRONT_SRC) $(wildcard tests/*/*.c)) \
           $(MUTANT_OBJECTS) $(FUZZ_OBJECTS) $(patsubst %.c,build/fuzz/obj/%.o,$(wildcard tests/fuzz/*.c)))
