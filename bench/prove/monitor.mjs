// Monitors at full size: news told from noise, goals judged, a year of ten thousand schedules, ten thousand pages that are
// due at once, kills, and clocks that jump. `PROVE_ROWS=looks,year` measures only some of it, and `PROVE_SMALL=1` less of it.
// `PROVE_TURN=1/3` kills a third as often: on a machine that is shared, three turns make up the whole.
import { startPostgres } from '../../scripts/postgres.mjs'
import { setUp } from '../../scripts/setup.mjs'
import { openModules } from '../../scripts/typescript-modules.mjs'
import { killRow } from './rows/monitor-kills.mjs'
import { dueRows } from './rows/monitor-load.mjs'

const PAGES = Array.from({ length: 80 }, (_, n) => n)

export async function prove() {
  setUp()
  const small = process.env.PROVE_SMALL === '1'
  const size = (full) => (small ? Math.max(2, Math.round(full / 20)) : full)
  const parts = (
    process.env.PROVE_ROWS ?? 'looks,goals,adaptive,clocks,asleep,kills-sqlite,kills-postgres,due,year'
  ).split(',')
  const [turn, turns] = (process.env.PROVE_TURN ?? '1/1').split('/').map(Number)
  const kills = Math.ceil(size(50) / turns)
  const inTurn = turns > 1 ? `, turn ${turn} of ${turns}` : ''
  const modules = await openModules()
  const load = (path) => modules.load(`test/eval/monitor/${path}`)
  const rows = []
  const row = async (part, make) => {
    if (!parts.includes(part)) return
    const made = [await make()].flat()
    for (const { what, measured, ok } of made) console.error(`${ok ? 'ok  ' : 'MISS'} ${what}: ${measured}`)
    rows.push(...made)
  }
  try {
    await row('looks', async () => looksRows(await load('score.ts')))
    await row('goals', async () => goalsRow(await load('goals.ts')))
    const ticks = await load('ticks.ts')
    await row('adaptive', () => adaptiveRow(ticks))
    await row('clocks', () => clockRows(ticks))
    await row('asleep', () => asleepRows(ticks, size(10_000)))
    await row('kills-sqlite', () => killRow(kills, `SQLite${inTurn}`))
    await row('kills-postgres', async () => {
      const postgres = await startPostgres({ say: () => {} })
      if (!postgres) return []
      try {
        return await killRow(kills, `PostgreSQL${inTurn}`, postgres)
      } finally {
        await postgres.stop()
      }
    })
    await row('due', () => dueRows(size(10_000), small ? 1 : 3))
    await row('year', () => yearRow(ticks, size(10_000), small ? 40 : 365))
  } finally {
    await modules.close()
  }
  return { title: 'Monitors', rows }
}

const percent = (share) => `${(share * 100).toFixed(2)} %`

function looksRows({ score, isSealed }) {
  const sealed = score(PAGES.filter(isSealed), 30, 2)
  const open = score(
    PAGES.filter((n) => !isSealed(n)),
    30,
    2,
  )
  const [missed, wrong] = [sealed.missed / sealed.edits, sealed.falseAlerts / sealed.lateLooks]
  const others = sealed.anyText.falseAlerts / sealed.lateLooks
  const edits = `${sealed.edits + open.edits} edits`
  return [
    {
      what: `${sealed.looks + open.looks} checks of ${PAGES.length} simulated pages over 30 days, ${edits}: missed edits, sealed half`,
      bar: '≤ 1 %',
      measured: `${percent(missed)} (open half: ${percent(open.missed / open.edits)})`,
      ok: missed <= 0.01,
    },
    {
      what: 'Simulated pages over 30 days: false alerts from the fourth check on, sealed half; with any change of text reported',
      bar: '≤ 0.5 %',
      measured: `${percent(wrong)} (open half: ${percent(open.falseAlerts / open.lateLooks)}); ${percent(others)}`,
      ok: wrong <= 0.005,
    },
  ]
}

function goalsRow({ goalRows, scoreGoals }) {
  const of = (sealed) => scoreGoals(goalRows.filter(({ isSealed }) => isSealed === sealed))
  const [sealed, open] = [of(true), of(false)]
  return {
    what: '100 labelled changes judged by a goal without a model, sealed half',
    bar: '≥ 0.8 right',
    measured: `${sealed.right} of ${sealed.rows}, ${sealed.unsure} of them marked as unsure (open half: ${open.right} of ${open.rows})`,
    ok: sealed.right / sealed.rows >= 0.8,
  }
}

/** The adaptive interval beside the even one that would see edits as soon: visits of even ones are as their delay is short. */
function adaptiveRow({ lookOuts }) {
  const [pages, days] = [90, 90]
  const adaptive = lookOuts(pages, days, 15, true)
  const even = lookOuts(pages, days, 60, false)
  const visits = Math.round((even.visits * even.delay) / adaptive.delay)
  const fewer = 1 - adaptive.visits / visits
  const minutes = (ms) => `${Math.round(ms / 60_000)} min`
  return {
    what: `${pages} pages over ${days} days, edited never, occasionally or in bursts: visits with an adaptive interval (at least 15 min) compared with a fixed one of the same mean delay`,
    bar: '≥ 50 % fewer',
    measured: `${percent(fewer)} fewer: ${adaptive.visits} beside ${visits}, mean delay ${minutes(adaptive.delay)}`,
    ok: fewer >= 0.5,
  }
}

async function clockRows({ jumps, changes }) {
  const jumped = await jumps()
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
  const changed = await Promise.all(zones.map(changes))
  return [
    {
      what: 'Clock set back a day and forward again: hourly ticks in 15 real hours',
      bar: jumped.wanted,
      measured: `${jumped.came}`,
      ok: jumped.ok,
    },
    {
      what: `Start and end of summer time in ${zones.join(', ')}: ticks of "30 2 * * *" in three days`,
      bar: '3 each',
      measured: changed.map(({ came }) => came.join(' and ')).join('; '),
      ok: changed.every(({ days, came }) => came.length === 2 && came.every((count) => count === days)),
    },
  ]
}

async function asleepRows({ asleep }, monitors) {
  const one = async (name, ms) => {
    const { most, made, spread } = await asleep(monitors, ms)
    const fullest = Math.max(...spread) / Math.max(1, made)
    return {
      what: `${monitors} hourly monitors after ${name}: most checks of one monitor; checks by ten minutes of the next hour`,
      bar: '≤ 1; spread',
      measured: `${most}; ${spread.join(', ')}`,
      ok: most <= 1 && (made === 0 || fullest <= 0.4),
    }
  }
  return [await one('six hours down', 6 * 3_600_000), await one('a week asleep', 7 * 86_400_000)]
}

async function yearRow({ year }, monitors, days) {
  const { ticks, missed, doubled, p99, most } = await year(monitors, days, 11)
  return {
    what: `${monitors} monitors in 12 time zones over ${days} simulated days, ${ticks} ticks: missed; run twice; delay, p99 and maximum`,
    bar: '0; 0; ≤ 60 s',
    measured: `${missed}; ${doubled}; ${(p99 / 1000).toFixed(0)} s and ${(most / 1000).toFixed(0)} s`,
    ok: missed === 0 && doubled === 0 && p99 <= 60_000,
  }
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
