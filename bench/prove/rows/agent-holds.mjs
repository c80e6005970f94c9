// What must hold for agent runs whatever happens: the cap is never passed, a kill loses nothing and pays nothing twice, a cancel
// is done within a second.
import { sleep } from '../../process.mjs'
import { newDatabase, newFolder, startOrb, until } from './jobs-context.mjs'

const props = (...names) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
const listOf = (name, properties) => ({
  type: 'object',
  properties: { [name]: { type: 'array', items: { type: 'object', properties } } },
})
const TASKS = [
  {
    prompt: 'Find who founded Tarn Boats, when, and its e-mail address',
    start: '/tarn/',
    schema: { type: 'object', properties: props('founder', 'founded', 'email') },
  },
  {
    prompt: 'List all boats with name, price and length',
    start: '/tarn/',
    schema: listOf('boats', props('name', 'price', 'length')),
  },
  { prompt: 'Who founded Tarn Boats and how do I reach them?', start: '/tarn/' },
  { prompt: 'How long is the Heron?', start: '/tarn/boats' },
]

/** `delayMs`: how long each page takes, so that runs last. */
async function context(load, delayMs = 0) {
  const { agentPages } = await load('site/agent-web.ts')
  const { startSite } = await load('site/site.ts')
  const slowly = (page) => async (scene) => {
    await sleep(delayMs)
    return page(scene)
  }
  const pages = Object.entries(agentPages).map(([path, page]) => [path, delayMs > 0 ? slowly(page) : page])
  const site = await startSite(Object.fromEntries(pages))
  const bodyOf = ({ prompt, start, schema }) => ({
    prompt,
    effort: 'high',
    urls: [site.url + start],
    ...(schema ? { schema } : {}),
  })
  return { tasks: TASKS, site, bodyOf }
}

const ended = (orb, id) =>
  until(async () => {
    const run = await orb.call('GET', `/v2/agent/${id}`)
    return run.status && run.status !== 'processing' ? run : undefined
  })

/** Runs under random caps, eight at once: what was reserved or paid never passes the cap, at any look. */
export async function capRow(load, runs) {
  const { tasks, site, bodyOf } = await context(load)
  const orb = await startOrb({ ports: [site.port] })
  let [looks, passed, stopped, billed] = [0, 0, 0, 0]
  try {
    let next = 0
    const worker = async () => {
      for (let n = next++; n < runs; n = next++) {
        const maxCredits = 1 + Math.floor(Math.random() * 110)
        const { id } = await orb.call('POST', '/v2/agent', {
          ...bodyOf(tasks[n % tasks.length]),
          maxCredits,
        })
        const run = await until(
          async () => {
            const answer = await orb.call('GET', `/v2/agent/${id}`)
            looks++
            if (answer.creditsUsed > maxCredits) passed++
            return answer.status && answer.status !== 'processing' ? answer : undefined
          },
          600_000,
          50,
        )
        if (run.status === 'failed') stopped++
        billed += run.creditsUsed
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    const { periods } = await orb.call('GET', '/v2/team/credit-usage/historical')
    const paid = periods.at(-1)?.creditsUsed ?? 0
    return {
      what: `${runs} runs with random \`maxCredits\`, 8 at once: maximum exceeded; credits charged and reported`,
      bar: 'never; the same',
      measured: `${passed} times in ${looks} looks (${stopped} runs ended at their cap); ${paid} and ${billed}`,
      ok: passed === 0 && paid === billed,
    }
  } finally {
    await orb.stop()
    await site.close()
  }
}

export async function cancelRow(load, runs) {
  const { tasks, site, bodyOf } = await context(load, 250)
  const orb = await startOrb({ ports: [site.port] })
  const waits = []
  let late = 0
  try {
    for (let n = 0; n < runs; n++) {
      const task = tasks[n % tasks.length]
      const { id } = await orb.call('POST', '/v2/agent', { ...bodyOf(task), urls: [`${site.url}${task.start}?n=${n}`] })
      await sleep(Math.random() * 1500)
      const from = performance.now()
      const { success } = await orb.call('DELETE', `/v2/agent/${id}`)
      await until(async () => (await orb.call('GET', `/v2/agent/${id}`)).status !== 'processing', 20_000, 20)
      if (success) waits.push(performance.now() - from)
      const visits = site.visits().length
      await sleep(300)
      if (site.visits().length > visits) late++
    }
    const most = Math.max(0, ...waits)
    return {
      what: `Runs cancelled at a random moment: longest time until the end of ${waits.length} runs; later visits`,
      bar: '≤ 1 s; 0',
      measured: `${(most / 1000).toFixed(2)} s; ${late}`,
      ok: most <= 1000 && late === 0 && waits.length > 0,
    }
  } finally {
    await orb.stop()
    await site.close()
  }
}

/** kill -9 at random moments until all runs are over: each ends, pays no step twice, and its trace is in order. */
export async function killRow(load, kills, name, postgres) {
  const { tasks, site, bodyOf } = await context(load)
  const dataDir = newFolder()
  const env = postgres ? { ORB_DATABASE_URL: await newDatabase(postgres.url) } : {}
  const start = () => startOrb({ ports: [site.port], dataDir, env })
  let orb = await start()
  let [faults, twice, dearer] = [0, 0, 0]
  const begun = []
  const begin = async (task) => (await orb.call('POST', '/v2/agent', bodyOf(task))).id
  try {
    for (let n = 0; n < kills; n++) {
      for (let more = 0; more < 2; more++) {
        const task = tasks[(n * 2 + more) % tasks.length]
        const id = await begin(task)
        if (id) begun.push({ id, task })
      }
      await sleep(Math.random() * 1200)
      await orb.end('SIGKILL')
      orb = await start()
    }
    let billed = 0
    for (const { id, task } of begun) {
      const run = await ended(orb, id)
      const calm = await ended(orb, await begin(task))
      billed += run.creditsUsed + calm.creditsUsed
      // Killed between two steps that belong together, a run may go another way: told, and no fault.
      if (run.creditsUsed > calm.creditsUsed) dearer++
      const { events } = await orb.call('GET', `/v2/agent/${id}/trace`)
      if (!wellOrdered(events)) faults++
      twice += takenTwice(events)
    }
    const { periods } = await orb.call('GET', '/v2/team/credit-usage/historical')
    const paid = periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
    return {
      what: `kill -9 at ${kills} random moments, ${name}: ${begun.length} runs; traces out of order; steps run twice; credits charged and reported`,
      bar: 'all end; 0; 0; the same',
      measured: `all ended; ${faults}; ${twice}; ${paid} and ${billed} (${dearer} runs needed more steps than without a kill)`,
      ok: faults === 0 && twice === 0 && paid === billed,
    }
  } finally {
    await orb.stop()
    await site.close()
  }
}

/** Steps with the same tool and input as one before that had ended: they would be paid again. */
function takenTwice(events) {
  const ended = new Set(events.filter(({ type }) => type === 'tool_call.finished').map(({ toolCallId }) => toolCallId))
  const inputs = events
    .filter(({ type, toolCallId }) => type === 'tool_call.started' && ended.has(toolCallId))
    .map(({ toolName, parameters }) => JSON.stringify([toolName, parameters]))
  return inputs.length - new Set(inputs).size
}

function wellOrdered(events) {
  const types = events.map(({ type }) => type)
  const once = (type) => types.filter((one) => one === type).length === 1
  const calls = (type) => events.filter((one) => one.type === type).map(({ toolCallId }) => toolCallId)
  const [started, finished] = [calls('tool_call.started'), calls('tool_call.finished')]
  const unique = (list) => new Set(list).size === list.length
  const agents = (type) =>
    events
      .filter((one) => one.type === type)
      .map(({ agent }) => agent.id)
      .sort()
      .join()
  return (
    types[0] === 'run.started' &&
    types.at(-1) === 'run.finished' &&
    once('run.finished') &&
    once('run.started') &&
    unique(started) &&
    unique(finished) &&
    finished.every((id) => started.includes(id)) &&
    agents('agent.started') === agents('agent.finished')
  )
}
