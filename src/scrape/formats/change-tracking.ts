// Changes of the page since the team's last scrape under this tag.
import { z } from 'zod'
import type { ModelAnswer } from '../../llm/llm.ts'
import type { LearntExtractor } from '../learnt-extractor.ts'
import { defineFormat, type FormatInputPage } from './format.ts'
import { makeFormatOutcome, outcomeOfModelAnswer } from './format-outcome.ts'
import {
  type JsonFormatOptions,
  type JsonReading,
  jsonShape,
  makeJsonTask,
  readJsonByRules,
  verifyModelJson,
} from './json.ts'
import { outcomeOfReading, type ReadingByExtractor, readByExtractor } from './read-by-extractor.ts'

interface ReadValues {
  json?: JsonReading
  learnt?: ReadingByExtractor
}

async function readValues(view: FormatInputPage, options: JsonFormatOptions): Promise<ReadValues> {
  const { learnt } = options as { learnt?: LearntExtractor }
  return learnt ? { learnt: await readByExtractor(view, learnt) } : { json: await readJsonByRules(view, options) }
}

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
      .describe('In the mode `json`: each changed value, before and now; all values if none changed.'),
  }),
  needs: ['markdown', 'llm', 'history'],
  options: {
    modes: z
      .array(z.enum(['git-diff', 'json']))
      .max(2)
      .default([])
      .describe('`git-diff`: what changed, line by line. `json`: which of the extracted values changed.'),
    ...jsonShape,
    tag: z
      .string()
      .max(256)
      .nullable()
      .default(null)
      .describe('A separate history: only scrapes with this tag are compared.'),
  },
  read: async (view, options): Promise<ReadValues & { lines: readonly number[] }> => ({
    lines: (await import('../../understanding/changes/page-fingerprints.ts')).fingerprintWholePage(view),
    ...(options.modes.includes('json') ? await readValues(view, options) : {}),
  }),
  async produce({ read, markdown, llm, history }, options, signal) {
    const { modes, tag, schema, prompt, extractor } = options
    const hasValues = read.json || read.learnt?.reading.value
    const misfit = read.learnt && !hasValues ? outcomeOfReading(read.learnt).parts.warnings : undefined
    let modelAnswer: ModelAnswer<unknown> | undefined
    const extract = async () => {
      if (read.learnt) return read.learnt.reading.value
      // `auto` found no extractor: the rules read, as in `json`.
      if (extractor) return read.json!.value
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
        // A page that does not fit has no values: they have not all changed.
        data: hasValues
          ? { schema: extractor ?? schema, prompt, exact: Boolean(extractor) || llm.by === 'extractive', extract }
          : undefined,
      },
      signal,
    )
    const { parts } = modelAnswer ? outcomeOfModelAnswer(modelAnswer, tracked) : makeFormatOutcome({ value: tracked })
    const { diff, ...rest } = tracked ?? {}
    return makeFormatOutcome({
      ...parts,
      value: tracked && { ...rest, ...(diff ? { diff: diff.value() } : {}) },
      warnings: [...(parts.warnings ?? []), ...(misfit ?? []), ...warnings],
    })
  },
})
