// Waiting for things to become true.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { patient } from '../patience.ts'
import type { Json, Service } from './service.ts'

/** A patience, not a bar: what is waited for comes later on a busy machine. */
const PATIENCE_MS = 50_000
/** Rests grow with the wait, a tenth of it: each look is often a request, and the service has other work to do. */
const [SHORTEST_MS, LONGEST_MS] = [10, 200]

export async function until(holds: () => boolean | Promise<boolean>, ms = 0): Promise<void> {
  const began = performance.now()
  while (!(await holds())) {
    const waited = performance.now() - began
    if (waited > Math.max(ms, patient(PATIENCE_MS))) expect.fail('it did not happen in time')
    await sleep(Math.min(Math.max(waited / 10, SHORTEST_MS), LONGEST_MS))
  }
}

/** The status of a job once it is over. Polls leave out its documents: to send and check them all costs more than the job. */
export async function finished(service: Pick<Service, 'call' | 'url'>, url: string, ms = PATIENCE_MS): Promise<Json> {
  const path = url.slice(new URL(url).origin.length)
  const poll = /^\/v2\/(?:crawl|batch\/scrape)\/[\w-]+$/.test(path) ? `${path}?limit=1` : path
  await until(async () => (await service.call('GET', poll)).json.status !== 'scraping', ms)
  return (await service.call('GET', path)).json
}
