PYTHON ?= python3
SERVERS := dovecot-imapd dovecot-lmtpd postfix notmuch openssl systemd
BIN := .venv/bin

.PHONY: help demo test test-system servers check bench messages clean

help:
	@echo "make demo         run one turn of the example game on a copy, print a report"
	@echo "make test         all tests that need Python only"
	@echo "make test-system  the tests that need root or Debian's packages"
	@echo "make check        format, lint, types"
	@echo "make bench        figures as JSON"
	@echo "make messages     bring new words of the templates into the catalogues, compile them"

$(BIN)/.ready: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m compileall -q engine pbem
	@touch $@

demo: $(BIN)/.ready
	@$(BIN)/python -m tests.demo

test: $(BIN)/.ready
	@$(BIN)/python -m pytest -q -m "not slow and not system"
	@echo "left out: the long sweeps (make bench or pytest -m slow) and the system tests (make test-system)"

test-system: $(BIN)/.ready servers
	@$(BIN)/python -m pytest -q -m "system and not slow"

servers:
	@for program in /usr/sbin/dovecot /usr/lib/dovecot/lmtp /usr/sbin/postfix /usr/bin/notmuch \
	  /usr/bin/openssl /usr/bin/systemd-analyze; do test -x $$program || missing=yes; done; test -z "$$missing" || { \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	  apt-get install -qq -y --no-install-recommends $(SERVERS) >/dev/null; }

check: $(BIN)/.ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(BIN)/.ready
	@$(BIN)/python -m tests.bench

messages: $(BIN)/.ready
	@$(BIN)/python -m tests.messages

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache
