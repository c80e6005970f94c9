// Measures how a page looks. The script is ours, so only the result's outline is checked.
import type { ComputedStyle } from '../../base/computed-style.ts'
import { computedStyleScript } from './computed-style-script.ts'
import type { Tab } from './tab-interface.ts'
import { evaluateWithTimeout } from './wait-for-idle.ts'

export async function readComputedStyle(tab: Tab): Promise<{ computedStyle?: ComputedStyle; warning?: string }> {
  try {
    return { computedStyle: await evaluateWithTimeout<ComputedStyle>(tab, computedStyleScript, { apart: true }) }
  } catch (error) {
    const [because] = (error as Error).message.split('\n', 1)
    return { warning: `The design of the page could not be measured: ${because?.slice(0, 200)}.` }
  }
}
