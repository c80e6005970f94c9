// Memory of a service that is used for everything in turns: rounds of a crawl, scrapes, `json` and searches, each followed
// by a rest. Growth from round to round would be a leak.
import { join } from 'node:path'
import { costOf, sleep } from '../../process.mjs'
import { finished, startOrb, startWeb } from './jobs-context.mjs'

const REST_MS = 25_000
const AFTER_MS = 60_000
const SAMPLE_MS = 250
const JSON_SCHEMA = { type: 'object', properties: { title: { type: 'string' }, author: { type: 'string' } } }

/** Beside the build in the folder `before`, if there is one. */
export async function mixedRows(before, sizes) {
  const now = await mixedUse(sizes)
  const then = before && (await mixedUse({ ...sizes, main: join(before, 'dist/main.js') }))
  const row = (what, figure, most, unit = ' MB') => {
    const [measured, earlier] = [figure(now), then && figure(then)]
    return {
      what: `mixed use: ${what}`,
      bar: `≤ ${most}${unit}`,
      measured: earlier === undefined ? `${measured}${unit}` : `${measured}${unit} (${earlier}${unit} before)`,
      ok: measured <= most,
    }
  }
  const mb = (bytes) => Math.round(bytes / 1e6)
  return [
    row('memory at rest, most of all rounds', ({ rests }) => mb(Math.max(...rests)), 320),
    row('memory at rest after the last round, as a multiple of the second', growth, 1.05, ' ×'),
    row('peak', ({ peak }) => mb(peak), 500),
    row('memory a minute later', ({ minuteLater }) => mb(minuteLater), 320),
  ]
}

const growth = ({ rests }) => Number((rests.at(-1) / rests[1]).toFixed(2))

/** Bytes at rest after each round, at most, and a minute after the last rest; `orb` is passed to `startOrb`. */
export async function mixedUse({ rounds = 6, scale = 1, ...orb } = {}) {
  const size = (count) => Math.ceil(count * scale)
  const web = await startWeb(size(400))
  const service = await startOrb({ ports: [web.port], ...orb })
  const held = () => costOf(service.pid).rss
  let peak = held()
  const sampler = setInterval(() => {
    peak = Math.max(peak, held())
  }, SAMPLE_MS)
  let next = 0
  const succeed = async (path, body) => {
    const reply = await service.call('POST', path, body)
    if (!reply.success) throw new Error(`${path}: ${JSON.stringify(reply).slice(0, 300)}`)
    return reply
  }
  const scrape = (formats) => succeed('/v2/scrape', { url: `${web.url}/static/${next++}`, formats, maxAge: 0 })
  const many = async (count, atOnce, one) => {
    let taken = 0
    const client = async () => {
      while (taken++ < count) await one()
    }
    await Promise.all(Array.from({ length: atOnce }, client))
  }
  try {
    const rests = []
    for (let round = 0; round < rounds; round++) {
      const scrapeOptions = { formats: ['markdown'], maxAge: 0 }
      const { id } = await succeed('/v2/crawl', { url: `${web.url}/`, limit: size(400), scrapeOptions })
      await finished(service, id)
      await many(size(800), 16, () => scrape(['markdown']))
      await many(size(80), 4, () => scrape([{ type: 'json', schema: JSON_SCHEMA }]))
      await many(size(20), 2, () => succeed('/v2/search', { query: `handbook of article ${next++}`, limit: 3 }))
      await sleep(REST_MS)
      rests.push(held())
    }
    await sleep(AFTER_MS)
    return { rests, peak, minuteLater: held() }
  } finally {
    clearInterval(sampler)
    await service.stop()
    web.stop()
  }
}
