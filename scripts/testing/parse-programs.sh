# Parses the programs that the sandbox runs: shell, and Python where the machine has it.
set -eu
bash -n src/capabilities/interact/inside/*.sh
! command -v python3 >/dev/null ||
  python3 -c 'import ast, sys; [ast.parse(open(one).read(), one) for one in sys.argv[1:]]' src/capabilities/interact/inside/*.py
