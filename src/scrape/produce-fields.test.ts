import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Problem } from '../base/problem.ts'
import { makeExtractiveLlm } from '../llm/extractive-llm.ts'
import { defineFormat, type Format } from './formats/format.ts'
import { makeAbsentFormatOutcome, makeFormatOutcome, outcomeOfModelAnswer } from './formats/format-outcome.ts'
import { produceFields } from './produce-fields.ts'

const digest = {
  kind: 'html',
  charset: '',
  metadata: {},
  materials: {},
  reads: {},
  failures: {},
  cuts: '[]',
  warnings: [],
  ms: 0,
}
const never = new AbortController().signal
const make = (make: () => unknown, name = 'x'): Format =>
  defineFormat({ name, help: '', reply: z.unknown(), needs: ['llm'], options: {}, produce: async () => make() })
const run = (...formats: Format[]) =>
  produceFields(
    formats.map((format) => ({ format, options: { type: format.name } })),
    { have: { llm: makeExtractiveLlm() }, digest },
    never,
  )

describe('a format', () => {
  it('may warn, set other fields, and leave its own out', async () => {
    const both = make(() => makeFormatOutcome({ value: 1, fields: { also: 2 }, warnings: ['careful'] }))
    const none = make(() => makeAbsentFormatOutcome('No such thing'), 'y')
    expect(await run(both, none)).toEqual({
      fields: { x: 1, also: 2, y: undefined },
      lessons: [],
      metadata: {},
      warnings: ['careful', 'No such thing'],
      steps: [],
      doNotCache: false,
    })
  })

  it('that fails is null with a warning, and not worth keeping', async () => {
    const broken = make(() => {
      throw new Error('it broke')
    })
    expect(await run(broken)).toMatchObject({ fields: { x: null }, doNotCache: true })
    expect((await run(broken)).warnings).toEqual(['The format x could not be made: it broke'])
  })

  it('that throws a Problem ends the scrape', async () => {
    const refusing = make(() => {
      throw new Problem('prompt_injection')
    })
    await expect(
      run(
        refusing,
        make(() => 1, 'y'),
      ),
    ).rejects.toMatchObject({ kind: 'prompt_injection' })
  })

  it('that asked says who answered, once however many ask', async () => {
    const asking = (name: string) =>
      defineFormat({
        name,
        help: '',
        reply: z.unknown(),
        needs: ['llm'],
        options: {},
        produce: async ({ llm }, _, signal) =>
          outcomeOfModelAnswer(await llm.summarise({ text: () => '', found: 'short' }, signal)),
      })
    const { fields, warnings, steps } = await run(asking('x'), asking('y'))
    expect(fields).toEqual({ x: 'short', y: 'short' })
    expect(warnings).toEqual([])
    expect(steps).toMatchObject([
      { format: 'x', by: 'extractive' },
      { format: 'y', by: 'extractive' },
    ])
  })
})
