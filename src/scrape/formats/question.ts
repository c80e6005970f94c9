// Answers a question about the page: by a model, or quoted with a confidence. "Not on this page" is returned only when
// no passage is relevant.
import { z } from 'zod'
import type { Llm } from '../../llm/llm.ts'
import { defineFormat, headOf } from './format.ts'
import { answeredBy, type FormatOutcome } from './outcome.ts'
import { structuredDataText } from './structured-data-text.ts'

const NOT_HERE = 'Not on this page: nothing here answers the question.'

interface Asked {
  question: string
  head: string
  facts: string
  found: Awaited<ReturnType<typeof foundIn>>
  text(): string
}

export async function foundIn(markdown: string, question: string) {
  const { answerOn } = await import('../../understanding/passages/answer.ts')
  return answerOn(markdown, question)
}

export async function answered(
  llm: Llm,
  { question, head, facts, found, text }: Asked,
  signal: AbortSignal,
): Promise<FormatOutcome> {
  const ask = { question, text, facts: () => facts, found: found.answer, relevant: () => found.relevant }
  const answer = await llm.answer(ask, signal)
  if (answer.by === 'model' && answer.value !== null) {
    const [{ openEvidence }, { doubtsIn, doubtWarnings }] = await Promise.all([
      import('../../understanding/verify/evidence.ts'),
      import('../../understanding/verify/verify.ts'),
    ])
    const doubts = doubtsIn(answer.value, openEvidence([head, question, text(), facts]))
    return answeredBy(
      { ...answer, warnings: [...answer.warnings, ...doubtWarnings(doubts)] },
      answer.value,
      undefined,
      {
        isDoubted: doubts.length > 0,
      },
    )
  }
  const isQuoted = answer.by === 'extractive' && answer.value !== null
  const closest = answer.by === 'extractive' ? found.closest : undefined
  return answeredBy(
    answer,
    answer.value ?? (closest === undefined ? NOT_HERE : `${NOT_HERE} Closest:\n${closest}`),
    isQuoted ? { answerConfidence: Math.round(found.confidence * 100) / 100 } : undefined,
  )
}

export const question = defineFormat({
  name: 'question',
  field: 'answer',
  help: 'The answer to a question, from this page alone.',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  options: { question: z.string().min(1).max(10_000).describe('What to answer from the page.') },
  read: async (view, { question }) => ({
    ...(await foundIn(view.markdown, question)),
    head: headOf(view),
    facts: structuredDataText(view),
  }),
  produce: ({ read, markdown, llm }, { question }, signal) =>
    answered(llm, { question, head: read.head, facts: read.facts, found: read, text: () => markdown.value() }, signal),
})
