// A hundred tasks on the agents' web, by rules and with a model that is a script: what is right, what is wrong, how many pages
// it took, and whether the price that was quoted was the price that was paid.
import { startOrb, until } from './jobs-ground.mjs'

const AT_ONCE = 4

/** Runs every task once; what came of each. */
export async function runTasks(load, { model } = {}) {
  const { makeWorld, asPages, schemaOf, graded, isSealed } = await load('agent/world.ts')
  const { startSite } = await load('site/site.ts')
  const world = makeWorld()
  const site = await startSite(asPages(world))
  const server = model ? await (await load('model/server.ts')).startModel(await model(load, world)) : undefined
  const env = server ? { ORB_LLM_URL: server.url, ORB_LLM_MODEL: 'script' } : {}
  const ports = [site.port, ...(server ? [Number(new URL(server.url).port)] : [])]
  const orb = await startOrb({ ports, env })
  try {
    const results = []
    const waiting = [...world.tasks]
    const worker = async () => {
      for (let task = waiting.shift(); task; task = waiting.shift()) {
        const { prompt, effort } = task
        const body = { prompt, effort, urls: [site.url + task.start], schema: schemaOf(task) }
        const { quote } = await orb.call('POST', '/v2/agent', { ...body, dryRun: true })
        const { id } = await orb.call('POST', '/v2/agent', body)
        const run = await until(async () => {
          const answer = await orb.call('GET', `/v2/agent/${id}`)
          return answer.status && answer.status !== 'processing' ? answer : undefined
        })
        const { events } = await orb.call('GET', `/v2/agent/${id}/trace`)
        const pages = events.filter(
          ({ type, toolName }) => type === 'tool_call.started' && toolName === 'scrape',
        ).length
        const grade = graded(task, run.data)
        results.push({
          task,
          sealed: isSealed(task),
          grade,
          pages,
          credits: run.creditsUsed,
          quote: quote.estimatedCredits,
          run,
        })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return results
  } finally {
    await orb.stop()
    await site.close()
    await server?.close()
  }
}

export const sums = (results) =>
  results.reduce(
    (sum, { grade }) => ({
      right: sum.right + grade.right,
      wrong: sum.wrong + grade.wrong,
      missing: sum.missing + grade.missing,
    }),
    { right: 0, wrong: 0, missing: 0 },
  )

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const share = ({ right, wrong, missing }) => right / Math.max(1, right + wrong + missing)
const wrongShare = ({ right, wrong, missing }) => wrong / Math.max(1, right + wrong + missing)
const percent = (value) => `${(value * 100).toFixed(1)} %`

/** The rows of one way to plan. */
export function taskRows(name, results, bar) {
  const sealed = sums(results.filter((one) => one.sealed))
  const open = sums(results.filter((one) => !one.sealed))
  const pages = median(results.map((one) => one.pages))
  return [
    {
      what: `100 tasks over our own web, ${name}: fields right and wrong, sealed half`,
      bar: `≥ ${bar} right, ≤ 3 % wrong`,
      measured: `${share(sealed).toFixed(3)} right, ${percent(wrongShare(sealed))} wrong (open half: ${share(open).toFixed(3)}, ${percent(wrongShare(open))})`,
      ok: share(sealed) >= bar && wrongShare(sealed) <= 0.03,
    },
    { what: `Pages a task takes ${name}, median`, bar: '≤ 12', measured: String(pages), ok: pages <= 12 },
  ]
}

/** Every value of a run has a quote, and the quote stands on the page it names. */
export async function quotedRow(load, results) {
  const { makeWorld } = await load('agent/world.ts')
  const { pages } = makeWorld()
  const texts = new Map(pages.map(({ path, html }) => [path, plain(html)]))
  let values = 0
  let standing = 0
  for (const { run } of results)
    for (const { url, quote } of Object.values(run.sources ?? {})) {
      values++
      const { pathname, search } = new URL(url)
      const text = texts.get(pathname + search) ?? texts.get(pathname) ?? ''
      if (quote && text.includes(plain(quote).slice(0, 60))) standing++
    }
  return {
    what: 'The same with the scripted model: values whose quote stands on the page it names',
    bar: 'all',
    measured: `${standing} of ${values}`,
    ok: values > 0 && standing === values,
  }
}

const plain = (text) =>
  text
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/[^\p{L}\p{N}@.$€+-]+/gu, ' ')
    .toLowerCase()
    .trim()

export function quoteRow(results) {
  const paid = results.filter(({ run }) => run.status === 'completed')
  const near = paid.filter(({ quote, credits }) => Math.abs(quote - credits) <= credits * 0.25)
  return {
    what: 'The price that was quoted beforehand within ± 25 % of the price paid',
    bar: '≥ 80 % of tasks',
    measured: `${near.length} of ${paid.length}`,
    ok: near.length >= paid.length * 0.8,
  }
}
