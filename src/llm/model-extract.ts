// JSON of the caller's schema from a model: the page in pieces if needed, validated.
import { isObject } from '../base/values.ts'
import { askForEachPiece, askJsonConversation, type JsonConversation, type ModelCallContext } from './ask-model.ts'
import type { ExtractTask, JsonSchema } from './llm.ts'
import { ModelFault } from './model-fault.ts'
import { fencePageText, fenceStructuredData, JSON_SYSTEM_PROMPTS } from './prompts.ts'
import { mergeAnswers } from './split-long-text.ts'
import { makeSchemaCheck } from './validate-answer.ts'

/** For a prompt without a schema, which may want one thing or many. */
const SCHEMALESS_INSTRUCTION =
  'Answer with JSON: an object, or a list of objects where several things are asked for. Name the fields after the words of the request.'

/** Names under which models wrap answers unasked. */
const WRAPPER_FIELD_NAMES = ['answer', 'data', 'result', 'json', 'output', 'response', 'extracted', 'properties']

export async function extractWithModel(ask: ExtractTask, talk: ModelCallContext): Promise<unknown> {
  const { schema, prompt, job = 'read' } = ask
  const system = JSON_SYSTEM_PROMPTS[job]
  const task = [
    ...(schema && !ask.isSchemaKnown ? [`JSON Schema of the answer:\n${JSON.stringify(schema)}`] : []),
    ...(prompt ? [`What is wanted: ${prompt}`] : []),
    ...(schema ? [] : [prompt ? SCHEMALESS_INSTRUCTION : 'Answer with a flat JSON object of the main facts.']),
  ].join('\n\n')
  const facts = ask.facts?.() ?? ''
  const shape = schema ? { schema } : ('json' as const)
  const said = await askForEachPiece(ask.text(), talk, (piece, n) => {
    const content = `${fencePageText(piece, talk.source)}${n === 0 ? fenceStructuredData(facts) : ''}\n\n${task}`
    return askJsonConversation(system, [{ role: 'user', content }], shape, talk)
  })
  const answers = said.map(({ value }) => (schema ? withoutWrapper(value, schema) : value))
  const answer = answers.length === 1 ? answers[0] : mergeAnswers(answers)
  return schema ? mended(answer, schema, system, said, talk) : answer
}

async function mended(
  answer: unknown,
  schema: JsonSchema,
  system: string,
  said: readonly JsonConversation[],
  talk: ModelCallContext,
): Promise<unknown> {
  const conforms = await makeSchemaCheck(schema)
  const check = (value: unknown): string[] => [...(conforms?.(value) ?? []), ...nothingWanted(value, schema)]
  const faults = check(answer)
  if (faults.length === 0) return answer
  // Retry in the same conversation: the page, the answer, and its errors.
  const { messages } = said[0]!
  const content = [
    ...(said.length > 1
      ? [`All parts of the page together gave:\n${fencePageText(JSON.stringify(answer).slice(0, 40_000))}`]
      : []),
    `This answer does not fit the schema:\n${faults.join('\n')}`,
    'Answer with the corrected JSON value alone; use null where a value is not known.',
  ].join('\n\n')
  const again = await askJsonConversation(system, [...messages, { role: 'user', content }], { schema }, talk)
  const second = withoutWrapper(again.value, schema)
  const still = check(second)
  if (still.length > 0) throw new ModelFault('misfit', `its answer does not fit the schema: ${still[0]}`)
  return second
}

const wantedIn = ({ properties }: JsonSchema): string[] => (isObject(properties) ? Object.keys(properties) : [])

/** An answer with none of the wanted fields is invalid, although a schema without `required` accepts it. */
function nothingWanted(value: unknown, schema: JsonSchema): string[] {
  const wanted = wantedIn(schema)
  if (wanted.length === 0 || !isObject(value) || wanted.some((name) => Object.hasOwn(value, name))) return []
  return [`the answer has none of the fields asked for (${wanted.slice(0, 12).join(', ')})`]
}

function withoutWrapper(value: unknown, schema: JsonSchema): unknown {
  const wanted = wantedIn(schema)
  if (wanted.length === 0 || !isObject(value) || wanted.some((name) => Object.hasOwn(value, name))) return value
  const inner = Object.entries(value).filter(([name]) => WRAPPER_FIELD_NAMES.includes(name.toLowerCase()))
  const fits = inner.find(([, part]) => isObject(part) && wanted.some((name) => Object.hasOwn(part, name)))
  return fits ? fits[1] : value
}
