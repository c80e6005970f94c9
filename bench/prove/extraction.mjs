// The figures of extraction: quality out-of-fold, fidelity, CPU beside Readability, and that no step is superlinear.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/setup.mjs'
import { measureQuality } from '../quality.mjs'
import { measureSpeed } from '../speed.mjs'
import { loopRows } from './rows/loop.mjs'

const GROWTH = join(root, 'bench/prove/rows/growth.mjs')
const BARS = {
  'aeb.shingle.f1': 0.972,
  'wceb.word.f1': 0.885,
  'wceb.macro.f1': 0.815,
  'traf.snip.f1': 0.928,
  'whole.title': 0.97,
  'whole.tables': 0.98,
  'whole.figures': 0.95,
  'whole.captioned': 0.9,
  'whole.questions': 0.95,
  'whole.headings': 0.95,
  'whole.lists': 0.95,
  'whole.posts': 0.95,
  'whole.code+notes': 0.95,
}

export async function prove() {
  const rows = []
  const row = (what, bar, measured, ok) => rows.push({ what, bar, measured, ok })
  const quality = await measureQuality()
  if (quality) {
    for (const [name, bar] of Object.entries(BARS))
      row(`${name}, out-of-fold`, `≥ ${bar}`, quality.figures[name].toFixed(4), quality.figures[name] >= bar)
    const { fidelity, pagesPerCpuSecond, peer } = quality
    row('fidelity cases', 'all', `${fidelity.passed} of ${fidelity.total}`, fidelity.passed === fidelity.total)
    row(
      'parse + main content + markdown: articles a CPU second',
      '≥ 100',
      pagesPerCpuSecond.toFixed(0),
      pagesPerCpuSecond >= 100,
    )
    const times = pagesPerCpuSecond / peer.pagesPerCpuSecond
    row('… against Readability + turndown, same run', '≥ 4 ×', `${times.toFixed(1)} ×`, times >= 4)
  }
  for (const { from, to, ratio } of await growth())
    row(`${to} MB against ${from} MB of page: CPU`, '≤ 12 ×', `${ratio.toFixed(1)} ×`, ratio <= 12)
  rows.push(...(await loopRows()))
  const speed = await measureSpeed()
  const times = speed.uncached.perSecond / speed.naive.perSecond
  row(
    'static scrape, uncached, 16 at once: CPU s a page',
    '≤ 0.011',
    speed.uncached.cpuPerPage.toFixed(4),
    speed.uncached.cpuPerPage <= 0.011,
  )
  row('pages a second against the naive loop in two processes', '≥ 3 ×', `${times.toFixed(1)} ×`, times >= 3)
  return { title: 'Extraction', rows }
}

const growth = async () => JSON.parse((await promisify(execFile)(process.execPath, [GROWTH])).stdout)
