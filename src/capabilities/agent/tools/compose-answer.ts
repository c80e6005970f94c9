// Tool: composes the answer from the notes of all pages with a model, once, at the end.
import { z } from 'zod'
import { makeEvidenceIndex } from '../../../understanding/verify/page-evidence.ts'
import { findUnsupportedClaims } from '../../../understanding/verify/verify-values.ts'
import { schemaPropertiesOf } from '../derive-goal.ts'
import {
  type AgentAnswer,
  isEmptyValue,
  isRecord,
  type JsonValue,
  type PageRead,
  type ValueSource,
  valueSourceOf,
} from '../notebook.ts'
import { writeNotesText } from '../write-notes-for-model.ts'
import type { AgentTool, ToolCall } from './agent-tool.ts'

const FAILED = 'The notes of the pages could not be put together by the model.'

export const composeAnswerTool: AgentTool<Record<string, never>> = {
  name: 'compose',
  use: 'Puts the notes of all pages together.',
  input: z.strictObject({}),
  price: () => 0,
  visits: () => [],
  async call(call, signal) {
    const pages = call.notebook.pages.filter(({ by, data }) => by === 'model' && !isEmptyValue(data))
    const answer = await (call.goal.shape === 'answer' ? inWords : bySchema)(call, pages, signal)
    return { result: answer ? { tool: 'compose', answer } : { tool: 'compose', error: FAILED }, credits: 0 }
  },
}

type Compose = (
  call: ToolCall<unknown>,
  pages: readonly PageRead[],
  signal: AbortSignal,
) => Promise<AgentAnswer | undefined>

const inWords: Compose = async ({ has, goal, notebook, pageChars }, pages, signal) => {
  const text = () => writeNotesText(notebook, pageChars)
  const { value, by } = await has.llm.answer({ text, question: goal.prompt, found: null, isNotes: true }, signal)
  if (by !== 'model' || value === null) return undefined
  const evidence = makeEvidenceIndex([goal.prompt, ...pages.map(textOf)])
  const doubt = findUnsupportedClaims(value, evidence).length > 0 ? { verified: false as const } : {}
  const sources = pages.map(
    (page, at) => [at === 0 ? 'answer' : `answer[${at}]`, { ...valueSourceOf(page, null), ...doubt }] as const,
  )
  return { data: { answer: value }, sources: Object.fromEntries(sources) }
}

/** Only fields on which the pages contradict each other are asked for; code keeps all others. */
const bySchema: Compose = async ({ has, goal, notebook, pageChars }, pages, signal) => {
  const known = notebook.answer()
  const properties = schemaPropertiesOf(goal.schema)
  const fields = notebook.contradictions
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((name) => [name, properties[name] ?? {}])),
  }
  const text = () => writeNotesText(notebook, pageChars)
  const ask = { job: 'compose', text, schema, prompt: goal.prompt, found: null } as const
  const { value, by } = await has.llm.extract(ask, signal)
  const said = value as JsonValue
  if (by !== 'model' || !isRecord(said) || !isRecord(known.data)) return undefined
  const chosen = Object.entries(said).filter(([name, one]) => fields.includes(name) && !isEmptyValue(one))
  const sources = Object.fromEntries(chosen.map(([name, one]) => [name, sourceIn(pages, name, one)]))
  return { data: { ...known.data, ...Object.fromEntries(chosen) }, sources: { ...known.sources, ...sources } }
}

/** The page whose note has the value under the same name, else one whose text says it. */
function sourceIn(pages: readonly PageRead[], field: string, value: JsonValue): ValueSource {
  const wanted = normaliseValue(value)
  for (const page of pages) {
    const path = pathIn(page.data, field, wanted, '')
    if (path !== undefined) return valueSourceOf(page, page.quotes[path] ?? null, path)
  }
  if (typeof value === 'string' || typeof value === 'number')
    for (const page of pages) {
      const found = makeEvidenceIndex([page.title, textOf(page)]).find(value, field)
      if (found) return valueSourceOf(page, found.quote)
    }
  return { ...valueSourceOf(pages[0]!, null), verified: false }
}

function pathIn(data: JsonValue, field: string, wanted: string, path: string): string | undefined {
  if (data === null || typeof data !== 'object') return undefined
  for (const [name, value] of Object.entries(data)) {
    const at = path === '' ? name : `${path}.${name}`
    if (name === field && normaliseValue(value as JsonValue) === wanted) return at
    const inner = pathIn(value as JsonValue, field, wanted, at)
    if (inner !== undefined) return inner
  }
  return undefined
}

const normaliseValue = (value: JsonValue): string => JSON.stringify(value).toLowerCase()

const textOf = ({ passages }: PageRead): string =>
  passages.map(({ headings, text }) => `${headings.join('\n')}\n${text}`).join('\n')
