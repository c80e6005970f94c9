// The figures of extraction: quality out-of-fold, fidelity, CPU beside Readability, and that no step is superlinear.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/setup.mjs'
import { measureQuality } from '../quality.mjs'
import { speedOfThisRun } from '../speed.mjs'

const BARS = { 'aeb.shingle.f1': 0.97, 'wceb.word.f1': 0.87, 'wceb.macro.f1': 0.81, 'traf.snip.f1': 0.925 }

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
  const speed = await speedOfThisRun()
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

/** CPU of one page against one ten times as large, the best of three each: noise only ever adds. */
async function growth() {
  const { openPage } = await import(pathToFileURL(join(root, 'dist/content/page.js')).href)
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  const cost = (bytes) => {
    const tries = [1, 2, 3].map(() => {
      const { user, system } = process.cpuUsage()
      openPage({ bytes, contentType: 'text/html; charset=utf-8', url: 'https://example.com/' }, choices).markdown.length
      const after = process.cpuUsage({ user, system })
      return after.user + after.system
    })
    return Math.min(...tries)
  }
  const page = (mb) => {
    const section = (at) =>
      `<section><h2>Section ${at}</h2><p>${'Words about the tide and the harbour, <a href="/x">with a link</a> and <em>more</em>. '.repeat(12)}</p><ul><li>one</li><li>two</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></section>`
    const one = section(1).length
    return Buffer.from(
      `<html><body><nav><a href="/">Home</a></nav><main><h1>Large</h1>${Array.from({ length: (mb * 1e6) / one }, (_, at) => section(at)).join('')}</main></body></html>`,
    )
  }
  cost(page(0.2))
  return [
    [0.2, 2],
    [2, 20],
  ].map(([from, to]) => ({ from, to, ratio: cost(page(to)) / cost(page(from)) }))
}
