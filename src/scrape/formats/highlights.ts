// Verbatim passages of the page that match a query, one per line.
import { z } from 'zod'
import type { ModelAnswer } from '../../llm/llm.ts'
import { defineFormat } from './format.ts'
import { FormatOutcome, outcomeOfModelAnswer } from './format-outcome.ts'

export function outcomeOfPassages(
  answer: ModelAnswer<readonly string[]>,
  fields?: Record<string, unknown>,
): FormatOutcome {
  const { parts } = outcomeOfModelAnswer(answer, answer.value.length > 0 ? answer.value.join('\n') : null, fields)
  if (answer.value.length > 0) return new FormatOutcome(parts)
  return new FormatOutcome({
    ...parts,
    warnings: [...(parts.warnings ?? []), 'No passage of this page is about the query.'],
  })
}

export async function findPassages(markdown: string, query: string) {
  const { findPassagesForQuery } = await import('../../understanding/passages/find-highlights.ts')
  return findPassagesForQuery(markdown, query)
}

export const highlightsFormat = defineFormat({
  name: 'highlights',
  isOfModel: true,
  help: 'The passages of the page about a query, verbatim.',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  options: { query: z.string().min(1).max(10_000).describe('The topic of the passages.') },
  read: ({ markdown }, { query }) => findPassages(markdown, query),
  async produce({ read, markdown, llm }, { query }, signal) {
    const { found, relevant } = read
    const ask = { query, text: () => markdown.value(), found, relevant: () => relevant }
    return outcomeOfPassages(await llm.highlight(ask, signal))
  },
})
