// How good the lists are: the shared kit through the API where it is there, on both stores; the ranker out of fold; our own
// sets in five languages.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../../scripts/setup.mjs'
import { openModules } from '../../../scripts/typescript-modules.mjs'
import { KEY, newDatabase, newFolder, startOrb } from './jobs-context.mjs'

const KIT = join(root, '../shared/search/search.mjs')
const PORTS = { scifact: 9473, msmarco: 9471 }
const BARS = { scifact: 0.7, msmarco: 0.77 }
const run = promisify(execFile)
const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const least = (what, value, bar) => row(what, `≥ ${bar}`, value.toFixed(4), value >= bar)

export async function kitRows(postgres) {
  if (!existsSync(KIT)) return []
  const rows = []
  for (const set of Object.keys(PORTS)) {
    const sqlite = await kitRun(set, undefined)
    rows.push(least(`public set ${set}: nDCG@10 through the API`, sqlite.ndcg, BARS[set]))
    if (!postgres || set !== 'msmarco') continue
    const other = await kitRun(set, await newDatabase(postgres.url))
    const same = Object.keys(sqlite.lists).filter(
      (query) => JSON.stringify(sqlite.lists[query]) === JSON.stringify(other.lists[query]),
    )
    const all = Object.keys(sqlite.lists).length
    rows.push(
      row('public sets: identical result lists on PostgreSQL', 'all', `${same.length} of ${all}`, same.length === all),
    )
  }
  return rows
}

async function kitRun(set, databaseUrl) {
  const dataDir = newFolder()
  const env = { ORB_SEARCH_PROVIDERS: 'none', ...(databaseUrl ? { ORB_DATABASE_URL: databaseUrl } : {}) }
  const service = await startOrb({ ports: [PORTS[set]], dataDir, env })
  const [lists, result] = ['lists.json', 'result.json'].map((name) => join(dataDir, name))
  const flags = ['--base', service.url, '--key', KEY, '--set', set, '--port', String(PORTS[set])]
  try {
    await run(process.execPath, [KIT, ...flags, '--save', lists, '--json', result], { maxBuffer: 1e8 })
    const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
    return { ndcg: read(result).scores.ndcg, lists: read(lists) }
  } finally {
    await service.end('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function fusionRows() {
  const { stdout } = await run(process.execPath, [join(root, 'scripts/train/search-ranker.mjs')])
  const [, clean, soiled] = /out of fold: ([\d.]+); with a source of rubbish ([\d.]+)/.exec(stdout) ?? []
  if (!clean) return []
  const cost = Number(clean) - Number(soiled)
  return [
    least('fusion of graded web results, cross-validated: nDCG@10', Number(clean), 0.66),
    row(
      'fusion of graded web results: loss of nDCG@10 with a useless provider',
      '≤ 0.01',
      cost.toFixed(4),
      cost <= 0.01,
    ),
  ]
}

export async function ownSets() {
  const modules = await openModules()
  try {
    const { scores } = await modules.load('test/eval/search/run.ts')
    return [...scores()].map(([name, { sealed }]) => least(`own set in ${name}, sealed half: nDCG@10`, sealed, 0.75))
  } finally {
    await modules.close()
  }
}
