// The figures of the service itself: speed through the API, idle cost, start.
import { measureSpeed } from '../speed.mjs'

export async function prove() {
  const speed = await measureSpeed()
  const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
  const rows = [
    row(
      'static scrape, without parsing and conversion: CPU seconds per page',
      '≤ 0.004',
      speed.outsidePerPage.toFixed(4),
      speed.outsidePerPage <= 0.004,
    ),
    row('naive loop: CPU seconds per page', '–', speed.naive.cpuPerPage.toFixed(4), true),
    row(
      'cached scrape: CPU seconds per request',
      '≤ 0.0015',
      speed.cached.cpuPerPage.toFixed(5),
      speed.cached.cpuPerPage <= 0.0015,
    ),
    row('cached scrape: requests to the site', '0', String(speed.originHits), speed.originHits === 0),
    row('idle service: resident memory', '< 120 MB', `${speed.idleMb.toFixed(0)} MB`, speed.idleMb < 120),
    row(
      'idle service: share of one core',
      '< 1 %',
      `${(speed.idleCpuShare * 100).toFixed(2)} %`,
      speed.idleCpuShare < 0.01,
    ),
    row('start: time until ready', '< 3 s', `${speed.readySeconds.toFixed(2)} s`, speed.readySeconds < 3),
  ]
  return { title: 'Service', rows }
}
