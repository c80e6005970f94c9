// What a crawl with `since` costs beside a full one, on a small site whose ETags and sitemap tell the truth.
import { costOf } from '../../process.mjs'
import { startChangingSite } from './changing-site.mjs'
import { startOrb } from './jobs-context.mjs'
import { crawlAll } from './since-crawl.mjs'

const DAYS = 6

export async function sinceCost({ pages = 150, seed = 20_261_120 } = {}) {
  const site = await startChangingSite({ pages, seed, lyingShare: 0, etagShare: 1, troubleShare: 0 })
  const orb = await startOrb({ ports: [site.port], env: { ORB_SEARCH_PROVIDERS: 'none' } })
  const spent = { since: { bytes: 0, cpu: 0 }, full: { bytes: 0, cpu: 0 } }
  const measure = async (into, body) => {
    site.used()
    const before = costOf(orb.pid).cpu
    await crawlAll(orb, site, body)
    into.bytes += site.used().bytes
    into.cpu += costOf(orb.pid).cpu - before
  }
  try {
    // Twice: the first one compiles the hot paths.
    for (let times = 0; times < 2; times++) await crawlAll(orb, site, { since: 'last' })
    for (let day = 0; day < DAYS; day++) {
      site.day()
      await measure(spent.since, { since: 'last' })
      await measure(spent.full, { scrapeOptions: { maxAge: 0 } })
    }
  } finally {
    await orb.stop()
    await site.close()
  }
  return [
    ['bytes', 0.4],
    ['cpu', 0.35],
  ].map(([what, bar]) => {
    const ratio = spent.since[what] / spent.full[what]
    return {
      what: `\`since\` on a site of ${pages} pages whose server tells the truth: ${what === 'cpu' ? 'CPU' : what} compared with full crawls`,
      bar: `≤ ${bar}`,
      measured: ratio.toFixed(2),
      ok: ratio <= bar,
    }
  })
}
