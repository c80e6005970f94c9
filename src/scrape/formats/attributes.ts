// The values of chosen attributes of chosen elements. It reads the tree in the worker.
import { compile, selectAll } from 'css-select'
import type { AnyNode, Element } from 'domhandler'
import { z } from 'zod'
import { defineFormat } from './format.ts'

/** A page can have a million matches; an answer should not. */
const MAX_VALUES = 10_000

const selector = z
  .string()
  .min(1)
  .max(1000)
  .superRefine((text, context) => {
    try {
      compile(text)
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: `${JSON.stringify(text)} is not a CSS selector: ${(error as Error).message}`,
      })
    }
  })

export const attributes = defineFormat({
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
      values: selectAll<AnyNode, Element>(selector, tree)
        .map((element) => element.attribs[attribute] ?? element.attribs[attribute.toLowerCase()])
        .filter((value) => value !== undefined)
        .slice(0, MAX_VALUES),
    })),
  produce: ({ read }) => read,
})
