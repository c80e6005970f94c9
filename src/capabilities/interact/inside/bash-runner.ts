// What runs a caller's shell code inside the sandbox: one shell for all calls, so that variables, functions and the folder
// live on; and `agent-browser`, which asks the service to do a step in the session's page.

export const BASH_RUNNER = String.raw`
# Bare subcommands, as some clients write them. Those that are words of the shell itself stay what they are.
for __name in open snapshot click dblclick fill hover press scroll screenshot get back forward reload tab scrape check uncheck drag; do
  eval "$__name() { agent-browser $__name \"\$@\"; }"
done
unset __name
echo '{"ready":true}' >&3
while IFS=' ' read -r -u 4 __mark __code; do
  __code=$(base64 -d <<< "$__code")
  eval "$__code" 3>&- 4>&-
  __status=$?
  printf '%s' "$__mark"
  printf '%s' "$__mark" >&2
  printf '{"result":null,"exitCode":%d}\n' "$__status" >&3
done
`

export const AGENT_BROWSER = String.raw`#!/usr/bin/env node
const http = require('node:http')
const fs = require('node:fs')
const body = JSON.stringify({ args: process.argv.slice(2) })
const os = require('node:os')
/** Where there is one, no socket may be opened. */
const folder = os.homedir() + '/.post'
function tell(text) {
  const said = JSON.parse(text)
  if (said.file) {
    const path = said.file.path.replace(/^\/tmp\//, os.tmpdir() + '/')
    fs.writeFileSync(path, Buffer.from(said.file.base64, 'base64'))
    said.stdout = path
  }
  if (said.stdout) process.stdout.write(said.stdout.replace(/\n?$/, '\n'))
  if (said.stderr) process.stderr.write(said.stderr.replace(/\n?$/, '\n'))
  process.exitCode = said.exitCode
}
function fail() {
  process.stderr.write('the browser of this session does not answer\n')
  process.exitCode = 1
}
if (fs.existsSync(folder)) {
  const path = folder + '/' + process.pid + '-' + Date.now()
  fs.writeFileSync(path + '.draft', body)
  fs.renameSync(path + '.draft', path + '.ask')
  const look = setInterval(() => {
    if (!fs.existsSync(path + '.answer')) return
    clearInterval(look)
    tell(fs.readFileSync(path + '.answer', 'utf8'))
    fs.rmSync(path + '.answer', { force: true })
  }, 10)
} else {
  const ask = http.request({ host: '127.0.0.1', port: 9222, method: 'POST', path: '/agent-browser' }, (answer) => {
    const parts = []
    answer.on('data', (part) => parts.push(part))
    answer.on('end', () => tell(Buffer.concat(parts).toString()))
  })
  ask.on('error', fail)
  ask.end(body)
}
`
