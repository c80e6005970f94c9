// Runs tasks by prompt on pages that know whether they were done, and counts. A task is done only if its page says so;
// the claim of the prompt is compared with that.
import type { Browser } from 'playwright-core'
import { runPromptWithoutModel } from '../../src/prompting/run-prompt-without-model.ts'

export interface Episode {
  name: string
  seed: number
  prompt: string
  reward: number
  claimed: boolean
  impossible: boolean
  output: string
  ms: number
}

export interface PageTask {
  name: string
  seed: number
  html: string
}

const HOST = 'http://tasks.test/'

/** Pages set `window.__task` = { instruction, done() | answer, decoys, impossible }; only the scorer reads it. */
export async function runEpisode(browser: Browser, { name, seed, html }: PageTask): Promise<Episode> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    await context.route('**/*', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }))
    const page = await context.newPage()
    await page.goto(HOST)
    const read = `(() => { const { instruction, answer, decoys = [], impossible = false } = window.__task; return { instruction, answer, decoys, impossible } })()`
    const task = await page.evaluate<{ instruction: string; answer?: string; decoys: string[]; impossible: boolean }>(
      read,
    )
    const begun = performance.now()
    const { done, output } = await runPromptWithoutModel(
      page,
      task.instruction,
      { maxSteps: 200, timeoutMs: 30_000 },
      new AbortController().signal,
    )
    const ms = performance.now() - begun
    const reached = await page.evaluate<number>(
      `(async () => { const now = () => Number(window.__task?.done?.()) || 0; for (let i = 0; i < 6 && now() < 0.9; i++) await new Promise((go) => setTimeout(go, 50)); return now() })()`,
    )
    const reported =
      task.answer === undefined
        ? undefined
        : says(output, task.answer) && !task.decoys.some((decoy) => says(output, decoy))
    const reward = reported !== undefined ? Number(done && reported) : task.impossible ? (done ? 0 : reached) : reached
    return { name, seed, prompt: task.instruction, reward, claimed: done, impossible: task.impossible, output, ms }
  } finally {
    await context.close()
  }
}

const says = (output: string, value: string): boolean =>
  new RegExp(`(?<![\\w.:])${value.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w|[.:]\\d)`).test(
    output.toLowerCase(),
  )

export interface Tally {
  tasks: number
  good: number
  episodes: number
  mean: number
  claimed: number
  wrong: number
  impossible: number
  refused: number
}

export function tallyOf(episodes: readonly Episode[]): Tally {
  const byName = new Map<string, Episode[]>()
  for (const episode of episodes) byName.set(episode.name, [...(byName.get(episode.name) ?? []), episode])
  const mean = (list: readonly Episode[]) => list.reduce((sum, { reward }) => sum + reward, 0) / list.length
  const claimed = episodes.filter((episode) => episode.claimed)
  return {
    tasks: byName.size,
    good: [...byName.values()].filter((list) => mean(list) >= 0.9).length,
    episodes: episodes.length,
    mean: mean(episodes),
    claimed: claimed.length,
    wrong: claimed.filter(({ reward }) => reward < 0.9).length,
    impossible: episodes.filter(({ impossible }) => impossible).length,
    refused: episodes.filter(({ impossible, reward }) => impossible && reward >= 0.9).length,
  }
}
