// Prometheus metrics. Labels are routes and outcomes, never URLs or teams, so that their number is bounded.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { webhookDeliveryStore } from '../jobs/store/index.ts'
import type { Store } from '../store/index.ts'

export type Metrics = ReturnType<typeof createMetrics>

interface MetricsOptions {
  load(): { running: number; waiting: number }
  threats(): Readonly<Record<string, number>>
  queue(): Promise<{ jobs: number; active: number; queued: number }>
  browsers(): number
  webhooksPending(): Promise<number>
}

export function createMetrics(options: MetricsOptions) {
  const { load, threats } = options
  const registry = new Registry()
  const registers = [registry]
  // Started by the first read: the event loop monitor of prom-client wakes the process a hundred times a second.
  let collectsProcess = false
  const collectProcessMetrics = () => {
    if (collectsProcess) return
    collectsProcess = true
    collectDefaultMetrics({ register: registry, prefix: 'orb_' })
  }
  const requests = new Histogram({
    name: 'orb_http_request_seconds',
    help: 'Response time, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
    registers,
  })
  const digests = new Histogram({
    name: 'orb_digest_seconds',
    help: 'Time a worker thread spent reading one page.',
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 10],
    registers,
  })
  const aborted = new Counter({ name: 'orb_client_gone_total', help: 'Requests whose client disconnected.', registers })
  const work = new Counter({
    name: 'orb_work_total',
    help: 'Calls that do work, by endpoint and outcome: ok, or the name of the problem.',
    labelNames: ['endpoint', 'outcome'],
    registers,
  })
  const pages = new Counter({
    name: 'orb_pages_total',
    help: 'Pages by endpoint and the engine that fetched them; `none`: no engine returned it.',
    labelNames: ['endpoint', 'engine'],
    registers,
  })
  addServiceGauges(options, registers)
  new Gauge({
    name: 'orb_pages_in_work',
    help: 'Pages being worked on.',
    registers,
    collect() {
      this.set(load().running)
    },
  })
  new Gauge({
    name: 'orb_pages_waiting',
    help: 'Pages waiting for a slot.',
    registers,
    collect() {
      this.set(load().waiting)
    },
  })
  new Gauge({
    name: 'orb_threat_decisions',
    help: 'URLs that threat protection has decided on since the start, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      for (const [outcome, count] of Object.entries(threats())) this.set({ outcome }, count)
    },
  })
  return {
    contentType: registry.contentType,
    text() {
      collectProcessMetrics()
      return registry.metrics()
    },
    request(method: string, route: string, status: number, seconds: number) {
      if (status === 499) aborted.inc()
      requests.observe({ method, route, status }, seconds)
    },
    digest: (seconds: number) => digests.observe(seconds),
    work: (endpoint: string, outcome: string) => work.inc({ endpoint, outcome }),
    page: (endpoint: string, engine: string | undefined) => pages.inc({ endpoint, engine: engine ?? 'none' }),
  }
}

interface ServiceState {
  threats: { guard: { counts(): Readonly<Record<string, number>> } }
  browsing: { running(): number }
}

export const makeGaugeReaders = (
  store: Pick<Store, 'jobs' | 'database'>,
  state: () => ServiceState,
): Omit<MetricsOptions, 'load'> => ({
  threats: () => state().threats.guard.counts(),
  queue: () => store.jobs.load(),
  browsers: () => state().browsing.running(),
  webhooksPending: () => webhookDeliveryStore(store).pending(),
})

function addServiceGauges({ queue, browsers, webhooksPending }: MetricsOptions, registers: Registry[]): void {
  new Gauge({
    name: 'orb_queue',
    help: 'Running jobs, and their pages being visited or waiting.',
    labelNames: ['what'],
    registers,
    async collect() {
      for (const [what, count] of Object.entries(await queue())) this.set({ what }, count)
    },
  })
  new Gauge({
    name: 'orb_browsers',
    help: 'Browsers that run.',
    registers,
    collect() {
      this.set(browsers())
    },
  })
  new Gauge({
    name: 'orb_webhooks_pending',
    help: 'Webhooks that are not delivered yet.',
    registers,
    async collect() {
      this.set(await webhooksPending())
    },
  })
}
