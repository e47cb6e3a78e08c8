# Build, install and try gpu_advisor.
#
#   make demo      install what is missing, build, start a private server, show a recommendation
#   make demo-console, make demo-dashboard  the examples to look at, on loopback (PORT=8080)
#   make check     every test (tools/check PART runs one part; make check-clients: the real clients alone)
#   make check-versions  PostgreSQL 15, 17 and 18, each in a Debian of its own (VERSIONS="17 18"; as root)
#   make check-package   the archive and the Debian package, built twice and tried (as root)
#   make check-sqlsmith  random queries by SQLsmith for MINUTES (5), from SEED (1)
#   make bench     measures, and writes bench/results (bench/README.md)
#   make           build against the PostgreSQL that PG_CONFIG names
#   make install   install into that PostgreSQL
#   make installcheck  the regression tests against a server where it is installed (PGHOST, PGUSER, ...)
#   make dist      the archive for PGXN, build/gpu_advisor-VERSION.zip
#
# Variables: PG_CONFIG, CXX (g++ or clang++), WERROR=1 (warnings are errors).

EXTENSION  := gpu_advisor
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" $(EXTENSION).control)

# Everything here runs without PostgreSQL's build files: a script installs what it needs first.
SCRIPT_GOALS := demo demo-console demo-dashboard demo-stop check check-unit check-sql check-style check-clients check-browser check-versions check-package check-sqlsmith bench format tidy coverage check-sanitize dist clean distclean

# Without a PG_CONFIG of the user's own the choice is made in one place, for the scripts as well.
ifndef PG_CONFIG
PG_CONFIG := $(shell bash -c '. tools/common.sh && find_pg_config')
endif
PGXS := $(if $(PG_CONFIG),$(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null)))
export PG_CONFIG

.PHONY: all install uninstall installcheck data stage $(SCRIPT_GOALS)
.DEFAULT_GOAL := all

# PGXS has a target named check of its own, so it stays out where a script does the work.
ifneq (,$(filter $(SCRIPT_GOALS),$(MAKECMDGOALS)))
need_scripts := yes
endif

ifneq (,$(need_scripts)$(if $(PGXS),,no-pgxs))

demo:
	@tools/demo
demo-console demo-dashboard:
	@tools/demo $(@:demo-%=%)
demo-stop:
	@tools/server stop demo
check:
	@tools/check
check-unit check-sql check-style:
	@tools/check $(@:check-%=%)
check-clients check-browser:
	@tools/check extra $(@:check-%=%)
check-versions:
	@tools/versions $(VERSIONS)
check-package:
	@tools/package
check-sqlsmith:
	@test/sqlsmith/check $(MINUTES) $(SEED)
bench:
	@tools/setup build
	@bench/run
format:
	@tools/check format
tidy coverage:
	@tools/check $@
check-sanitize:
	@tools/check sanitize
dist:
	@mkdir -p build
	git archive --format=zip --prefix=$(EXTENSION)-$(EXTVERSION)/ -o build/$(EXTENSION)-$(EXTVERSION).zip HEAD
	@echo build/$(EXTENSION)-$(EXTVERSION).zip
clean:
	@tools/server clean
	rm -rf $(filter-out build/sysroot build/versions,$(wildcard build/*)) $(EXTENSION).so $(EXTENSION).dylib $(EXTENSION)--$(EXTVERSION).sql
distclean: clean
	rm -rf build

# Asked for together with a script's goal, or before PGXS is there: prepare, then come back.
# The PG_CONFIG that was looked up may be empty or stale by then, so it is looked up again.
all install uninstall installcheck data stage:
	@tools/setup build
	@$(if $(filter file,$(origin PG_CONFIG)),env -u PG_CONFIG) $(MAKE) --no-print-directory $@

else

MODULE_big := $(EXTENSION)
OBJS       := $(patsubst %.cpp,build/obj/%.o,$(sort $(wildcard src/core/*.cpp src/pg/*.cpp)))
DATA       := $(wildcard $(EXTENSION)--*--*.sql)
DATA_built := $(EXTENSION)--$(EXTVERSION).sql
REGRESS      := $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
REGRESS_OPTS := --outputdir=build/regress

SYSROOT := $(wildcard build/sysroot/usr)

# The server's headers are taken as system headers: up to PostgreSQL 15 they use `register`.
# The same bytes wherever it is built: no path of the build gets into the debugging information.
PG_CPPFLAGS := -ffile-prefix-map=$(CURDIR)=. -DGPU_ADVISOR_VERSION=$(EXTVERSION) -Isrc -DFMT_HEADER_ONLY -isystem $(shell $(PG_CONFIG) --includedir-server) \
	$(if $(SYSROOT),-isystem $(SYSROOT)/include)
PG_CXXFLAGS := -std=c++20 -fvisibility=hidden -fvisibility-inlines-hidden -Wall -Wextra \
	$(if $(findstring clang,$(CXX)),-Wno-unknown-warning-option)
# PGXS links with the C compiler. The version script hides what -fvisibility cannot: templates of
# namespace std, which would otherwise be shared with other C++ extensions in the same backend.
SHLIB_LINK := -lstdc++
ifeq ($(shell uname -s),Linux)
SHLIB_LINK += -Wl,--version-script=src/pg/exports.map
endif

# Bitcode for the JIT would be compiled without PG_CXXFLAGS, which fails for C++20.
override with_llvm = no
# PGXS assigns CXX; one from the environment counts as much as one from the command line.
ifneq (,$(filter environment,$(origin CXX)))
override CXX := $(CXX)
endif

include $(PGXS)

# Objects live in build/. They are compiled again when the compiler, its flags or the server
# change (build/obj/flags), and once more when warnings become errors (build/obj/werror, which a
# compilation without WERROR removes): no warning slips through on an object that is up to date.
WERROR_STAMP := $(if $(filter 1,$(WERROR)),build/obj/werror)
FLAGS_NOW    := $(OBJS) $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(VERSION)

build/obj/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS_NOW)' | cmp -s - $@ || printf '%s\n' '$(FLAGS_NOW)' > $@
build/obj/werror:
	@mkdir -p $(@D)
	@touch $@
build/obj/%.o: %.cpp build/obj/flags $(WERROR_STAMP)
	@mkdir -p $(@D)
	$(if $(WERROR_STAMP),,@rm -f build/obj/werror)
	$(CXX) $(CXXFLAGS) $(if $(WERROR_STAMP),-Werror) $(CPPFLAGS) -MMD -MP -c -o $@ $<
-include $(OBJS:.o=.d)

$(shlib): src/pg/exports.map

# The script is its numbered parts in order; the catalogue takes the place of the marker line, and
# @version@ is the version.
data: build/catalogue.sql
build/catalogue.sql: $(wildcard tools/catalogue data/*.csv)
	@mkdir -p $(@D)
	bash -c '. tools/common.sh && python3 tools/catalogue' > $@.new
	mv $@.new $@

SQL_PARTS := $(sort $(wildcard src/sql/[0-9]*.sql))
$(DATA_built): $(SQL_PARTS) $(EXTENSION).control build/catalogue.sql
	printf '%s\n' '\echo Use "CREATE EXTENSION $(EXTENSION)" to load this file. \quit' > $@.new
	awk '/^-- @catalogue@/ { while ((r = (getline line < "build/catalogue.sql")) > 0) print line; \
	  if (r < 0) exit 1; next } { gsub("@version@", "$(EXTVERSION)"); print }' $(SQL_PARTS) >> $@.new
	mv $@.new $@

installcheck: | build/regress
build/regress:
	mkdir -p $@

# An installation below build/, for a private server whose extension_destdir points there.
stage: all
	@rm -rf build/stage
	@$(MAKE) -s --no-print-directory install DESTDIR=build/stage

.PHONY: FORCE
FORCE:

endif
