// Runs requests on their pages, each in a browser context of its own, and compares claims with what the page shows.
import type { Browser } from 'playwright-core'
import { runPromptWithoutModel } from '../../src/prompting/run-prompt-without-model.ts'
import { everydayPages } from './everyday-pages.ts'
import { pages } from './pages.ts'
import type { PromptRequest } from './requests.ts'

export interface RequestOutcome {
  request: PromptRequest
  /** The page shows what was asked for; for refusals: untouched, and the reason is named. */
  right: boolean
  claimed: boolean
  output: string
}

export async function runRequest(browser: Browser, request: PromptRequest): Promise<RequestOutcome> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const [name = '', query] = request.page.split('?')
    await context.route('**/*', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: (pages[name] ?? everydayPages[name])! }),
    )
    const page = await context.newPage()
    await page.goto(`http://pages.test/${name}${query ? `?${query}` : ''}`)
    const { done, output } = await runPromptWithoutModel(
      page,
      request.prompt,
      { maxSteps: 200, timeoutMs: 30_000 },
      new AbortController().signal,
    )
    const reached = await page.evaluate<boolean>(
      `(async () => { const isSo = () => !!(${request.wanted}); for (let i = 0; i < 6 && !isSo(); i++) await new Promise((go) => setTimeout(go, 50)); return isSo() })()`,
    )
    const says = (words: string | undefined) => !words || output.toLowerCase().includes(words.toLowerCase())
    const right = reached && (request.refusedFor ? !done && says(request.refusedFor) : done && says(request.says))
    return { request, right, claimed: done, output }
  } finally {
    await context.close()
  }
}

/** Claims to be done that the page does not bear out. */
export const isWrongClaim = ({ right, claimed }: RequestOutcome): boolean => claimed && !right
