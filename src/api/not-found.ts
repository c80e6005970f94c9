// What a path that no route has is told: plain "Not Found", or by name what this build does not have. Released clients call
// all of these, and a bare 404 reads as if the caller had mistyped something.
import { Problem } from '../base/problem.ts'
import type { Capability } from '../capabilities/capability.ts'

/** What lives below each path in the contract. */
const PARTS: readonly (readonly [prefix: string, what: string])[] = [
  ['/search', 'Search'],
  ['/agent', 'The agent'],
  ['/monitor', 'Monitoring'],
  ['/browser', 'Browser sessions'],
  ['/interact', 'Browser sessions'],
  ['/agent-signup', 'Sponsored sign-up'],
]
const INTERACT = /^\/v\d\/scrape\/[^/]+\/interact$/

/** Reads once which of them some capability has brought: a part that is there has only paths that do not exist. */
export function openNotFound(capabilities: readonly Capability[]): (url: string) => Problem {
  const paths = capabilities.flatMap(({ routes }) => routes.map(({ path }) => path))
  const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
  const missing = PARTS.filter(([prefix]) => !paths.includes(`/v2${prefix}`))
  const interacts = paths.some((path) => path.endsWith('/interact'))
  return (url) => {
    const path = url.split('?', 1)[0] ?? ''
    const [, version, rest = ''] = /^\/(v1|v2)(\/.*)$/.exec(path) ?? []
    const part = missing.find(([prefix]) => isBelow(rest, prefix))?.[1]
    const what = part ?? (!interacts && INTERACT.test(path) ? 'Interacting with a scraped page' : undefined)
    if (!version || !what) return new Problem('not_found')
    return new Problem('not_found', { because: `${what} is not part of this build of the service` })
  }
}
