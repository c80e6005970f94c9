// Answers a question about the page: by a model, or quoted with a confidence.
import { z } from 'zod'
import type { Llm } from '../../llm/llm.ts'
import { defineFormat, type FormatInputPage, joinMetadataText } from './format.ts'
import { type FormatOutcome, outcomeOfModelAnswer } from './format-outcome.ts'
import { writeStructuredData } from './structured-data-text.ts'

const NOT_HERE = 'Not on this page: nothing here answers the question.'

interface Asked {
  question: string
  head: string
  facts: string
  found: Awaited<ReturnType<typeof findAnswerByRules>>
  text(): string
}

export async function findAnswerByRules({ markdown, metadata, veil }: FormatInputPage, question: string) {
  const { answerFromPage, findAskedName } = await import('../../understanding/passages/answer-with-quotes.ts')
  const found = answerFromPage(markdown, question)
  const name = found.confidence < 1 ? findAskedName(Object.keys(metadata), question) : undefined
  if (name === undefined) return found
  const value = [metadata[name]].flat().join(', ')
  return { ...found, answer: veil ? veil(value) : value, confidence: 1 }
}

export async function answerQuestion(
  llm: Llm,
  { question, head, facts, found, text }: Asked,
  signal: AbortSignal,
): Promise<FormatOutcome> {
  const ask = { question, text, facts: () => facts, found: found.answer, relevant: () => found.relevant }
  const answer = await llm.answer(ask, signal)
  if (answer.by === 'model' && answer.value !== null) {
    const [{ makeEvidenceIndex }, { findUnsupportedClaims, writeUnsupportedClaimWarnings }] = await Promise.all([
      import('../../understanding/verify/page-evidence.ts'),
      import('../../understanding/verify/verify-values.ts'),
    ])
    const doubts = findUnsupportedClaims(answer.value, makeEvidenceIndex([head, question, text(), facts]))
    return outcomeOfModelAnswer(
      { ...answer, warnings: [...answer.warnings, ...writeUnsupportedClaimWarnings(doubts)] },
      answer.value,
      undefined,
      {
        isDoubted: doubts.length > 0,
      },
    )
  }
  const isQuoted = answer.by === 'extractive' && answer.value !== null
  const closest = answer.by === 'extractive' ? found.closest : undefined
  return outcomeOfModelAnswer(
    answer,
    answer.value ?? (closest === undefined ? NOT_HERE : `${NOT_HERE} Closest:\n${closest}`),
    isQuoted ? { answerConfidence: Math.round(found.confidence * 100) / 100 } : undefined,
  )
}

export const questionFormat = defineFormat({
  name: 'question',
  field: 'answer',
  isOfModel: true,
  help: 'The answer to a question, from this page alone.',
  reply: z.string(),
  needs: ['markdown', 'llm'],
  options: { question: z.string().min(1).max(10_000).describe('The question to answer from the page.') },
  read: async (view, { question }) => ({
    ...(await findAnswerByRules(view, question)),
    head: joinMetadataText(view),
    facts: writeStructuredData(view),
  }),
  produce: ({ read, markdown, llm }, { question }, signal) =>
    answerQuestion(
      llm,
      { question, head: read.head, facts: read.facts, found: read, text: () => markdown.value() },
      signal,
    ),
})
