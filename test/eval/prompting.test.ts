// Prompts without a model, done in a real browser: the first half of the requests, and every third task of our own
// sites. `npm run prove prompting` measures all of them, the second half included.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSecondHalf, requests } from '../prompting/requests.ts'
import { isWrongClaim, runRequest } from '../prompting/run-requests.ts'
import { runSiteTask, siteTally } from '../prompting/site-run.ts'
import { siteTasks } from '../prompting/site-tasks.ts'
import { startBrowser } from '../prompting/test-context.ts'
import { type Site, startSite } from '../site/site.ts'
import least from './prompting-least.json' with { type: 'json' }

let browser: Browser
let site: Site

beforeAll(async () => {
  ;[browser, site] = await Promise.all([startBrowser(), startSite()])
})
afterAll(async () => {
  await Promise.all([browser.close(), site.close()])
})

/** Four at a time: most of a task is waiting for its page. */
async function together<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = [...list]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results.push(await work(next))
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return results
}

test('requests are done as asked, or refused with the reason', { timeout: 120_000 }, async () => {
  const open = requests.filter((request) => !isSecondHalf(request))
  const outcomes = await together(open, (request) => runRequest(browser, request))
  const missed = outcomes.filter(({ right }) => !right).map(({ request, output }) => `${request.prompt} => ${output}`)
  expect(1 - missed.length / outcomes.length, missed.join('\n')).toBeGreaterThanOrEqual(least.requests.right)
  expect(outcomes.filter(isWrongClaim).length, missed.join('\n')).toBeLessThanOrEqual(least.requests.wrongClaims)
})

test('tasks on our own sites are done or refused', { timeout: 120_000 }, async () => {
  const some = siteTasks.filter((_, at) => at % 3 === 0)
  const outcomes = await together(some, (task) => runSiteTask(browser, site.url, task))
  const { done, possible, wrongClaims } = siteTally(outcomes)
  const missed = outcomes.filter(({ task, reached }) => !reached && !task.impossible).map(({ task }) => task.prompt)
  expect(done / possible, missed.join('\n')).toBeGreaterThanOrEqual(least.site.done)
  expect(wrongClaims).toBeLessThanOrEqual(least.site.wrongClaims)
})
