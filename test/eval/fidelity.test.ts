// How faithfully HTML becomes markdown: the shared cases, as a number with a floor.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parsePage } from '../../src/content/parsed-page.ts'

interface Case {
  name: string
  contentType: string
  html: Uint8Array
}

interface Bench {
  fidelityCases(): Case[]
  failedChecks(one: Case, markdown: string, url: string): unknown[]
}

const bench = fileURLToPath(new URL('../../../shared/bench/index.mjs', import.meta.url))
const floors = JSON.parse(readFileSync(new URL('./floors.json', import.meta.url), 'utf8')) as Record<string, number>

/** The names of the cases that fail. */
async function failures(onlyMainContent: boolean): Promise<{ failed: string[]; total: number }> {
  const { fidelityCases, failedChecks } = (await import(bench)) as Bench
  const cases = fidelityCases()
  const choices = { onlyMainContent, includeTags: [], excludeTags: [], removeBase64Images: true }
  const failed = cases.filter((one) => {
    const url = `http://127.0.0.1:8099/page/${one.name}`
    const { markdown } = parsePage({ bytes: one.html, contentType: one.contentType, url }, choices)
    return failedChecks(one, markdown, url).length > 0
  })
  return { failed: failed.map(({ name }) => name), total: cases.length }
}

it.skipIf(!existsSync(bench)).each([false, true])(
  'meets the shared fidelity cases, no fewer than before (main content: %s; skipped where ../shared/bench is absent)',
  async (main) => {
    const { failed, total } = await failures(main)
    expect(total - failed.length, `failed: ${failed.join(', ')}`).toBeGreaterThanOrEqual(floors['fidelity.cases'] ?? 0)
  },
)
