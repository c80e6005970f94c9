// The answer to a question about the page: in a model's words, or in the page's own, quoted. When the page does not hold
// it, the answer says so; without a model, which could tell for sure, it names what comes nearest.
import { z } from 'zod'
import type { Llm } from '../../llm/llm.ts'
import { defineFormat } from './format.ts'
import { type FormatOutcome, toldBy } from './outcome.ts'

const NOT_HERE = 'Not on this page: nothing here answers the question.'

interface Asked {
  question: string
  found: Awaited<ReturnType<typeof foundIn>>
  text(): string
}

/** What the page itself answers. */
export async function foundIn(markdown: string, question: string) {
  const { answerFrom } = await import('../../understanding/passages/answer.ts')
  const { text = null, closest, relevant } = answerFrom(markdown, question)
  return { answer: text, closest, relevant }
}

export async function answered(
  llm: Llm,
  { question, found, text }: Asked,
  signal: AbortSignal,
): Promise<FormatOutcome> {
  const told = await llm.answer({ question, text, found: found.answer, relevant: () => found.relevant }, signal)
  const closest = told.by === 'extractive' ? found.closest : []
  const nothing = closest.length === 0 ? NOT_HERE : `${NOT_HERE} Closest:\n${closest.join('\n')}`
  return toldBy(told, told.value ?? nothing)
}

export const question = defineFormat({
  name: 'question',
  field: 'answer',
  help: 'The answer to a question, from this page alone.',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  options: { question: z.string().min(1).max(10_000).describe('What to answer from the page.') },
  read: ({ markdown }, { question }) => foundIn(markdown, question),
  produce: ({ read, markdown, llm }, { question }, signal) =>
    answered(llm, { question, found: read, text: () => markdown.value() }, signal),
})
