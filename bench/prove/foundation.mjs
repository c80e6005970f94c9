// The figures of the foundation: speed through the API, idle cost, fidelity of the markdown.
import { measureFidelity } from '../fidelity.mjs'
import { measureSpeed } from '../speed.mjs'

export async function prove() {
  const speed = await measureSpeed()
  const ratio = speed.uncached.perSecond / speed.naive.perSecond
  const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
  const rows = [
    row(
      'static scrape, uncached, 16 at once: CPU s a page',
      '≤ 0.015',
      speed.uncached.cpuPerPage.toFixed(4),
      speed.uncached.cpuPerPage <= 0.015,
    ),
    row('… of which outside content/', '≤ 0.004', speed.outsidePerPage.toFixed(4), speed.outsidePerPage <= 0.004),
    row(
      'pages a second against the naive loop in two processes, same run',
      '≥ 2 ×',
      `${ratio.toFixed(1)} ×`,
      ratio >= 2,
    ),
    row('the naive loop: CPU s a page', '–', speed.naive.cpuPerPage.toFixed(4), true),
    row(
      'cached scrape: CPU s a request',
      '≤ 0.0015',
      speed.cached.cpuPerPage.toFixed(5),
      speed.cached.cpuPerPage <= 0.0015,
    ),
    row('cached scrape: origin hits', '0', String(speed.originHits), speed.originHits === 0),
    row('idle: resident', '< 120 MB', `${speed.idleMb.toFixed(0)} MB`, speed.idleMb < 120),
    row('idle: share of a core', '< 1 %', `${(speed.idleCpuShare * 100).toFixed(2)} %`, speed.idleCpuShare < 0.01),
    row('ready after', '< 3 s', `${speed.readySeconds.toFixed(2)} s`, speed.readySeconds < 3),
  ]
  const fidelity = await measureFidelity()
  if (fidelity)
    rows.push(
      row(
        'fidelity cases of the bench',
        '≥ 50 of 70',
        `${fidelity.passed} of ${fidelity.total}`,
        fidelity.passed >= 50,
      ),
    )
  return { title: 'Foundation', rows }
}
