// PDFs of ../shared/bench, read by the real child process: agreement with reviewed markdown, and checks of text, order,
// tables and page furniture. A change of the layout rules that costs quality falls below a floor here.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { JsonBytes } from '../../src/base/json-bytes.ts'
import { openDocumentProcessPool } from '../../src/scrape/workshop/document-process-pool.ts'
import floors from './document-floors.json' with { type: 'json' }

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const bench = here('../../../shared/bench/index.mjs')
const script = new URL('../../dist/scrape/workshop/document-child.js', import.meta.url)

interface Bench {
  loadSet(name: string, options: object): { id: string; read(): Uint8Array }[]
  scoreSet(
    name: string,
    pages: unknown,
    out: object,
  ): {
    total: {
      word: { f1: number }
      shingle: { f1: number }
      checks: { passed: number; byType: { table: [number, number] } }
    }
  }
}

describe.skipIf(!existsSync(bench))('PDFs of the bench (skipped where ../shared/bench is absent)', () => {
  it('stay above their floors', { timeout: 120_000 }, async () => {
    const { loadSet, scoreSet } = (await import(bench)) as Bench
    const children = openDocumentProcessPool({ script, most: 2, memoryMb: 1500 })
    const pdf = { mode: 'auto', maxPages: 10_000, pageMarkers: false, pages: false, blocks: false } as const
    const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
    const score = async (set: string) => {
      const pages = loadSet(set, {})
      const out: Record<string, string | undefined> = {}
      for (const { id, read } of pages) {
        const request = {
          bytes: read(),
          contentType: undefined,
          url: 'https://e.com/',
          choices,
          needs: ['markdown'] as const,
          reads: [],
          name: id,
          options: { image: false, pdf },
        }
        const { materials } = await children.digest(request, 60_000, new AbortController().signal)
        out[id] = materials.markdown && new JsonBytes<string>(materials.markdown).value()
      }
      return scoreSet(set, pages, out).total
    }
    try {
      const agreement = await score('pdfmd')
      expect(agreement.word.f1).toBeGreaterThanOrEqual(floors['pdfmd.word'])
      expect(agreement.shingle.f1).toBeGreaterThanOrEqual(floors['pdfmd.shingle'])
      const { checks } = await score('pdf')
      expect(checks.passed).toBeGreaterThanOrEqual(floors['pdf.checks'])
      expect(checks.byType.table[0]).toBeGreaterThanOrEqual(floors['pdf.tables'])
    } finally {
      await children.close()
    }
  })
})
