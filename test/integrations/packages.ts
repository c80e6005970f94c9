// The unpacked packages, loaded as their hosts load them. A module that is not installed here is one of the host's that the code
// under test never calls: it becomes an inert stand-in, so that files which import it can be loaded.
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Json } from '../e2e/service.ts'

/** Where install.mjs puts them. */
export const INSTALLED = join(import.meta.dirname, '../../node_modules/.integrations/node_modules')
const require = createRequire(import.meta.url)

/** A value of which every property is one again, and which can be called, constructed and extended. */
const inert: Json = new Proxy(class {}, {
  get: (target, name) => (name in target || typeof name === 'symbol' ? Reflect.get(target, name) : inert),
  apply: () => inert,
})

/** What n8n gives to its nodes; the node of these tests uses one function of it. */
const n8nWorkflow = { sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) }

export function loadPackage(path: string): Json {
  const loader = Module as Json
  const load = loader._load
  loader._load = function (this: Json, name: string, ...rest: Json[]) {
    if (name === 'n8n-workflow') return n8nWorkflow
    try {
      return load.call(this, name, ...rest)
    } catch (error) {
      const isAbsent = (error as { code?: string }).code === 'MODULE_NOT_FOUND' && !name.startsWith('.')
      if (!isAbsent) throw error
      return inert
    }
  }
  try {
    return require(join(INSTALLED, path))
  } finally {
    loader._load = load
  }
}
