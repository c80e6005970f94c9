// What the two commands need before they run.
import { existsSync } from 'node:fs'

/** True in a checkout, false in an installed package. */
export const isCheckout = existsSync(new URL('../scripts/setup.mjs', import.meta.url))

export async function ready() {
  // Look-ups of host names share Node's few background threads with files; slow names must not hold up the others.
  process.env.UV_THREADPOOL_SIZE ??= '16'
  if (isCheckout) (await import('../scripts/setup.mjs')).setUp()
  else requireNode()
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  process.stderr.write(`Orbweaver needs Node 20.19 or newer; this is ${process.version}.\n`)
  process.exit(1)
}
