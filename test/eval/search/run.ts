// Our own graded sets for searching in five languages: 30 pages and 50 queries each, written before the first result was
// seen. All pages lie in one index, as they do for somebody who reads several languages. Half of the queries, by hash, are
// sealed: nothing is tuned on them. Format: `= id | title`, its text, then `? query > best~lesser …`.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addPage } from '../../../src/search/engine/page-terms.ts'
import { parseQuery } from '../../../src/search/engine/parse-query.ts'
import { readPageContent } from '../../../src/search/engine/read-page-content.ts'
import { searchSegments } from '../../../src/search/engine/run-query.ts'
import { SegmentBuilder } from '../../../src/search/engine/segment-build.ts'
import { Segment } from '../../../src/search/engine/segment-read.ts'

export const SETS = ['zh', 'ja', 'de', 'ru', 'hi'] as const
export type SetName = (typeof SETS)[number]

interface SetPage {
  id: string
  title: string
  text: string
}
interface SetQuery {
  text: string
  /** 2: what was meant, 1: of some use. */
  grades: ReadonlyMap<string, number>
  isSealed: boolean
}

export function readSet(name: SetName): { pages: SetPage[]; queries: SetQuery[] } {
  const pages: SetPage[] = []
  const queries: SetQuery[] = []
  for (const line of readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8').split('\n')) {
    if (line.startsWith('= ')) {
      const [id = '', title = ''] = line.slice(2).split(' | ')
      pages.push({ id: `${name}/${id}`, title, text: '' })
    } else if (line.startsWith('? ')) {
      const [text = '', answers = ''] = line.slice(2).split(' > ')
      const grades = new Map(
        answers.split(' ').map((id): [string, number] => [`${name}/${id.replace('~', '')}`, id.endsWith('~') ? 1 : 2]),
      )
      const isSealed = (createHash('sha256').update(text).digest()[0] as number) % 2 === 0
      queries.push({ text, grades, isSealed })
    } else if (line !== '') pages.at(-1)!.text += `${line}\n`
  }
  return { pages, queries }
}

const gain = (grades: readonly number[]): number =>
  grades.slice(0, 10).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0)

/** nDCG@10 of each set, by half; `wrong` names queries of the open half whose best page is not first. */
export function scores(): Map<SetName, { open: number; sealed: number; wrong: string[] }> {
  const sets = SETS.map((name) => ({ name, ...readSet(name) }))
  const ids = sets.flatMap(({ pages }) => pages)
  const now = Date.UTC(2026, 0, 1)
  const builder = new SegmentBuilder()
  for (const [number, { title, text }] of ids.entries()) {
    // Nothing says which language it is.
    const content = readPageContent({ metadata: { title }, markdown: text }, `https://example.com/p/${number}`, now)
    addPage(builder, content, { number, version: 1, seenAt: now })
  }
  const segments = [new Segment(builder.finish())]
  return new Map(
    sets.map(({ name, queries }) => {
      const wrong: string[] = []
      const rows = queries.map(({ text, grades, isSealed }) => {
        const asked = { query: parseQuery(text), includeDomains: [], excludeDomains: [], tags: [], newestFirst: false }
        const found = searchSegments(segments, asked, 10).map((hit) => ids[hit.number]!.id)
        const score = gain(found.map((id) => grades.get(id) ?? 0)) / gain([...grades.values()].sort((a, b) => b - a))
        if (!isSealed && score < 0.99) wrong.push(`${text} ${score.toFixed(2)} → ${found.slice(0, 3).join(', ')}`)
        return { score, isSealed }
      })
      const mean = (half: boolean) => {
        const own = rows.filter(({ isSealed }) => isSealed === half)
        return own.reduce((sum, { score }) => sum + score, 0) / own.length
      }
      return [name, { open: mean(false), sealed: mean(true), wrong }]
    }),
  )
}
