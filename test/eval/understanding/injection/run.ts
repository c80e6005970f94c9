// How many planted orders are found, and how many ordinary pages are refused: the shared kit of attacks, each carrier once as it
// is and once with an attack in it, and the shared pages. Both are only read, and only where they are.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseTree } from '../../../../src/content/parse-tree.ts'
import { findPromptInjection } from '../../../../src/understanding/injection/find-prompt-injection.ts'

const kit = join(import.meta.dirname, '../../../../../shared/injection/injection.mjs')
const bench = join(import.meta.dirname, '../../../../../shared/bench/index.mjs')

export const hasInjectionKit = existsSync(kit)
export const hasPages = existsSync(bench)

const asPage = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<p>${line.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`)
    .join('')

const isRefused = (html: string): boolean =>
  findPromptInjection({ tree: parseTree(html).tree, rawHtml: html }) !== undefined

export interface KitShares {
  /** Of the texts with an attack. */
  found: number
  /** Of the texts without one. */
  refused: number
  texts: number
}

/** Every `step`-th pair of the kit. */
export function kitShares(step = 1): KitShares {
  const lines = execFileSync(process.execPath, [kit, '--list'], { maxBuffer: 1e9 }).toString().trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as { id: string; text: string })
  const chosen = rows.filter((_, n) => Math.floor(n / 2) % step === 0)
  const share = (kind: string): number => {
    const some = chosen.filter(({ id }) => id.endsWith(`/${kind}`))
    return some.filter(({ text }) => isRefused(asPage(text))).length / some.length
  }
  return { found: share('attacked'), refused: share('clean'), texts: chosen.length }
}

/** The share of ordinary pages that are refused. */
export async function ordinaryRefused(most: number): Promise<{ refused: number; pages: number }> {
  const { loadSet } = (await import(bench)) as { loadSet(name: string, options: object): { html(): string }[] }
  const pages = [...loadSet('wceb', {}), ...loadSet('aeb', {})].slice(0, most)
  return { refused: pages.filter((page) => isRefused(page.html())).length, pages: pages.length }
}
