// Measures how a page looks. The script is ours, so only the result's outline is checked.
import type { Look } from '../../base/computed-style.ts'
import { lookScript } from './computed-style-script.ts'
import type { Tab } from './tab.ts'

const PATIENCE_MS = 10_000

export async function readLook(tab: Tab): Promise<{ look?: Look; warning?: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the page keeps the browser busy')), PATIENCE_MS)
  })
  try {
    return { look: await Promise.race([tab.runApart<Look>(lookScript), tab.crashed, late]) }
  } catch (error) {
    const [because] = (error as Error).message.split('\n', 1)
    return { warning: `The look of the page could not be measured: ${because?.slice(0, 200)}.` }
  } finally {
    clearTimeout(timer)
  }
}
