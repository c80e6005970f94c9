// `node scripts/complete-lock.mjs`, after dependencies changed: a registry that does not offer some platform's binary
// package leaves it out of package-lock.json, and `npm ci` then refuses the whole file, on every platform. This writes
// the missing optional entries from what their parents ask for; npm skips those of other platforms as usual.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const file = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
let added = 0
for (const { optionalDependencies = {}, dev } of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`
    const platform = platformOf(name)
    if (lock.packages[path] || !platform) continue
    lock.packages[path] = { version, ...(dev ? { dev } : {}), optional: true, ...platform }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`package-lock.json: ${added} optional packages of other platforms added`)

function platformOf(name) {
  const os = /(android|darwin|linux|win32|freebsd|openharmony|netbsd|openbsd|sunos|aix)/.exec(name)?.[1]
  const cpu = /-(arm64|x64|ia32|arm|ppc64|s390x|riscv64|loong64|wasm32)\b/.exec(name)?.[1]
  if (!os && !cpu) return undefined
  const libc = /musl/.test(name) ? ['musl'] : /-gnu/.test(name) ? ['glibc'] : undefined
  return { ...(os ? { os: [os] } : {}), ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc } : {}) }
}
