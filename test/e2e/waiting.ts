// Waiting for things to become true.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Json, Service } from './service.ts'

/** A patience, not a bar: what is waited for comes later on a busy machine. */
const PATIENCE_MS = 60_000

export async function until(holds: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  const end = performance.now() + Math.max(ms, PATIENCE_MS)
  while (!(await holds())) {
    if (performance.now() > end) expect.fail('it did not happen in time')
    await sleep(20)
  }
}

/** The status of a job once it is over. */
export async function finished(service: Pick<Service, 'call' | 'url'>, url: string, ms = PATIENCE_MS): Promise<Json> {
  const path = url.slice(new URL(url).origin.length)
  let body: Json
  await until(async () => {
    body = (await service.call('GET', path)).json
    return body.status !== 'scraping'
  }, ms)
  return body
}
