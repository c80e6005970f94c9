// Does the tasks of site-tasks.ts by prompt, each in a browser context of its own, and says how each ended.
import type { Browser } from 'playwright-core'
import { runPromptWithoutModel } from '../../src/prompting/run-prompt-without-model.ts'
import type { SiteTask } from './site-tasks.ts'

export interface SiteOutcome {
  task: SiteTask
  /** The site shows what was asked for; for what cannot be done: nothing was touched. */
  reached: boolean
  claimed: boolean
  output: string
}

export async function runSiteTask(browser: Browser, base: string, task: SiteTask): Promise<SiteOutcome> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.goto(base + task.at)
    await page.evaluate(`localStorage.removeItem('log')`)
    const { done, output } = await runPromptWithoutModel(
      page,
      task.prompt,
      { maxSteps: 200, timeoutMs: 30_000 },
      new AbortController().signal,
    )
    await page.waitForLoadState('domcontentloaded')
    const log = JSON.parse(await page.evaluate<string>(`localStorage.getItem('log') || '[]'`)) as string[]
    const acts = log.filter((entry) => !/^(page|thread):/.test(entry))
    const wanted = task.log ?? []
    const logged = wanted.every((entry) => acts.includes(entry)) && acts.length === wanted.length
    const reached = logged && (!task.url || page.url().includes(task.url)) && (!task.says || output.includes(task.says))
    return { task, reached, claimed: done, output }
  } finally {
    await context.close()
  }
}

/** Done where it can be, refused where it cannot; a claim that the site does not bear out is worse than a refusal. */
export function siteTally(outcomes: readonly SiteOutcome[]) {
  const possible = outcomes.filter(({ task }) => !task.impossible)
  const right = outcomes.filter(({ task, reached, claimed }) => (task.impossible ? reached && !claimed : reached))
  return {
    tasks: outcomes.length,
    done: possible.filter(({ reached }) => reached).length,
    possible: possible.length,
    right: right.length,
    wrongClaims: outcomes.filter(({ task, reached, claimed }) => claimed && (task.impossible || !reached)).length,
  }
}
