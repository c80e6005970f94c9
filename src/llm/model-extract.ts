// JSON of the caller's schema from a model: the page in pieces if needed, validated, and asked once more with the
// errors in the same conversation.
import { isObject } from '../base/values.ts'
import { type Conversation, conversation, overPieces, type Talk } from './ask-model.ts'
import { checkFor } from './conform.ts'
import type { ExtractAsk, JsonSchema } from './llm.ts'
import { merged } from './long-text.ts'
import { ModelFault } from './model-fault.ts'
import { JSON_JOBS, page, stated } from './prompts.ts'

/** A free question may want one thing or many. */
const FREE =
  'Answer with JSON: an object, or a list of objects where several things are asked for. Name the fields after the words of the request.'

/** Names under which models wrap answers unasked. */
const WRAPPERS = ['answer', 'data', 'result', 'json', 'output', 'response', 'extracted', 'properties']

export async function extract(ask: ExtractAsk, talk: Talk): Promise<unknown> {
  const { schema, prompt, job = 'read' } = ask
  const system = JSON_JOBS[job]
  const task = [
    ...(schema && !ask.isSchemaKnown ? [`JSON Schema of the answer:\n${JSON.stringify(schema)}`] : []),
    ...(prompt ? [`What is wanted: ${prompt}`] : []),
    ...(schema ? [] : [prompt ? FREE : 'Answer with a flat JSON object of the main facts.']),
  ].join('\n\n')
  const facts = ask.facts?.() ?? ''
  const shape = schema ? { schema } : ('json' as const)
  const said = await overPieces(ask.text(), talk, (piece, n) => {
    const content = `${page(piece, talk.source)}${n === 0 ? stated(facts) : ''}\n\n${task}`
    return conversation(system, [{ role: 'user', content }], shape, talk)
  })
  const answers = said.map(({ value }) => (schema ? withoutWrapper(value, schema) : value))
  const answer = answers.length === 1 ? answers[0] : merged(answers)
  return schema ? mended(answer, schema, system, said, talk) : answer
}

async function mended(
  answer: unknown,
  schema: JsonSchema,
  system: string,
  said: readonly Conversation[],
  talk: Talk,
): Promise<unknown> {
  const conforms = await checkFor(schema)
  const check = (value: unknown): string[] => [...(conforms?.(value) ?? []), ...nothingWanted(value, schema)]
  const faults = check(answer)
  if (faults.length === 0) return answer
  // Retry in the same conversation: the page, the answer, and its errors.
  const { messages } = said[0]!
  const content = [
    ...(said.length > 1
      ? [`All parts of the page together gave:\n${page(JSON.stringify(answer).slice(0, 40_000))}`]
      : []),
    `This answer does not fit the schema:\n${faults.join('\n')}`,
    'Answer with the corrected JSON value alone; use null where a value is not known.',
  ].join('\n\n')
  const again = await conversation(system, [...messages, { role: 'user', content }], { schema }, talk)
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
  const inner = Object.entries(value).filter(([name]) => WRAPPERS.includes(name.toLowerCase()))
  const fits = inner.find(([, part]) => isObject(part) && wanted.some((name) => Object.hasOwn(part, name)))
  return fits ? fits[1] : value
}
