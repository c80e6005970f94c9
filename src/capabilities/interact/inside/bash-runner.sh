# Runs a caller's shell code. One shell serves all calls, so that variables, functions and the working folder persist.
# Bare subcommands, as some clients write them. Those that are words of the shell itself stay what they are.
for __name in open snapshot click dblclick fill hover press scroll screenshot get back forward reload tab scrape check uncheck drag; do
  eval "$__name() { agent-browser $__name \"\$@\"; }"
done
unset __name
echo '{"ready":true}' >&3
while IFS=' ' read -r -d '' -u 4 __mark __code; do
  eval "$__code" 3>&- 4>&-
  __status=$?
  printf '%s' "$__mark"
  printf '%s' "$__mark" >&2
  printf '{"result":null,"exitCode":%d}\n' "$__status" >&3
done
