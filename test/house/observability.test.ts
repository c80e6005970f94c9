// The Grafana dashboard and the alert rules name numbers that the service has.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMetrics } from '../../src/api/metrics.ts'

const folder = join(import.meta.dirname, '../../deploy/observability')

it.each(['grafana-dashboard.json', 'alerts.yaml'])('%s asks for nothing that is not there', async (file) => {
  const metrics = createMetrics({
    load: () => ({ running: 1, waiting: 2 }),
    threats: () => ({ passed: 1 }),
    queue: async () => ({ jobs: 1, active: 2, queued: 3 }),
    browsers: () => 1,
    webhooksPending: async () => 4,
  })
  metrics.work('scrape', 'ok')
  metrics.page('scrape', 'cache')
  metrics.page('crawl', undefined)
  metrics.request('POST', '/v2/scrape', 200, 0.1)
  const text = await metrics.text()
  const known = new Set([...text.matchAll(/^(orb_\w+)/gm)].map(([, name]) => name))
  const asked = new Set(readFileSync(join(folder, file), 'utf8').match(/\borb_\w+/g) ?? [])
  expect(asked.size).toBeGreaterThan(3)
  expect([...asked].filter((name) => !known.has(name))).toEqual([])
  expect(text).toContain('orb_pages_total{endpoint="crawl",engine="none"} 1')
  expect(text).toContain('orb_queue{what="queued"} 3')
})
