// Behaviours of endpoints that people run, one row each: the right answer by the model, or a warning that says what
// happened. Never a wrong answer without a word.
import { describe, expect, it } from 'vitest'
import { type Answer, type ChatRequest, startModel } from '../../test/model/server.ts'
import { silentLog } from '../base/log.ts'
import type { Llm, ModelAnswer, ToolSpec } from './llm.ts'
import { openOpenAiCompatibleLlm } from './openai-compatible-llm.ts'

const never = new AbortController().signal
const FACT = 'The customs house of 1784 was designed by Eleanor Marsh.'
const PAGE = `# Harbour\n\n${FACT}\n\nBoats leave daily.`
/** Longer than what some of the endpoints read; the fact is in the middle. */
const LONG = `# Harbour\n\n${'Boats of every kind come and go here.\n\n'.repeat(700)}${FACT}\n\n${'The quay is grey.\n\n'.repeat(700)}`
const SCHEMA = {
  type: 'object',
  properties: { designer: { type: 'string' }, year: { type: 'integer' } },
  required: ['designer', 'year'],
}
const JSON_ANSWER = '{"designer":"Eleanor Marsh","year":1784}'
const WORDS = 'Eleanor Marsh designed it in 1784.'
const RIGHT = { designer: 'Eleanor Marsh', year: 1784 }

type Script = (request: ChatRequest, n: number) => Answer
const inTurn =
  (...answers: Answer[]): Script =>
  (_, n) =>
    answers[Math.min(n, answers.length - 1)]!
const HANG = inTurn('hang')
const refuses = (message: string, status = 400): Answer => ({ status, body: { error: { message } } })
const busy = (after: string): Answer => ({ status: 429, headers: { 'retry-after': after } })
const seen = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join('\n')
/** Reads what it is given and answers from it alone. */
const reader = (request: ChatRequest): Answer =>
  seen(request).includes(FACT) ? JSON_ANSWER : '{"designer":null,"year":null}'

const RIGHT_ONE = 'right'
type Row = [name: string, script: Script, expected: typeof RIGHT_ONE | RegExp, page?: string]

const json: Row[] = [
  ['plain JSON', inTurn(JSON_ANSWER), RIGHT_ONE],
  ['fences', inTurn(`\`\`\`json\n${JSON_ANSWER}\n\`\`\``), RIGHT_ONE],
  ['fences without a language', inTurn(`\`\`\`\n${JSON_ANSWER}\n\`\`\``), RIGHT_ONE],
  ['fences that are not closed', inTurn(`\`\`\`json\n${JSON_ANSWER}`), RIGHT_ONE],
  ['prose before', inTurn(`Here is the data:\n${JSON_ANSWER}`), RIGHT_ONE],
  ['prose after', inTurn(`${JSON_ANSWER}\nLet me know if you need more.`), RIGHT_ONE],
  ['thoughts in tags', inTurn(`<think>It may be {"designer":"X"}.</think>${JSON_ANSWER}`), RIGHT_ONE],
  ['thoughts that only end', inTurn(`It may be {"designer":"X"}.</think>\n${JSON_ANSWER}`), RIGHT_ONE],
  ['thoughts in a field of their own', inTurn({ text: JSON_ANSWER, reasoning: 'Let me see …' }), RIGHT_ONE],
  ['thoughts and nothing else', inTurn('<think>Who was it? I keep thinking'), /no usable response/],
  ['thoughts cut off by the limit', inTurn({ text: '', finish: 'length', reasoning: 'Hm' }), /still thinking/],
  ['a trailing comma', inTurn('{"designer":"Eleanor Marsh","year":1784,}'), RIGHT_ONE],
  ['a raw line break in a string', inTurn('{"designer":"Eleanor Marsh","year":1784,"note":"a\nb"}'), RIGHT_ONE],
  ['a number as text', inTurn('{"designer":"Eleanor Marsh","year":"1784"}'), RIGHT_ONE],
  ['wrapped under `answer`', inTurn(`{"answer":${JSON_ANSWER}}`), RIGHT_ONE],
  ['wrapped under `properties`', inTurn(`{"properties":${JSON_ANSWER}}`), RIGHT_ONE],
  ['wrapped under `data`', inTurn(`{"data":${JSON_ANSWER}}`), RIGHT_ONE],
  ['a wrong type, mended when asked', inTurn('{"designer":{"name":"E"},"year":"old"}', JSON_ANSWER), RIGHT_ONE],
  ['wrong types for ever', inTurn('{"designer":{"name":"E"},"year":"old"}'), /does not fit the schema/],
  ['a list for an object', inTurn(`[${JSON_ANSWER}]`, JSON_ANSWER), RIGHT_ONE],
  ['other names, mended when asked', inTurn('{"architect":"Eleanor Marsh"}', JSON_ANSWER), RIGHT_ONE],
  ['other names for ever', inTurn('{"architect":"Eleanor Marsh"}'), /does not fit the schema/],
  ['the schema itself for ever', inTurn(JSON.stringify(SCHEMA)), /does not fit the schema/],
  ['prose, then JSON', inTurn('It was Eleanor Marsh.', JSON_ANSWER), RIGHT_ONE],
  ['prose for ever', inTurn('It was Eleanor Marsh.'), /did not respond with JSON/],
  ['nothing', inTurn(''), /did not respond with JSON/],
  ['a refusal in words', inTurn("I'm sorry, but I can't help with that."), /refused to answer/],
  ['a refusal in German', inTurn('Es tut mir leid, das kann ich nicht beantworten.'), /refused to answer/],
  ['a refusal in the protocol', inTurn({ refusal: 'No.' }), /refused to answer/],
  ['no page arrived', inTurn('Please provide the text of the web page.'), /did not receive the page/],
  ['an invented tool with the answer', () => ({ calls: [{ name: 'save', input: RIGHT }] }), RIGHT_ONE],
  ['an invented tool with another thing', inTurn({ tool: 'visit' }), /called a tool/],
  [
    'an answer cut off that goes on',
    inTurn({ text: '{"designer":"Eleanor Marsh","ye', finish: 'length' }, 'ar":1784}'),
    RIGHT_ONE,
  ],
  [
    'an answer cut off that begins again',
    inTurn({ text: '{"designer":"Eleanor', finish: 'length' }, JSON_ANSWER),
    RIGHT_ONE,
  ],
  [
    'an answer cut off for ever',
    inTurn({ text: '{"designer":"Eleanor Marsh","year":1', finish: 'length' }, { text: '', finish: 'length' }),
    /cut off/,
  ],
  ['a cut that is none', inTurn({ text: JSON_ANSWER, finish: 'length' }), RIGHT_ONE],
  [
    'no schemas',
    ({ response_format: format }) =>
      format?.type === 'json_schema' ? refuses('response_format not supported') : JSON_ANSWER,
    RIGHT_ONE,
  ],
  [
    'no JSON mode',
    ({ response_format: format }) => (format ? refuses('response_format: unknown field') : JSON_ANSWER),
    RIGHT_ONE,
  ],
  [
    'a grammar that cannot be built',
    ({ response_format: format }) =>
      format?.type === 'json_schema' ? refuses('failed to parse grammar', 500) : JSON_ANSWER,
    RIGHT_ONE,
  ],
  [
    'no temperature',
    ({ temperature }) => (temperature === undefined ? JSON_ANSWER : refuses('temperature is unsupported')),
    RIGHT_ONE,
  ],
  [
    'another name for the limit',
    ({ max_tokens: most }) =>
      most ? refuses("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'") : JSON_ANSWER,
    RIGHT_ONE,
  ],
  [
    'a smaller limit of answers',
    ({ max_tokens: most = 0 }) =>
      most > 4096 ? refuses('max_tokens is too large: at most 4096 completion tokens') : JSON_ANSWER,
    RIGHT_ONE,
  ],
  ['busy once', inTurn(busy('0'), JSON_ANSWER), RIGHT_ONE],
  ['busy for an hour', inTurn(busy('3600')), /rate limited.*3600 s/],
  ['busy for ever', inTurn(busy('0')), /rate limited/],
  ['overloaded once', inTurn({ status: 503 }, JSON_ANSWER), RIGHT_ONE],
  ['broken for ever', inTurn({ status: 500 }), /failed \(500\)/],
  ['a gateway that gives up', inTurn({ status: 504 }), /failed \(504\)/],
  ['a wrong key', inTurn({ status: 401 }), /refused the key/],
  ['no credit', inTurn(refuses('insufficient_quota', 429)), /no credit left/],
  ['an unknown model', inTurn({ status: 404 }), /no such model/],
  ['a request that it refuses', inTurn(refuses('invalid request', 422)), /refused the request/],
  ['a dropped connection', inTurn('drop'), /cannot be reached/],
  ['a dropped connection, once', inTurn('drop', JSON_ANSWER), RIGHT_ONE],
  ['a response that breaks off', inTurn('half'), /broke off/],
  ['a hang', HANG, /in time/],
  ['HTML instead of the protocol', inTurn({ status: 200, body: '<html>login</html>' }), /violates the protocol/],
  ['an empty list of choices', inTurn({ status: 200, body: { choices: [] } }), /no usable response/],
  [
    'a context that is too small, and says so',
    (request) =>
      seen(request).length > 20_000 ? refuses("This model's maximum context length is 4096 tokens") : reader(request),
    RIGHT_ONE,
    LONG,
  ],
  [
    'a context that is too small, as a 413',
    (request) => (seen(request).length > 20_000 ? { status: 413 } : reader(request)),
    RIGHT_ONE,
    LONG,
  ],
  [
    'a context that is cut in silence',
    (request) =>
      seen(request).length > 16_000
        ? { text: '{"designer":"Nobody","year":1}', promptTokens: 2048 }
        : { text: String(reader(request)), promptTokens: 1000 },
    RIGHT_ONE,
    LONG,
  ],
]

const words: Row[] = [
  ['a plain answer', inTurn(WORDS), RIGHT_ONE],
  ['thoughts before an answer', inTurn(`<think>Maybe John?</think>${WORDS}`), RIGHT_ONE],
  ['an empty answer', inTurn(''), /was empty/],
  ['a refusal instead of an answer', inTurn('As an AI language model I have no opinion.'), /refused to answer/],
  ['a request for the page', inTurn('I cannot see any web page.'), /did not receive the page/],
  ['a French refusal', inTurn('Désolé, je ne peux pas répondre.'), /refused to answer/],
  ['an answer cut off, then the rest', inTurn({ text: 'Eleanor Marsh desi', finish: 'length' }, 'gned it.'), RIGHT_ONE],
  ['an answer cut off for good', inTurn({ text: 'Eleanor Marsh', finish: 'length' }, ''), /cut off/],
]

/** An endpoint of its own for each row: rows that wait for a retry wait together. */
async function withModel<T>(answers: Script, use: (model: Llm) => Promise<T>): Promise<T> {
  const server = await startModel(answers)
  const timeoutMs = answers === HANG ? 300 : 30_000
  try {
    return await use(
      openOpenAiCompatibleLlm({ url: server.url, model: 'tiny', key: undefined, log: silentLog, timeoutMs }),
    )
  } finally {
    await server.close()
  }
}

function hold(answer: ModelAnswer<unknown>, expected: Row[2], isRight: () => void): void {
  if (expected === RIGHT_ONE) {
    expect(answer.by, answer.warnings.join()).toBe('model')
    isRight()
  } else expect(answer.warnings.join(' ')).toMatch(expected)
}

describe('data by a schema from an endpoint with', () => {
  it.concurrent.each(json)('%s', async (_name, answers, expected, page = PAGE) => {
    const ask = { schema: SCHEMA, prompt: undefined, text: () => page, found: null }
    const answer = await withModel(answers, (model) => model.extract(ask, never))
    hold(answer, expected, () => expect(answer.value).toMatchObject(RIGHT))
  })
})

describe('an answer from an endpoint with', () => {
  it.concurrent.each(words)('%s', async (_name, answers, expected) => {
    const ask = { question: 'Who designed it?', text: () => PAGE, found: null }
    const answer = await withModel(answers, (model) => model.answer(ask, never))
    hold(answer, expected, () => expect(answer.value).toContain('Eleanor Marsh'))
    expect(String(answer.value)).not.toMatch(/<think|John/)
  })
})

describe('a choice by an endpoint with', () => {
  const tools: ToolSpec[] = [
    { name: 'read', use: 'Reads links.', slots: { links: { type: 'array', items: { type: 'integer' } } } },
    { name: 'finish', use: 'Ends.', slots: {} },
  ]
  const schema = { type: 'object', properties: { visit: { type: 'array', items: { type: 'integer' } } } }
  const choices: [string, Script, unknown][] = [
    ['tools', inTurn({ calls: [{ name: 'read', input: { links: [2] } }] }), { steps: [{ tool: 'read', links: [2] }] }],
    ['no tools', ({ tools: some }) => (some ? refuses('tools are not supported') : '{"visit":[2]}'), { visit: [2] }],
    ['a choice in words', inTurn('{"visit":[2]}'), { visit: [2] }],
    [
      'a template without tools',
      ({ tools: some }) => (some ? refuses('template does not support tools', 500) : '{"visit":[2]}'),
      { visit: [2] },
    ],
  ]
  it.concurrent.each(choices)('%s', async (_name, answers, expected) => {
    const ask = { text: () => '1. A\n2. B', prompt: 'Task: find B', tools, schema, found: null }
    const answer = await withModel(answers, (model) => model.choose(ask, never))
    expect(answer).toMatchObject({ by: 'model', value: expected })
  })
})
