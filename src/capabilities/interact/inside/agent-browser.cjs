#!/usr/bin/env node
const http = require('node:http')
const fs = require('node:fs')
const body = JSON.stringify({ args: process.argv.slice(2) })
const os = require('node:os')
/** Exists only where sockets are refused. */
const folder = `${os.homedir()}/.post`
// Written through the descriptors: process.stdout would make them non-blocking for the shell as well.
function show(text) {
  const answer = JSON.parse(text)
  if (answer.file) {
    const path = answer.file.path.replace(/^\/tmp\//, `${os.tmpdir()}/`)
    fs.writeFileSync(path, Buffer.from(answer.file.base64, 'base64'))
    answer.stdout = path
  }
  if (answer.stdout) fs.writeFileSync(1, answer.stdout.replace(/\n?$/, '\n'))
  if (answer.stderr) fs.writeFileSync(2, answer.stderr.replace(/\n?$/, '\n'))
  process.exitCode = answer.exitCode
}
function fail() {
  process.stderr.write('the browser of this session does not respond\n')
  process.exitCode = 1
}
if (fs.existsSync(folder)) {
  const path = `${folder}/${process.pid}-${Date.now()}`
  fs.writeFileSync(`${path}.draft`, body)
  fs.renameSync(`${path}.draft`, `${path}.ask`)
  const poll = setInterval(() => {
    if (!fs.existsSync(`${path}.answer`)) return
    clearInterval(poll)
    show(fs.readFileSync(`${path}.answer`, 'utf8'))
    fs.rmSync(`${path}.answer`, { force: true })
  }, 10)
} else {
  const ask = http.request({ host: '127.0.0.1', port: 9222, method: 'POST', path: '/agent-browser' }, (answer) => {
    const parts = []
    answer.on('data', (part) => parts.push(part))
    answer.on('end', () => show(Buffer.concat(parts).toString()))
  })
  ask.on('error', fail)
  ask.end(body)
}
