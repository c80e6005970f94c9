// Schemas of flows: steps that a person can read, edit and keep in git.

import { z } from 'zod'
import { makeBoundedRecordSchema } from '../../base/bounded-record-schema.ts'
import { type Flow, type FlowStep, listFlowParameters } from '../../driving/flow-steps-and-element-descriptors.ts'
import { parseTotpAddress } from '../../driving/totp-codes.ts'
import { documentSchema, flowRunSchema } from '../../scrape/document-schema.ts'
import { clientShape, scrapeOptionsShape } from '../../scrape/scrape-options.ts'
import { successReply } from '../schema-parts.ts'

const text = z.string().min(1).max(400)

const target = z
  .strictObject({
    role: z.string().min(1).max(60).optional().describe('ARIA role, or the tag of an element without one.'),
    name: text.optional().describe('Accessible name: the text of a button, the label of a field.'),
    label: text.optional().describe('Text beside a field, or its placeholder; for `extract`, the text before a value.'),
    near: text.optional().describe('A text that only its row or card has, if several elements have the same name.'),
    within: text
      .optional()
      .describe('Title of the dialog, form or section that it is in, else the heading of the page.'),
    only: z.boolean().optional().describe('Whether it was the only one of its role there, or in its row.'),
    others: z.array(text).max(20).optional().describe('Names of the others of its role there, or in its row.'),
    submits: z.boolean().optional().describe('It submits its form.'),
    kind: z.string().max(40).optional().describe('Type of an input.'),
    frame: text.optional().describe('Title or name of its frame.'),
    selector: text.optional().describe('CSS selector; used last.'),
  })
  .refine(({ role, name, label, selector }) => !!(role || name || label || selector), {
    error: 'must have a role, a name, a label or a selector',
  })
  .describe('An element, by its names.')

const value = z.string().max(10_000).describe('`{{name}}` is replaced by a parameter.')

const flowStep = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('open'), url: z.string().min(1).max(4096) }),
    z.strictObject({ type: z.literal('back') }),
    z.strictObject({ type: z.literal('forward') }),
    z.strictObject({
      type: z.literal('click'),
      target,
      dialog: z.enum(['accept', 'dismiss']).optional().describe('How to respond to a dialog that the page opens.'),
      answer: z.string().max(1000).optional().describe('The text to enter into that dialog.'),
    }),
    z.strictObject({ type: z.literal('type'), target, value }),
    z.strictObject({
      type: z.literal('choose'),
      target,
      value: value.describe('Label of an option of a native list.'),
    }),
    z.strictObject({ type: z.literal('check'), target, on: z.boolean().default(true) }),
    z.strictObject({
      type: z.literal('upload'),
      target,
      file: z.string().min(1).max(10_000_000).describe('A parameter whose value is a data URL with a `name`.'),
    }),
    z.strictObject({ type: z.literal('press'), key: z.string().min(1).max(60), target: target.optional() }),
    z.strictObject({
      type: z.literal('scroll'),
      to: z.enum(['top', 'bottom']).optional(),
      target: target.optional(),
    }),
    z
      .strictObject({
        type: z.literal('waitFor'),
        target: target.optional(),
        text: text.optional(),
        gone: z.boolean().optional().describe('Wait until it is gone.'),
      })
      .refine((step) => (step.target === undefined) !== (step.text === undefined), {
        error: "Either 'target' or 'text' must be provided, but not both.",
      }),
    z.strictObject({
      type: z.literal('extract'),
      as: z
        .string()
        .regex(/^[\w-]{1,60}$/)
        .max(60)
        .describe('Name of the value in `data`.'),
      target,
      all: z.boolean().optional().describe('All matching elements, as a list.'),
      attribute: z.string().max(60).optional().describe('An attribute instead of the text.'),
    }),
    z.strictObject({ type: z.literal('download'), target }),
    z.strictObject({ type: z.literal('screenshot'), fullPage: z.boolean().optional() }),
    z.strictObject({ type: z.literal('login'), vault: z.string().min(1).max(64).describe('Name of a vault entry.') }),
    z.strictObject({
      type: z.literal('expect'),
      path: z.string().min(1).max(1000).describe('Path and fragment; `*` matches any part of it.'),
      heading: text.optional().describe('First heading of the page, otherwise its title.'),
    }),
  ])
  .meta({ id: 'FlowStep' })

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i
export const flowNameSchema = z.string().regex(NAME, { error: 'must be 1 to 64 letters, digits, `-` and `_`' }).max(64)

const parameterName = z.string().regex(/^[\w-]{1,60}$/, { error: 'must be 1 to 60 letters, digits, `-` and `_`' })
const parameter = z
  .strictObject({
    default: z.string().max(10_000).optional().describe('Used if a run sends no value.'),
    secret: z.boolean().optional().describe('Never stored: each run must send it.'),
  })
  .refine((one) => !(one.secret && one.default !== undefined), { error: 'a secret parameter has no default' })
const MAX_PARAMETERS = 200
const parameters = makeBoundedRecordSchema(parameter, MAX_PARAMETERS, parameterName)

const MAX_STEPS = 500

export const flowBody = z
  .strictObject({
    parameters: parameters
      .default({})
      .describe('Parameters that the steps use and that are not listed have no default.'),
    steps: z.array(flowStep).min(1).max(MAX_STEPS),
    ...clientShape,
  })
  .superRefine(({ parameters, steps }, context) => {
    const used = listFlowParameters(steps as FlowStep[])
    for (const name of Object.keys(parameters))
      if (!used.includes(name))
        context.addIssue({ code: 'custom', path: ['parameters', name], message: `no step has {{${name}}}` })
    for (const [at, step] of steps.entries())
      if (step.type === 'type' && step.target.kind === 'password' && !/\{\{/.test(step.value))
        context.addIssue({
          code: 'custom',
          path: ['steps', at, 'value'],
          message: 'a password is not stored: use a secret parameter such as {{password}}, or a login step',
        })
  })

export const flowFromSessionBody = z.strictObject({
  name: flowNameSchema,
  parameters: makeBoundedRecordSchema(z.string().min(1).max(1000), MAX_PARAMETERS, parameterName)
    .optional()
    .describe('Values that become parameters, by name: `{"city": "Ghent"}` turns a typed Ghent into `{{city}}`.'),
  ...clientShape,
})

export const flowQuery = z.object({ version: z.coerce.number().int().min(1).optional() })

export const recordedStepsQuery = z.object({
  ended: z.enum(['true', 'false']).optional().describe('Also returns its last page, as an `expect` step.'),
})

const { formats, onlyMainContent, timeout, mobile, location, proxy, profile, zeroDataRetention } = scrapeOptionsShape

export const runFlowBody = z.strictObject({
  with: makeBoundedRecordSchema(z.string().max(10_000_000), MAX_PARAMETERS)
    .default({})
    .describe('Values of the parameters.'),
  version: z.int().min(1).optional().describe('The newest by default.'),
  formats,
  onlyMainContent,
  timeout: timeout.default(120_000).describe('Milliseconds for the whole run. 120000 by default.'),
  mobile,
  location,
  proxy,
  profile,
  zeroDataRetention,
  ...clientShape,
})

const facts = {
  name: z.string(),
  version: z.int(),
  parameters: z.record(z.string(), z.object({ default: z.string().optional(), secret: z.boolean().optional() })),
  createdAt: z.string(),
}

export const flowReply = successReply({
  ...facts,
  steps: z.array(flowStep),
  versions: z.array(z.object({ version: z.int(), createdAt: z.string() })),
})
export const flowListReply = successReply({
  flows: z.array(z.object({ ...facts, steps: z.int().describe('Number.') })),
})
export const flowSavedReply = successReply({
  name: facts.name,
  version: facts.version,
  parameters: facts.parameters,
  steps: z.array(flowStep),
})
export const recordedStepsReply = successReply({
  parameters: facts.parameters,
  steps: z.array(flowStep),
})
export const flowRemovedReply = successReply()
export const playwrightScriptReply = successReply({ script: z.string() })

export const runFlowReply = successReply({
  ...flowRunSchema.shape,
  screenshots: z.array(z.string()).describe('Of its `screenshot` steps.'),
  document: documentSchema.describe('The last page in the requested formats.'),
  scrape_id: z.string(),
})

const host = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/, { error: 'must be a host such as shop.example.com' })
  .max(253)

/** Who may use an entry, and how. */
const vaultUse = {
  keys: z
    .array(z.uuid())
    .max(100)
    .optional()
    .describe('Ids of the keys that may use it; by default every key with the right `vault`.'),
  flows: z.array(flowNameSchema).max(100).optional().describe('Names of the only flows that may use it.'),
  hosts: z
    .array(host)
    .max(20)
    .optional()
    .describe('Other registrable domains that pages may send requests to while it is typed.'),
  code: z
    .boolean()
    .optional()
    .describe('Also in browsers that run code of the caller. Such code can read what is typed.'),
}

export const vaultBody = z.strictObject({
  domain: host.describe('Values are typed only into fields of this registrable domain.'),
  username: z.string().min(1).max(1000),
  password: z.string().min(1).max(1000),
  totp: z
    .string()
    .max(2000)
    .refine((address) => parseTotpAddress(address) !== undefined, {
      error: 'must be a URL such as otpauth://totp/…?secret=…',
    })
    .optional()
    .describe('The key of one-time codes; a code is made when the page asks for it.'),
  fields: makeBoundedRecordSchema(z.string().max(1000), 50, z.string().min(1).max(200))
    .optional()
    .describe('Other fields, by label.'),
  ...vaultUse,
  ...clientShape,
})

export const vaultReply = successReply()
export const vaultListReply = successReply({
  entries: z.array(z.object({ name: z.string(), domain: z.string(), updatedAt: z.string(), ...vaultUse })),
})

/** Every parameter that the steps use, declared or not. */
export const declareUsedParameters = ({
  parameters,
  steps,
}: Pick<z.output<typeof flowBody>, 'parameters' | 'steps'>): Flow => ({
  parameters: Object.fromEntries(listFlowParameters(steps as FlowStep[]).map((name) => [name, parameters[name] ?? {}])),
  steps: steps as FlowStep[],
})
