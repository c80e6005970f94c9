// The figures of prompts without a model: the kit of widget tasks where it is at hand, 40 tasks on our own sites, and our
// own widget tasks, the half that the grammar was written with and the half that was sealed meanwhile.
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
  const { startBrowser } = await load('words/ground.ts')
  const browser = await startBrowser()
  try {
    const rows = [...(await sites(load, browser))]
    for (const name of ['open', 'sealed']) {
      const { default: tasks } = await load(`words/widgets-${name}.ts`)
      const { good, tasks: all, wrong, claimed } = await episodes(load, browser, tasks, 3)
      rows.push(
        row(
          `widget tasks, ${name} half, 3 seeds`,
          '≥ 0.7 of tasks at ≥ 0.9; wrong claims ≤ 3 %',
          `${good} of ${all}; wrong ${wrong} of ${claimed}`,
          good / all >= 0.7 && wrong <= 0.03 * claimed,
        ),
      )
    }
    if (existsSync(kit)) rows.push(...(await kitRows(load, browser)))
    else console.log('The kit of widget tasks is not beside the repository; its rows are left out.')
    return { title: 'Prompts without a model', rows }
  } finally {
    await browser.close()
    await modules.close()
  }
}

async function episodes(load, browser, tasks, seeds) {
  const { runEpisode, tallyOf } = await load('words/episodes.ts')
  const all = []
  for (const { name, page } of tasks)
    for (let seed = 1; seed <= seeds; seed++) all.push(await runEpisode(browser, { name, seed, html: page(seed) }))
  return tallyOf(all)
}

async function kitRows(load, browser) {
  const { default: tasks } = await import(pathToFileURL(kit).href)
  const { good, tasks: all, wrong, claimed, refused, impossible, mean } = await episodes(load, browser, tasks, SEEDS)
  return [
    row(
      `kit of ${all} widget tasks, ${SEEDS} seeds`,
      '≥ 20 tasks at ≥ 0.9',
      `${good}, mean reward ${mean.toFixed(3)}`,
      good >= 20,
    ),
    row('kit: done claimed wrongly', '≤ 1 %', `${wrong} of ${claimed}`, wrong <= 0.01 * claimed),
    row('kit: impossible ones refused', 'all', `${refused} of ${impossible}`, refused === impossible),
  ]
}

async function sites(load, browser) {
  const { startSite } = await load('site/site.ts')
  const { siteTasks } = await load('words/site-tasks.ts')
  const { runSiteTask, siteTally } = await load('words/site-run.ts')
  const site = await startSite()
  try {
    const outcomes = []
    for (const task of siteTasks) outcomes.push(await runSiteTask(browser, site.url, task))
    const { tasks, right, done, possible, wrongClaims } = siteTally(outcomes)
    return [
      row(
        `${tasks} tasks on our own sites`,
        '≥ 0.55 done',
        `${done} of ${possible} done, ${right} of ${tasks} right`,
        right / tasks >= 0.55,
      ),
      row('own sites: done claimed wrongly', '≤ 1', String(wrongClaims), wrongClaims <= 1),
    ]
  } finally {
    await site.close()
  }
}
