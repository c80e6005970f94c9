// The public pages that some cases are about. They are measured on and never committed: a case names one by its id, and
// is skipped where ../shared/bench is absent. Cases keep questions, schemas and short answers only.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface SharedPage {
  id: string
  url: string
  html(): string
}

interface Bench {
  loadSet(name: string): SharedPage[]
}

const index = fileURLToPath(new URL('../../../../shared/bench/index.mjs', import.meta.url))

/** Whether the shared pages are on this machine; `describe.skipIf(!hasSharedPages)('… (skipped where ../shared/bench is absent)')`. */
export const hasSharedPages = existsSync(index)

let loaded: Promise<Map<string, SharedPage>> | undefined

/** The pages of the set `wceb`, by id; unpacked once, which takes seconds. */
export function sharedPages(): Promise<Map<string, SharedPage>> {
  loaded ??= load()
  return loaded
}

/** By name, since the module is not typed. */
async function load(): Promise<Map<string, SharedPage>> {
  const { loadSet } = (await import(index)) as Bench
  return new Map(loadSet('wceb').map((page) => [page.id, page]))
}
