// Measures how a page looks, in a world apart from the page's own: its scripts could otherwise answer in the browser's
// name. What comes back is checked for its outline only, since the script is ours.
import type { Look } from '../../base/look.ts'
import { lookScript } from './look-script.ts'
import { seenPage, type Tab } from './tab.ts'

const PATIENCE_MS = 10_000

/** Nothing when the page does not let itself be measured; the reason is for the caller's warning. */
export async function readLook(tab: Tab): Promise<{ look?: Look; warning?: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the page keeps the browser busy')), PATIENCE_MS)
  })
  try {
    return { look: await Promise.race([measure(tab), tab.crashed, late]) }
  } catch (error) {
    const [because] = (error as Error).message.split('\n', 1)
    return { warning: `The look of the page could not be measured: ${because?.slice(0, 200)}.` }
  } finally {
    clearTimeout(timer)
  }
}

async function measure(tab: Tab): Promise<Look> {
  const page = seenPage(tab)
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send('Page.getFrameTree')
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: 'look',
    })
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: lookScript,
      contextId: executionContextId,
      returnByValue: true,
      timeout: PATIENCE_MS,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value as Look
  } finally {
    await session.detach().catch(() => {})
  }
}
