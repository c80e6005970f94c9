// Language models at full size: the tokens they are sent, counted by a tokenizer (o200k), and an endpoint that takes 90 seconds for
// each answer. `PROVE_ROWS=tokens,slow` measures only some of it.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { root, setUp } from '../../scripts/setup.mjs'
import { openModules } from '../../scripts/typescript-modules.mjs'
import { startOrb } from './rows/jobs-context.mjs'

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const PAGE_BYTES = 60_000
const MAX_CHOICE = 600
const MAX_STEP = 900
const SLOW_MS = 90_000

const tokensOf = ({ messages, tools, response_format }) =>
  [
    ...messages.map(({ content }) => content),
    tools ? JSON.stringify(tools) : '',
    response_format ? JSON.stringify(response_format) : '',
  ].reduce((sum, text) => sum + encode(text).length, 0)

export async function prove() {
  setUp()
  const parts = (process.env.PROVE_ROWS ?? 'tokens,slow').split(',')
  const modules = await openModules()
  try {
    const rows = []
    if (parts.includes('tokens'))
      rows.push(...(await pageRows(modules)), await choiceRow(modules), await stepRow(modules))
    if (parts.includes('slow')) rows.push(await slowRow(modules))
    return { title: 'Models', rows }
  } finally {
    await modules.close()
  }
}

async function pageRows(modules) {
  const { startModel } = await modules.load('test/model/server.ts')
  const { openOpenAiCompatibleLlm: openModel } = await modules.load('src/llm/openai-compatible-llm.ts')
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
          `Input tokens of \`${format}\` for a page of 60 kB, context 131,072`,
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

async function choiceRow(modules) {
  const { readRecordings: recordedIn } = await modules.load('test/model/recordings.ts')
  const choices = [...recordedIn(`${root}/test/recorded/requests`).values()].filter(({ request }) => request.tools)
  const counts = choices.map(({ request }) => tokensOf(request))
  return row(
    `Tokens per choice of the agent, ${counts.length} recorded requests`,
    `≤ ${MAX_CHOICE}`,
    spread(counts),
    Math.max(...counts) <= MAX_CHOICE,
  )
}

const spread = (counts) =>
  `${Math.round(counts.reduce((sum, one) => sum + one, 0) / counts.length)} on average, ${Math.max(...counts)} at most`

/** Steps on the longest pages of our own site, by a model that only scrolls. */
async function stepRow(modules) {
  const { startModel } = await modules.load('test/model/server.ts')
  const { startSite } = await modules.load('test/site/site.ts')
  const { interactPages } = await modules.load('test/site/interact.ts')
  const site = await startSite(interactPages)
  const model = await startModel(() =>
    JSON.stringify({ steps: [{ command: 'scroll', target: 'down' }], finished: false }),
  )
  const orb = await startOrb({ ports: [site.port], env: { ORB_LLM_URL: model.url, ORB_LLM_MODEL: 'scrolling' } })
  try {
    const { id } = await orb.call('POST', '/v2/interact', {})
    for (const path of ['/interact/shop', '/interact/forum', '/interact/shop/checkout']) {
      await orb.call('POST', `/v2/interact/${id}/execute`, { code: `await page.goto('${site.url}${path}'); 1` })
      await orb.call('POST', `/v2/interact/${id}/prompt`, { prompt: 'Find the cheapest tent and buy it', timeout: 60 })
    }
    const counts = model.requests.map(tokensOf)
    return row(
      `Tokens per interact step, ${counts.length} steps`,
      `≤ ${MAX_STEP}`,
      spread(counts),
      Math.max(...counts) <= MAX_STEP,
    )
  } finally {
    await orb.stop()
    await model.close()
    await site.close()
  }
}

async function slowRow(modules) {
  const { slowFaults } = await modules.load('test/model/slow.ts')
  const start = async (env) => {
    const ports = [Number(new URL(`http://${env.ORB_ALLOW_PRIVATE}`).port)]
    const orb = await startOrb({ ports, env })
    const call = async (...request) => ({ status: 200, json: await orb.call(...request) })
    return { call, stop: orb.stop }
  }
  const times = { answerMs: SLOW_MS, promptMs: SLOW_MS, pageMs: 45_000, isAllSlow: true }
  const faults = await slowFaults({ ...times, start })
  for (const fault of faults) console.error(fault)
  return row(
    'Endpoint that responds after 90 s: results by the model for all uses; page text outside its marks in a prompt',
    'all by the model; none',
    faults.length === 0 ? 'all by the model; none' : `${faults.length} faults`,
    faults.length === 0,
  )
}
