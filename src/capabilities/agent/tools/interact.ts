// Tool: opens a browser for a page and does one thing: clicks "show more" until done, clicks a named button, or uses
// the search box. It types only the caller's words; navigation outside the policy is blocked.
import { z } from 'zod'
import { rejectWhenAborted, startDeadline } from '../../../base/deadline.ts'
import { priceOfSession } from '../../../base/prices.ts'
import { Problem } from '../../../base/problem.ts'
import { webUrlSchema } from '../../../scrape/scrape-options.ts'
import { siteSearchQueryOf } from '../derive-goal.ts'
import type { InteractStep } from '../steps.ts'
import { type AgentTool, LINK_NUMBER_SCHEMA, linkSourceShape, type ToolCall } from './agent-tool.ts'
import { maxPriceOfPage, readRenderedPage } from './read-page.ts'
import { runPageAction } from './run-page-action.ts'

/** Sessions are charged per started minute, so staying below one minute fixes the step's price. */
const MAX_SESSION_MS = 55_000

const where = { url: webUrlSchema, ...linkSourceShape }

export const interactTool: AgentTool<InteractStep> = {
  name: 'interact',
  use: 'On a page already read: shows `more` of a list, presses a `button`, or uses its search box.',
  input: z.discriminatedUnion('do', [
    z.strictObject({ do: z.literal('more'), ...where }),
    z.strictObject({ do: z.literal('press'), name: z.string().min(1).max(60), ...where }),
    z.strictObject({ do: z.literal('search'), words: z.string().min(1).max(300), ...where }),
  ]),
  price: () => priceOfSession(MAX_SESSION_MS, false) + maxPriceOfPage(1),
  visits: (input) => [input],
  offer: {
    slots: {
      link: LINK_NUMBER_SCHEMA,
      do: { type: 'string', enum: ['more', 'press', 'search'] },
      button: { type: 'string' },
    },
    optional: ['button'],
    fill({ link, do: step, button }, { at, goal, buttons }) {
      const place = at(link)
      if (!place) return undefined
      if (step === 'search') return { ...place, do: 'search', words: siteSearchQueryOf(goal) }
      const name = buttons(link).find((one) => one === button)
      if (step === 'press') return name === undefined ? undefined : { ...place, do: 'press', name }
      return { ...place, do: 'more' }
    },
  },
  async call(call, client) {
    const { signal, clear, during } = startDeadline(MAX_SESSION_MS, client)
    try {
      return await during(() => interact(call, signal))
    } finally {
      clear()
    }
  },
}

async function interact(call: ToolCall<InteractStep>, signal: AbortSignal) {
  const { has, team, input, runId, record, mayVisit } = call
  const { manager: sessions, forRun } = has.browserSessions
  const held = await forRun(team, { url: input.url, runId, ttlMs: MAX_SESSION_MS + 30_000 }, signal)
  const { id, createdAt } = held.row
  const getElapsedMs = () => Math.max(0, has.clock.now() - createdAt)
  let shown: { url: string; html: string }
  try {
    await record({ type: 'browser.session.started', sessionId: id })
    const page = await held.live.page()
    // Browser calls take no AbortSignal, so the waiter stops and closes the browser.
    shown = await sessions.during(held, () => rejectWhenAborted(signal, runPageAction(page, input, mayVisit)))
  } finally {
    await sessions.end(held, 'destroyed', null)
    await record({ type: 'browser.session.finished', sessionId: id, durationMs: getElapsedMs() })
  }
  if (!mayVisit(shown.url, input.url)) throw new Problem('bad_request', { because: 'it led where this run may not go' })
  const session = priceOfSession(Math.min(getElapsedMs(), MAX_SESSION_MS), false)
  const { page, dropped, credits } = await readRenderedPage(call, shown, signal)
  return {
    result: { tool: 'interact', page, ...(dropped.length > 0 ? { dropped } : {}) },
    credits: session + credits,
  }
}
