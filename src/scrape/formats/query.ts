// Deprecated combination of `question` and `highlights`, kept for older callers.
import { z } from 'zod'
import { defineFormat, joinMetadataText } from './format.ts'
import { findPassages, outcomeOfPassages } from './highlights.ts'
import { answerQuestion, findAnswerByRules } from './question.ts'
import { writeStructuredData } from './structured-data-text.ts'

export const queryFormat = defineFormat({
  name: 'query',
  field: 'answer',
  isOfModel: true,
  help: 'Deprecated: use `question` (freeform) or `highlights` (directQuote).',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  isDeprecated: true,
  options: {
    prompt: z.string().min(1).max(10_000).describe('The question.'),
    mode: z
      .enum(['freeform', 'directQuote'])
      .default('freeform')
      .describe('An answer in words, or literal passages of the page.'),
  },
  async read(view, { prompt, mode }) {
    const { markdown } = view
    const head = joinMetadataText(view)
    const facts = writeStructuredData(view)
    if (mode === 'freeform') return { head, facts, found: await findAnswerByRules(view, prompt), passages: undefined }
    return { head, facts, found: undefined, passages: await findPassages(markdown, prompt) }
  },
  async produce({ read, markdown, llm }, { prompt }, signal) {
    const text = () => markdown.value()
    if (read.found)
      return answerQuestion(
        llm,
        { question: prompt, head: read.head, facts: read.facts, found: read.found, text },
        signal,
      )
    const { found = [], relevant } = read.passages ?? {}
    const answer = await llm.highlight({ query: prompt, text, found, relevant: () => relevant }, signal)
    return outcomeOfPassages(answer, { highlights: answer.value.length > 0 ? answer.value.join('\n') : null })
  },
})
