// The figures of trust, at full size: browsers that are not lost under load, tens of thousands of mutated requests,
// thousands of silent connections, bodies of any shape, and an ordinary tenant beside a hostile one. On its own, for a look
// at some of them: node bench/prove/trust.mjs [scale] [part …]
import { setUp } from '../../scripts/setup.mjs'
import { bodies } from './rows/trust-bodies.mjs'
import { browsersHold } from './rows/trust-browsers.mjs'
import { connections } from './rows/trust-connections.mjs'
import { hugePages } from './rows/trust-memory.mjs'
import { mutations } from './rows/trust-mutations.mjs'
import { neighbours } from './rows/trust-neighbours.mjs'

const PARTS = { browsers: browsersHold, mutations, connections, bodies, neighbours, memory: hugePages }

/** `scale` below 1 makes a quick look; figures are promised at 1. */
export async function prove({ scale = 1, parts = Object.keys(PARTS) } = {}) {
  setUp()
  const rows = []
  for (const part of parts) rows.push(...(await PARTS[part]({ scale })))
  return { title: 'Robustness', rows }
}

if (process.argv[1] === import.meta.filename) {
  const [scale, ...parts] = process.argv.slice(2)
  const options = { ...(scale ? { scale: Number(scale) } : {}), ...(parts.length > 0 ? { parts } : {}) }
  console.log(JSON.stringify(await prove(options), null, 2))
  process.exit(0)
}
