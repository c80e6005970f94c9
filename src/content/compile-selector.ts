// Compiles callers' CSS selectors. Limits `:has()`, which scans all descendants of every element, multiplied by each
// step inside it.
import { compile } from 'css-select'
import type { AnyNode, Element } from 'domhandler'

const MAX_HAS = 2
const MAX_STEPS_IN_HAS = 2
const MAX_STEPS = 30

export function compileSelector(selector: string): (element: Element) => boolean {
  assertCheap(selector)
  return compile<AnyNode, Element>(selector)
}

function assertCheap(selector: string): void {
  if (stepsIn(selector) > MAX_STEPS) throw new Error(`it has more than ${MAX_STEPS} steps`)
  const lookAheads = [...selector.matchAll(/:has\(/gi)]
  if (lookAheads.length > MAX_HAS) throw new Error(`it has more than ${MAX_HAS} times \`:has()\``)
  for (const { index } of lookAheads) {
    const inside = takeBalanced(selector, index + ':has('.length)
    if (/:has\(/i.test(inside)) throw new Error('it has `:has()` inside `:has()`')
    if (stepsIn(inside) > MAX_STEPS_IN_HAS)
      throw new Error(`\`:has()\` holds more than ${MAX_STEPS_IN_HAS} steps, which would take too long`)
  }
}

/** Counts compound selectors; attribute values and quoted strings are ignored. */
const stepsIn = (selector: string): number =>
  selector
    .replace(/\[[^\]]*\]|"[^"]*"|'[^']*'/g, 'x')
    .split(/[\s>+~,()]+/)
    .filter((part) => part !== '' && part !== ':').length

function takeBalanced(text: string, from: number): string {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') open += 1
    if (text[at] === ')') open -= 1
    if (open === 0) return text.slice(from, at)
  }
  return text.slice(from)
}
