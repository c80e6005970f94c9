// Thirty days of a living site, crawled every day with `since`: what is missed, what is reported for nothing, and what it
// costs beside crawling everything. `PROVE_SMALL=1` takes a tenth of the pages and ten days, `PROVE_PAGES` and `PROVE_DAYS`
// others.
import { setUp } from '../../scripts/setup.mjs'
import { costOf } from '../process.mjs'
import { openScore, startChangingSite } from './rows/changing-site.mjs'
import { startOrb } from './rows/jobs-context.mjs'
import { crawlAll } from './rows/since-crawl.mjs'

const percent = (share) => `${(share * 100).toFixed(2)} %`

const isSmall = process.env.PROVE_SMALL === '1'
const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })

export async function prove() {
  setUp()
  const wanted = process.env.PROVE_ROWS?.split(',') ?? ['days', 'kills', 'recall']
  const rows = []
  if (wanted.includes('days')) rows.push(...(await dayRows()))
  if (wanted.includes('kills')) rows.push(await killRow())
  if (wanted.includes('recall')) rows.push(await recallRow())
  return { title: 'Sync', rows }
}

async function killRow() {
  const { syncKills } = await import('./rows/sync-kills.mjs')
  const kills = Number(process.env.PROVE_KILLS ?? (isSmall ? 6 : 30))
  const faults = await syncKills({ kills, pages: isSmall ? 60 : 200 })
  for (const fault of faults.slice(0, 10)) console.error(fault)
  return row(
    `kill -9 of \`orb sync\` and of the service, ${kills} times: state of folder and index`,
    'identical to the site',
    faults.length === 0 ? 'identical to the site' : `${faults.length} faults`,
    faults.length === 0,
  )
}

async function recallRow() {
  const { chunkRecall } = await import('./rows/chunk-recall.mjs')
  const { questions, pages, ours, cuts } = await chunkRecall()
  const gain = ours.share - cuts.share
  return row(
    `recall@5 of ${questions} questions over ${pages} pages: chunks compared with pieces of 512 tokens`,
    'higher by ≥ 0.05',
    `${ours.share.toFixed(3)} beside ${cuts.share.toFixed(3)}`,
    gain >= 0.05,
  )
}

async function dayRows() {
  const { PROVE_PAGES = isSmall ? 200 : 2000, PROVE_DAYS = isSmall ? 10 : 30 } = process.env
  const [pages, days] = [Number(PROVE_PAGES), Number(PROVE_DAYS)]
  const site = await startChangingSite({ pages, seed: Number(process.env.PROVE_SEED ?? 20_261_117) })
  const orb = await startOrb({ ports: [site.port], env: { ORB_SEARCH_PROVIDERS: 'none' } })
  const score = openScore(site)
  const spent = { since: { bytes: 0, visits: 0, cpu: 0 }, all: { bytes: 0, visits: 0, cpu: 0 } }
  const measured = async (into, work) => {
    site.used()
    const before = costOf(orb.pid).cpu
    const result = await work()
    const { bytes, visits } = site.used()
    into.bytes += bytes
    into.visits += visits
    into.cpu += costOf(orb.pid).cpu - before
    return result
  }
  try {
    await crawlAll(orb, site, { since: 'last' })
    for (let today = 1; today <= days; today++) {
      score.happened(site.day(), today)
      score.reported(await measured(spent.since, () => crawlAll(orb, site, { since: 'last' })), today)
      // Beside it every fifth day, with the same site: the figures of a day hardly differ.
      if (today % 5 === 0) await measured(spent.all, () => crawlAll(orb, site, { scrapeOptions: { maxAge: 0 } }))
    }
  } finally {
    await orb.stop()
    await site.close()
  }
  const { edits, late, falseChanges, falseRemovals } = score.score
  const looks = pages * days
  const ratio = (what) => spent.since[what] / days / (spent.all[what] / Math.floor(days / 5))
  const missed = score.missed()
  return [
    row(
      `edits missed, ${pages} pages, ${days} days`,
      '≤ 0.5 %',
      `${percent(missed / edits)} of ${edits} (${late} were found a day or more later)`,
      missed / edits <= 0.005,
    ),
    row(
      'false changes reported',
      '≤ 0.5 % of visits',
      `${percent(falseChanges / looks)} (${falseChanges})`,
      falseChanges / looks <= 0.005,
    ),
    row('existing pages reported as removed', '0', String(falseRemovals), falseRemovals === 0),
    row('bytes compared with full crawls', '≤ 25 %', percent(ratio('bytes')), ratio('bytes') <= 0.25),
    row('visits compared with full crawls', 'published', percent(ratio('visits')), true),
    row('CPU compared with full crawls', '≤ 0.35', ratio('cpu').toFixed(2), ratio('cpu') <= 0.35),
  ]
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
