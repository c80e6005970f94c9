// JSON of the caller's schema from a model: the page in pieces if needed, validated.
import { isObject } from '../base/values.ts'
import { askForEachPiece, askJsonConversation, type JsonConversation, type ModelCallContext } from './ask-model.ts'
import { coerceToSchema } from './coerce-to-schema.ts'
import type { ExtractTask, JsonSchema } from './llm.ts'
import { ModelFault } from './model-fault.ts'
import { fencePageText, fenceStructuredData, JSON_SYSTEM_PROMPTS } from './prompts.ts'
import { mergeAnswers } from './split-long-text.ts'
import { type Misfit, makeSchemaCheck, withoutMisfits } from './validate-answer.ts'

/** For a prompt without a schema, which may want one thing or many. */
const SCHEMALESS_INSTRUCTION =
  'Answer with JSON: an object, or a list of objects where several things are asked for. Name the fields after the words of the request.'

/** Names under which models wrap answers unasked. */
const WRAPPER_FIELD_NAMES = ['answer', 'data', 'result', 'json', 'output', 'response', 'extracted', 'properties']

export async function extractWithModel(ask: ExtractTask, talk: ModelCallContext): Promise<unknown> {
  const { schema, prompt, job = 'read' } = ask
  const system = JSON_SYSTEM_PROMPTS[job]
  const task = [
    ...(schema && !ask.isSchemaKnown ? [writeSchema(schema, talk)] : []),
    ...(prompt ? [`What is wanted: ${prompt}`] : []),
    ...(schema ? [] : [prompt ? SCHEMALESS_INSTRUCTION : 'Answer with a flat JSON object of the main facts.']),
  ].join('\n\n')
  const facts = ask.facts?.() ?? ''
  const shape = schema ? { schema } : ('json' as const)
  const said = await askForEachPiece(ask.text(), talk, (piece, n) => {
    const content = `${fencePageText(piece, talk.source)}${n === 0 ? fenceStructuredData(talk.links.shorten(facts)) : ''}\n\n${task}`
    return askJsonConversation(system, [{ role: 'user', content }], shape, talk)
  })
  const answers = said.map(({ value }) => (schema ? withoutWrapper(value, schema) : value))
  const answer = answers.length === 1 ? answers[0] : mergeAnswers(answers)
  return schema ? repairAnswer(answer, schema, system, said, talk, job === 'read' || job === 'compose') : answer
}

/** Not the whole schema twice: most servers only constrain the answer by the one beside the prompt, and hide it. */
function writeSchema(schema: JsonSchema, { endpoint }: ModelCallContext): string {
  const shape = endpoint.facts.json === 'schema' ? describeSchema(schema) : undefined
  return shape === undefined
    ? `JSON Schema of the answer:\n${JSON.stringify(schema)}`
    : `JSON Schema of the answer, in short:\n${shape}`
}

/** The answer in the types of the schema. What does not fit, asked for again in vain, is left out and reported. */
async function repairAnswer(
  answer: unknown,
  schema: JsonSchema,
  system: string,
  said: readonly JsonConversation[],
  talk: ModelCallContext,
  mayBePartial: boolean,
): Promise<unknown> {
  const conforms = await makeSchemaCheck(schema)
  const check = (value: unknown): Misfit[] => {
    const nothing = nothingWanted(value, schema)
    return nothing ? [nothing] : (conforms?.(value) ?? [])
  }
  const first = coerceToSchema(answer, schema)
  const faults = check(first)
  if (faults.length === 0) return first
  // Retry in the same conversation: the page, the answer, and its errors.
  const { messages } = said[0]!
  const content = [
    ...(said.length > 1
      ? [`All parts of the page together gave:\n${fencePageText(JSON.stringify(answer).slice(0, 40_000))}`]
      : []),
    `This answer does not fit the schema:\n${faults.map(({ line }) => `- ${line}`).join('\n')}`,
    'Answer with the corrected JSON value alone; use null where a value is not known.',
  ].join('\n\n')
  // The first answer is useful even if the second fails.
  const again = await askJsonConversation(system, [...messages, { role: 'user', content }], { schema }, talk).catch(
    (error: unknown) => {
      if (error instanceof ModelFault) return undefined
      throw error
    },
  )
  const second = again ? coerceToSchema(withoutWrapper(again.value, schema), schema) : first
  const still = check(second)
  if (still.length === 0) return second
  const useful = mayBePartial
    ? [second, first].map((value) => fittingPart(value, check)).find((value) => !isEmpty(value))
    : undefined
  if (useful === undefined) throw new ModelFault('misfit', `its answer does not fit the schema: ${still[0]!.line}`)
  talk.isPartial = true
  talk.warnings.push(
    `What the model gave does not fit the schema and was left out: ${still.map(({ line, given }) => `${line}, not ${given}`).join('; ')}.`,
  )
  return useful
}

const MAX_ROUNDS = 4

/** The answer without its misfits; undefined when nothing can be kept. */
function fittingPart(value: unknown, check: (value: unknown) => Misfit[]): unknown {
  let kept = value
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const misfits = check(kept)
    if (misfits.length === 0) return kept
    if (misfits.some(({ path }) => path.length === 0)) return undefined
    const paths = misfits.map(({ path }) => path)
    kept = withoutMisfits(kept, paths)
  }
  return undefined
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isEmpty))

const wantedIn = ({ properties }: JsonSchema): string[] => (isObject(properties) ? Object.keys(properties) : [])

/** An answer with none of the wanted fields is invalid, although a schema without `required` accepts it. */
function nothingWanted(value: unknown, schema: JsonSchema): Misfit | undefined {
  const wanted = wantedIn(schema)
  if (wanted.length === 0 || !isObject(value) || wanted.some((name) => Object.hasOwn(value, name))) return undefined
  return { path: [], line: `it has none of the fields asked for (${wanted.slice(0, 12).join(', ')})` }
}

function withoutWrapper(value: unknown, schema: JsonSchema): unknown {
  const wanted = wantedIn(schema)
  if (wanted.length === 0 || !isObject(value) || wanted.some((name) => Object.hasOwn(value, name))) return value
  const inner = Object.entries(value).filter(([name]) => WRAPPER_FIELD_NAMES.includes(name.toLowerCase()))
  const fits = inner.find(([, part]) => isObject(part) && wanted.some((name) => Object.hasOwn(part, name)))
  return fits ? fits[1] : value
}

const KNOWN = new Set([
  ...['$schema', 'title', 'description', 'type', 'properties', 'required', 'items', 'enum', 'format'],
  'additionalProperties',
])
const MAX_DEPTH = 12

/** Such as `{name: string, tags: [string], price: number (in euros)}`; undefined: the schema says more than a shape can. */
export function describeSchema(schema: JsonSchema, depth = 0): string | undefined {
  if (depth > MAX_DEPTH || Object.keys(schema).some((keyword) => !KNOWN.has(keyword))) return undefined
  if (isObject(schema.additionalProperties)) return undefined
  const shape = shapeOf(schema, depth)
  if (shape === undefined) return undefined
  const notes = [schema.format, schema.description].filter((text) => typeof text === 'string' && text !== '')
  return notes.length > 0 ? `${shape} (${notes.join(', ')})` : shape
}

function shapeOf({ type, properties, items, enum: values }: JsonSchema, depth: number): string | undefined {
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (isObject(properties)) {
    const fields = Object.entries(properties).map(([name, part]) => {
      const text = isObject(part) ? describeSchema(part, depth + 1) : undefined
      return text === undefined ? undefined : `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${text}`
    })
    return fields.includes(undefined) ? undefined : `{${fields.join(', ')}}`
  }
  if (isObject(items)) {
    const text = describeSchema(items, depth + 1)
    return text === undefined ? undefined : `[${text}]`
  }
  const types = [type].flat()
  if (types.length === 0 || !types.every((one) => typeof one === 'string')) return undefined
  return types.includes('object') || types.includes('array') ? undefined : types.join(' | ')
}
