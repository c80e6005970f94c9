// The passages of the page that speak of a query, verbatim, one to a line.
import { z } from 'zod'
import type { Told } from '../../llm/llm.ts'
import { defineFormat } from './format.ts'
import { Outcome, toldBy } from './outcome.ts'

/** Passages as the field holds them; none is null, and said. */
export function joined(told: Told<readonly string[]>, fields?: Record<string, unknown>): Outcome {
  const { parts } = toldBy(told, told.value.length > 0 ? told.value.join('\n') : null, fields)
  if (told.value.length > 0) return new Outcome(parts)
  return new Outcome({
    ...parts,
    warnings: [...(parts.warnings ?? []), 'No passage of this page speaks of the query.'],
  })
}

export const highlights = defineFormat({
  name: 'highlights',
  help: 'The passages of the page that speak of a query, verbatim.',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  options: { query: z.string().min(1).max(10_000).describe('What the passages should speak of.') },
  read: async ({ markdown }, { query }) =>
    (await import('../../understanding/passages/highlights.ts')).highlightsOf(markdown, query),
  async produce({ read, markdown, llm }, { query }, signal) {
    return joined(await llm.highlight({ query, text: () => markdown.value(), found: read }, signal))
  },
})
