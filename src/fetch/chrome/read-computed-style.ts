// Measures how a page looks. The script is ours, so only the result's outline is checked.
import type { ComputedStyle } from '../../base/computed-style.ts'
import { computedStyleScript } from './computed-style-script.ts'
import type { Tab } from './tab-interface.ts'
import { UNRESPONSIVE_MS } from './wait-for-idle.ts'

export async function readComputedStyle(tab: Tab): Promise<{ computedStyle?: ComputedStyle; warning?: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the page keeps the browser busy')), UNRESPONSIVE_MS)
  })
  try {
    return { computedStyle: await Promise.race([tab.runApart<ComputedStyle>(computedStyleScript), tab.crashed, late]) }
  } catch (error) {
    const [because] = (error as Error).message.split('\n', 1)
    return { warning: `The look of the page could not be measured: ${because?.slice(0, 200)}.` }
  } finally {
    clearTimeout(timer)
  }
}
