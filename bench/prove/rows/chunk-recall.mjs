// Are answers found better among our chunks than among cuts of 512 tokens? Questions with known passages, asked with our own
// search engine over the chunks of all their pages and of other pages of the kit.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/setup.mjs'
import { openModules } from '../../../scripts/typescript-modules.mjs'

const QUESTIONS = join(root, 'test/eval/understanding/questions')
const KIT = join(root, '../shared/bench/index.mjs')
const TOKENS = 512
const FIRST = 5
const OTHERS = Number(process.env.PROVE_OTHERS ?? 300)
const CHOICES = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const NOW = Date.UTC(2026, 0, 1)

const bare = (text) =>
  text
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[*_`|#\\[\]>]/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()

export async function chunkRecall() {
  const modules = await openModules()
  try {
    const { parsePage } = await modules.load('src/content/parsed-page.ts')
    const { cutIntoChunks: chunksOf } = await modules.load('src/content/cut-into-chunks.ts')
    const { readPageContent: contentOf } = await modules.load('src/search/engine/read-page-content.ts')
    const { addPage } = await modules.load('src/search/engine/page-terms.ts')
    const { SegmentBuilder } = await modules.load('src/search/engine/segment-build.ts')
    const { Segment } = await modules.load('src/search/engine/segment-read.ts')
    const { searchSegments: askSegments } = await modules.load('src/search/engine/run-query.ts')
    const { parseQuery } = await modules.load('src/search/engine/parse-query.ts')
    const { countTokens, encode, decode } = await import('gpt-tokenizer/encoding/o200k_base')

    const { cases, pages } = await readAll(({ bytes, url }) => {
      const page = parsePage({ bytes, contentType: 'text/html; charset=utf-8', url }, CHOICES)
      return { markdown: page.markdown, title: String([page.metadata.title].flat()[0] ?? '') }
    })
    const limits = { maxTokens: TOKENS, overlap: 0, by: 'heading' }
    const ours = ({ markdown }) =>
      chunksOf(markdown, limits, countTokens).map(({ text, headings }) => ({
        text,
        shown: `${headings.join('\n')}\n${text}`,
      }))
    const cuts = ({ markdown }) => {
      const tokens = encode(markdown)
      const texts = []
      for (let at = 0; at < tokens.length; at += TOKENS) texts.push(decode(tokens.slice(at, at + TOKENS)))
      return texts.map((text) => ({ text, shown: text }))
    }
    const recall = (cut) => {
      const chunks = [...pages].flatMap(([id, page]) => cut(page).map((chunk) => ({ ...chunk, id, title: page.title })))
      const builder = new SegmentBuilder()
      for (const [number, { title, shown }] of chunks.entries()) {
        const content = contentOf({ metadata: { title }, markdown: shown }, `https://example.com/c/${number}`, NOW)
        addPage(builder, content, { number, version: 1, seenAt: NOW })
      }
      const segments = [new Segment(builder.finish())]
      let found = 0
      for (const { page, question, passages } of cases) {
        const asked = {
          query: parseQuery(question),
          includeDomains: [],
          excludeDomains: [],
          tags: [],
          newestFirst: false,
        }
        const hits = askSegments(segments, asked, FIRST).map(({ number }) => chunks[number])
        const answers = ({ id, text }) => id === page && passages.some((passage) => bare(text).includes(bare(passage)))
        if (hits.some(answers)) found += 1
      }
      return { share: found / cases.length, chunks: chunks.length }
    }
    return { questions: cases.length, pages: pages.size, ours: recall(ours), cuts: recall(cuts) }
  } finally {
    await modules.close()
  }
}

/** Questions that their page answers, and the pages. */
async function readAll(open) {
  const files = readdirSync(QUESTIONS).filter((name) => name.endsWith('.json'))
  const all = files.flatMap((name) => JSON.parse(readFileSync(join(QUESTIONS, name), 'utf8')))
  const shared = existsSync(KIT) ? (await import(KIT)).loadSet('wceb') : []
  const byId = new Map(shared.map((page) => [page.id, page]))
  const pages = new Map()
  const addShared = (page) => pages.set(page.id, open({ bytes: page.read(), url: page.url || 'https://example.com/' }))
  const cases = []
  for (const one of all) {
    if ((one.passages ?? []).length === 0) continue
    if (!pages.has(one.page)) {
      const [page, text] = [`pages/${one.page}.html`, `everyday/${one.page}.md`].map((path) => join(QUESTIONS, path))
      if (existsSync(page))
        pages.set(one.page, open({ bytes: readFileSync(page), url: `https://example.com/${one.page}` }))
      else if (existsSync(text)) pages.set(one.page, { markdown: readFileSync(text, 'utf8'), title: '' })
      else if (byId.has(one.page)) addShared(byId.get(one.page))
      else continue
    }
    cases.push(one)
  }
  const hash = (id) => createHash('sha256').update(id).digest('hex')
  const others = shared.filter(({ id }) => !pages.has(id)).sort((a, b) => (hash(a.id) < hash(b.id) ? -1 : 1))
  for (const page of others.slice(0, OTHERS)) addShared(page)
  return { cases, pages }
}
