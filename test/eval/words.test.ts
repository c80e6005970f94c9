// Prompts without a model, done in a real browser: every third task of our own sites and of the open widget tasks. The
// whole sets, with more seeds, and the sealed half are measured by `npm run prove words`.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../site/site.ts'
import { runEpisode, tallyOf } from '../words/episodes.ts'
import { runSiteTask, siteTally } from '../words/site-run.ts'
import { siteTasks } from '../words/site-tasks.ts'
import { startBrowser } from '../words/test-context.ts'
import widgets from '../words/widgets-open.ts'
import floors from './words-floors.json' with { type: 'json' }

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

test('tasks on our own sites are done or refused', { timeout: 60_000 }, async () => {
  const some = siteTasks.filter((_, at) => at % 3 === 0)
  const outcomes = await together(some, (task) => runSiteTask(browser, site.url, task))
  const { done, possible, wrongClaims } = siteTally(outcomes)
  const missed = outcomes.filter(({ task, reached }) => !reached && !task.impossible).map(({ task }) => task.prompt)
  expect(done / possible, missed.join('\n')).toBeGreaterThanOrEqual(floors.site.done)
  expect(wrongClaims).toBeLessThanOrEqual(floors.site.wrongClaims)
})

test('widget tasks are done or refused', { timeout: 60_000 }, async () => {
  const some = widgets.filter((_, at) => at % 3 === 1)
  const episodes = await together(some, ({ name, page }) => runEpisode(browser, { name, seed: 3, html: page(3) }))
  const { good, tasks, wrong } = tallyOf(episodes)
  const missed = episodes.filter(({ reward }) => reward < 0.9).map(({ prompt, output }) => `${prompt} => ${output}`)
  expect(good / tasks, missed.join('\n')).toBeGreaterThanOrEqual(floors.widgets.good)
  expect(wrong, missed.join('\n')).toBeLessThanOrEqual(floors.widgets.wrongClaims)
})
