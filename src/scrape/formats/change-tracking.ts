// Changes of the page since the team's last scrape under this tag.
import { z } from 'zod'
import type { ModelAnswer } from '../../llm/llm.ts'
import { defineFormat } from './format.ts'
import { makeFormatOutcome, outcomeOfModelAnswer } from './format-outcome.ts'
import { jsonShape, makeJsonTask, readJsonByRules, verifyModelJson } from './json.ts'

export const changeTrackingFormat = defineFormat({
  name: 'changeTracking',
  help: 'Whether the page changed since it was last scraped with this tag, and how.',
  reply: z.looseObject({
    previousScrapeAt: z.string().nullable(),
    changeStatus: z.enum(['new', 'same', 'changed', 'removed']),
    visibility: z.enum(['visible', 'hidden']),
    diff: z.unknown().optional().describe('In the mode `git-diff`.'),
    json: z
      .unknown()
      .optional()
      .describe('In the mode `json`: each value that changed, before and now; all of them when none did.'),
  }),
  needs: ['markdown', 'llm', 'history'],
  options: {
    modes: z
      .array(z.enum(['git-diff', 'json']))
      .max(2)
      .default([])
      .describe('`git-diff`: what changed, line by line. `json`: which of the extracted values changed.'),
    ...jsonShape,
    tag: z.string().max(256).nullable().default(null).describe('A branch of its own: only its scrapes are compared.'),
  },
  read: async (view, options) => ({
    lines: (await import('../../understanding/changes/fingerprint-whole-page.ts')).fingerprintWholePage(view),
    json: options.modes.includes('json') ? await readJsonByRules(view, options) : undefined,
  }),
  async produce({ read, markdown, llm, history }, options, signal) {
    const { modes, tag, schema, prompt } = options
    let modelAnswer: ModelAnswer<unknown> | undefined
    const extract = async () => {
      const answer = await llm.extract(
        makeJsonTask(read.json!, options, () => markdown.value()),
        signal,
      )
      modelAnswer = (await verifyModelJson(answer, read.json!, options, markdown.value())).answer
      return modelAnswer.value
    }
    const { tracked, warnings } = await history.track(
      {
        markdown,
        lines: read.lines,
        tag,
        wantsDiff: modes.includes('git-diff'),
        data: read.json && { schema, prompt, exact: llm.by === 'extractive', extract },
      },
      signal,
    )
    const { parts } = modelAnswer ? outcomeOfModelAnswer(modelAnswer, tracked) : makeFormatOutcome({ value: tracked })
    const { diff, ...rest } = tracked ?? {}
    return makeFormatOutcome({
      ...parts,
      value: tracked && { ...rest, ...(diff ? { diff: diff.value() } : {}) },
      warnings: [...(parts.warnings ?? []), ...warnings],
    })
  },
})
