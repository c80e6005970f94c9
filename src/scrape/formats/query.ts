// Deprecated combination of `question` and `highlights`, kept for older callers.
import { z } from 'zod'
import { defineFormat, headOf } from './format.ts'
import { joined, passagesIn } from './highlights.ts'
import { answered, foundIn } from './question.ts'
import { structuredDataText } from './structured-data-text.ts'

export const query = defineFormat({
  name: 'query',
  field: 'answer',
  help: 'Deprecated: use `question` (freeform) or `highlights` (directQuote).',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  isDeprecated: true,
  options: {
    prompt: z.string().min(1).max(10_000).describe('What is asked.'),
    mode: z
      .enum(['freeform', 'directQuote'])
      .default('freeform')
      .describe('An answer in words, or passages of the page as they stand.'),
  },
  async read(view, { prompt, mode }) {
    const { markdown } = view
    const head = headOf(view)
    const facts = structuredDataText(view)
    if (mode === 'freeform') return { head, facts, found: await foundIn(markdown, prompt), passages: undefined }
    return { head, facts, found: undefined, passages: await passagesIn(markdown, prompt) }
  },
  async produce({ read, markdown, llm }, { prompt }, signal) {
    const text = () => markdown.value()
    if (read.found)
      return answered(llm, { question: prompt, head: read.head, facts: read.facts, found: read.found, text }, signal)
    const { found = [], relevant } = read.passages ?? {}
    const answer = await llm.highlight({ query: prompt, text, found, relevant: () => relevant }, signal)
    return joined(answer, { highlights: answer.value.length > 0 ? answer.value.join('\n') : null })
  },
})
