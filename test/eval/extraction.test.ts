// Main content, judged out-of-fold on a fixed sample of the labelled pages of ../shared/bench: for each page the model that has
// not seen its site. A change of features, trees or cuts that costs quality falls below a floor here. The floors are the
// sample's own figures, rounded down to four digits; `npm run prove extraction` holds those of all pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { chooseContent } from '../../src/content/choose-content.ts'
import { findMainContent } from '../../src/content/find-main-content.ts'
import { type PackedMainContentModel, unpackMainContentModel } from '../../src/content/main/main-content-model.ts'
import { toMarkdown } from '../../src/content/markdown/html-to-markdown.ts'
import { parseTree } from '../../src/content/parse-tree.ts'
import { makeLinkResolver } from '../../src/content/resolve-links.ts'
import floors from './extraction-floors.json' with { type: 'json' }

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const bench = existsSync(here('../../../shared/bench/index.mjs'))
// Loaded by name, since it is not typed.
const judge = here('../../scripts/train/evaluate.mjs')
const pages = here('../../scripts/train/bench.mjs')

interface Judge {
  evaluate(code: object, models: object[], pages: object[]): Record<string, number>
}

interface Pages {
  loadPages(): object[]
  isSampled(page: object): boolean
}

describe.skipIf(!bench)('main content out-of-fold (skipped where ../shared/bench is absent)', () => {
  it('stays above its floors on articles, mixed pages and all seven kinds', { timeout: 600_000 }, async () => {
    const { evaluate } = (await import(judge)) as Judge
    const { loadPages, isSampled } = (await import(pages)) as Pages
    const models = readdirSync(here('./folds'))
      .sort()
      .map((file) =>
        unpackMainContentModel(JSON.parse(readFileSync(here(`./folds/${file}`), 'utf8')) as PackedMainContentModel),
      )
    const sample = loadPages().filter(isSampled)
    const figures = evaluate(
      { parseTree, chooseContent, findMainContent, toMarkdown, makeLinkResolver },
      models,
      sample,
    )
    const fallen = Object.entries(floors.sample).filter(
      ([name, floor]) => !(figures[name]! >= floor - floors.tolerance),
    )
    expect(fallen.map(([name, floor]) => `${name}: ${figures[name]} is below its floor, ${floor}`)).toEqual([])
  })
})
