// Tokens that a language model is sent, estimated from the requests themselves (three characters a token, a low estimate):
// a page of 60 kB for each format, and the choices of the recorded runs.
import { root } from '../../scripts/setup.mjs'
import { openModules } from '../../scripts/typescript-modules.mjs'

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const PAGE_BYTES = 60_000
const MAX_CHOICE = 600

export async function prove() {
  const modules = await openModules()
  try {
    const { tokensIn } = await modules.load('src/llm/tokens.ts')
    const tokensOf = ({ messages, tools, response_format }) =>
      tokensIn(
        ...messages.map(({ content }) => content),
        tools ? JSON.stringify(tools) : '',
        response_format ? JSON.stringify(response_format) : '',
      )
    return {
      title: 'Models',
      rows: [...(await pageRows(modules, tokensOf)), await choiceRow(modules, tokensOf)],
    }
  } finally {
    await modules.close()
  }
}

async function pageRows(modules, tokensOf) {
  const { startModel } = await modules.load('test/model/server.ts')
  const { openModel } = await modules.load('src/llm/model.ts')
  const { silentLog } = await modules.load('src/base/log.ts')
  const text = () => 'The harbour has forty boats, and each of them leaves at noon. '.repeat(PAGE_BYTES / 62)
  const schema = { type: 'object', properties: { boats: { type: 'integer' } } }
  const never = new AbortController().signal
  const asks = {
    json: (model) => model.extract({ schema, prompt: undefined, text, found: null }, never),
    question: (model) => model.answer({ question: 'How many boats are there?', text, found: null }, never),
    summary: (model) => model.summarise({ text, found: null }, never),
  }
  const rows = []
  for (const [format, ask] of Object.entries(asks)) {
    const server = await startModel(() => (format === 'json' ? '{"boats":40}' : 'Forty boats.'))
    try {
      await ask(openModel({ url: server.url, model: 'tiny', key: undefined, log: silentLog, contextTokens: 131_072 }))
      const tokens = server.requests.reduce((sum, request) => sum + tokensOf(request), 0)
      rows.push(
        row(
          `Tokens read for \`${format}\` of a page of 60 kB, context 131,072`,
          'published; one request',
          `${tokens} in ${server.requests.length}`,
          server.requests.length === 1,
        ),
      )
    } finally {
      await server.close()
    }
  }
  return rows
}

async function choiceRow(modules, tokensOf) {
  const { recordedIn } = await modules.load('src/llm/recording.ts')
  const choices = [...recordedIn(`${root}/test/recorded/requests`).values()].filter(({ request }) => request.tools)
  const counts = choices.map(({ request }) => tokensOf(request)).sort((one, other) => one - other)
  const mean = Math.round(counts.reduce((sum, one) => sum + one, 0) / counts.length)
  return row(
    `Tokens of a choice, ${counts.length} recorded requests on our own site`,
    `≤ ${MAX_CHOICE} on average`,
    `${mean} on average, ${counts.at(-1)} at most`,
    mean <= MAX_CHOICE,
  )
}
