// The page cut into chunks for a retrieval index, with where each came from.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { countUntil } from '../../base/large-array-helpers.ts'
import type { PdfPageBlocks } from '../../content/pdf/assemble-pages.ts'
import { defineFormat } from './format.ts'

const DEFAULT_TOKENS = 512
const [LEAST_TOKENS, MOST_TOKENS] = [16, 8192]

const tokenizers = {
  cl100k: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k: () => import('gpt-tokenizer/encoding/o200k_base'),
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const ID_CHARS = 32

const chunk = z.object({
  id: z.string().describe('Derived from URL, headings and text: it changes only when they do.'),
  text: z.string(),
  headings: z.array(z.string()).describe('The headings above it, outermost first.'),
  tokens: z.int(),
  span: z.array(z.int()).describe('Start and end, in characters of the markdown.'),
  page: z.int().optional().describe('Of a PDF: the page on which it begins.'),
  boxes: z
    .array(z.object({ page: z.int(), bbox: z.array(z.number()) }))
    .optional()
    .describe('Of a PDF: the position of its text, in fractions of the page.'),
  url: z.string(),
  hash: z.string().describe('SHA-256 of the text.'),
})

export const chunksFormat = defineFormat({
  name: 'chunks',
  help: 'The markdown in chunks for a retrieval index, cut at headings and never inside a table row, list item, code block or sentence.',
  reply: z.array(chunk),
  needs: ['markdown'],
  readsBlocks: true,
  options: {
    maxTokens: z
      .int()
      .min(LEAST_TOKENS)
      .max(MOST_TOKENS)
      .default(DEFAULT_TOKENS)
      .describe('Maximum tokens of a chunk; parts that must not be cut can be longer.'),
    overlap: z.int().min(0).max(MOST_TOKENS).default(0).describe('Maximum tokens repeated from the previous chunk.'),
    by: z.enum(['heading', 'page', 'size']).default('heading').describe('Where a chunk ends before it is full.'),
    tokenizer: z.enum(['cl100k', 'o200k']).default('o200k').describe('How tokens are counted.'),
  },
  async read({ markdown, url, veil }, { maxTokens, overlap, by, tokenizer }, blocks) {
    const [{ cutIntoChunks }, { countTokens }] = await Promise.all([
      import('../../content/cut-into-chunks.ts'),
      tokenizers[tokenizer](),
    ])
    // After redaction the places in the markdown are others.
    const places = veil ? [] : placesOf(blocks ?? [])
    const pageAt = (offset: number) => places[Math.max(0, countUntil(places, ({ from }) => from <= offset) - 1)]?.page
    const seen = new Map<string, number>()
    return cutIntoChunks(markdown, { maxTokens, overlap, by }, countTokens, pageAt).map((one) => {
      const [start, end] = one.span
      const boxes = places
        .slice(
          countUntil(places, ({ to }) => to <= start),
          countUntil(places, ({ from }) => from < end),
        )
        .map(({ page, bbox }) => ({ page, bbox }))
      const id = sha256([url, ...one.headings, one.text].join('\n')).slice(0, ID_CHARS)
      const times = (seen.get(id) ?? 0) + 1
      seen.set(id, times)
      return {
        id: times === 1 ? id : `${id}-${times}`,
        ...one,
        ...(boxes[0] ? { page: boxes[0].page, boxes } : {}),
        url,
        hash: sha256(one.text),
      }
    })
  },
  produce: ({ read }) => read,
})

function placesOf(pages: readonly PdfPageBlocks[]) {
  return pages
    .flatMap(({ pageNumber, items }) =>
      items.flatMap(({ markdownSpan, bbox }) =>
        markdownSpan && bbox ? [{ page: pageNumber, bbox, from: markdownSpan[0], to: markdownSpan[1] }] : [],
      ),
    )
    .sort((a, b) => a.from - b.from)
}
