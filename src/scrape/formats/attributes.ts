// Values of chosen attributes of chosen elements. Reads the tree in the worker.
import type { AnyNode, Element } from 'domhandler'
import { z } from 'zod'
import { compileSelector } from '../../content/compile-selector.ts'
import { isElement, nextNode } from '../../content/parse-tree.ts'
import { defineFormat } from './format.ts'

/** A page can have a million matches. */
const MAX_VALUES = 10_000

const selector = z
  .string()
  .min(1)
  // Parsing a selector of megabytes would block the event loop.
  .max(1000, { abort: true })
  .superRefine((text, context) => {
    try {
      compileSelector(text)
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: `${JSON.stringify(text)} is not a CSS selector: ${(error as Error).message}`,
      })
    }
  })

export const attributesFormat = defineFormat({
  name: 'attributes',
  help: 'Values of an attribute on every element that a CSS selector matches.',
  reply: z.array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) })),
  needs: [],
  options: {
    selectors: z
      .array(z.strictObject({ selector, attribute: z.string().min(1).max(200) }))
      .max(100)
      .describe('Pairs of CSS selector and attribute name.'),
  },
  read: ({ tree }, { selectors }) =>
    selectors.map(({ selector, attribute }) => ({
      selector,
      attribute,
      values: [...findMatching(tree, compileSelector(selector), attribute)],
    })),
  produce: ({ read }) => read,
})

function* findMatching(tree: AnyNode, matches: (element: Element) => boolean, attribute: string): Generator<string> {
  let found = 0
  for (let node: AnyNode | null = tree; node && found < MAX_VALUES; node = nextNode(node, tree)) {
    if (!isElement(node) || !matches(node)) continue
    const value = node.attribs[attribute] ?? node.attribs[attribute.toLowerCase()]
    if (value === undefined) continue
    found += 1
    yield value
  }
}
