// The answer to a question about the page: in a model's words, or in the page's own, quoted. When the page does not hold
// it, the answer says so.
import { z } from 'zod'
import type { AnswerAsk } from '../../llm/llm.ts'
import { defineFormat } from './format.ts'
import { toldBy } from './outcome.ts'

export const NOT_HERE = 'Not on this page: nothing here answers the question.'

/** The question that goes with what extraction found. */
export const answerAsk = (question: string, found: string | null, text: () => string): AnswerAsk => ({
  question,
  text,
  found,
})

export const question = defineFormat({
  name: 'question',
  field: 'answer',
  help: 'The answer to a question, from this page alone.',
  needs: ['markdown', 'llm'],
  options: { question: z.string().min(1).max(10_000).describe('What to answer from the page.') },
  read: async ({ markdown }, { question }) =>
    (await import('../../content/passages/answer.ts')).answerFrom(markdown, question).text ?? null,
  async produce({ read, markdown, llm }, { question }, signal) {
    const told = await llm.answer(
      answerAsk(question, read, () => markdown.value()),
      signal,
    )
    return toldBy(told, told.value ?? NOT_HERE)
  },
})
