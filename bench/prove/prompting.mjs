// The figures of prompts without a model: requests on our own pages by halves, 40 tasks on our own sites, and the kit of
// small web tasks where it is at hand.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/setup.mjs'
import { openModules } from '../../scripts/typescript-modules.mjs'

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const SEEDS = 10
const kit = join(root, '../shared/interact/tasks.mjs')

export async function prove() {
  const modules = await openModules()
  const load = (path) => modules.load(`test/${path}`)
  const { startBrowser } = await load('prompting/test-context.ts')
  const browser = await startBrowser()
  try {
    const rows = [...(await requestRows(load, browser)), ...(await siteRows(load, browser))]
    if (existsSync(kit)) rows.push(...(await kitRows(load, browser)))
    else console.log('The kit of web tasks is not beside the repository; its rows are left out.')
    return { title: 'Prompts without a model', rows }
  } finally {
    await browser.close()
    await modules.close()
  }
}

async function requestRows(load, browser) {
  const { requests, isSecondHalf } = await load('prompting/requests.ts')
  const { runRequest, isWrongClaim } = await load('prompting/run-requests.ts')
  const { everydayRequests } = await load('prompting/everyday-requests.ts')
  const rows = []
  for (const [name, set] of [
    ['first half', requests],
    ['second half', requests],
    ['everyday, first half', everydayRequests],
    ['everyday, second half', everydayRequests],
  ]) {
    const outcomes = []
    for (const request of set)
      if (isSecondHalf(request) === name.endsWith('second half')) outcomes.push(await runRequest(browser, request))
    const right = outcomes.filter((outcome) => outcome.right).length
    const wrong = outcomes.filter(isWrongClaim).length
    const measured = `${right} of ${outcomes.length} right; ${wrong} claimed wrongly`
    const ok = right / outcomes.length >= 0.9 && wrong <= 0.01 * outcomes.length
    rows.push(row(`requests on own pages, ${name}`, '≥ 0.9 right; done claimed wrongly ≤ 1 %', measured, ok))
  }
  return rows
}

async function kitRows(load, browser) {
  const { default: tasks } = await import(pathToFileURL(kit).href)
  const { runEpisode, tallyOf } = await load('prompting/episodes.ts')
  const episodes = []
  for (const { name, page } of tasks)
    for (let seed = 1; seed <= SEEDS; seed++) episodes.push(await runEpisode(browser, { name, seed, html: page(seed) }))
  const { good, tasks: all, wrong, claimed, refused, impossible, mean } = tallyOf(episodes)
  return [
    row(
      `kit of ${all} web tasks, ${SEEDS} seeds`,
      '≥ 0.9 of tasks at ≥ 0.9',
      `${good}, mean reward ${mean.toFixed(3)}`,
      good >= 0.9 * all,
    ),
    row('kit: done claimed wrongly', '≤ 1 %', `${wrong} of ${claimed}`, wrong <= 0.01 * claimed),
    row('kit: impossible ones refused', 'all', `${refused} of ${impossible}`, refused === impossible),
  ]
}

async function siteRows(load, browser) {
  const { startSite } = await load('site/site.ts')
  const { siteTasks } = await load('prompting/site-tasks.ts')
  const { runSiteTask, siteTally } = await load('prompting/site-run.ts')
  const site = await startSite()
  try {
    const outcomes = []
    for (const task of siteTasks) outcomes.push(await runSiteTask(browser, site.url, task))
    const { tasks, right, done, possible, wrongClaims } = siteTally(outcomes)
    const measured = `${done} of ${possible} done, ${right} of ${tasks} right`
    return [
      row(`${tasks} tasks on our own sites`, '≥ 0.85 right', measured, right / tasks >= 0.85),
      row('own sites: done claimed wrongly', '0', String(wrongClaims), wrongClaims === 0),
    ]
  } finally {
    await site.close()
  }
}
