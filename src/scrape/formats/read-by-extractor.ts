// `json` by a learnt program: the values, and per field how they were found.
import type { ProgramReading } from '../../understanding/learn/program-types.ts'
import type { LearntExtractor } from '../learnt-extractor.ts'
import type { FormatInputPage } from './format.ts'
import { type FormatOutcome, makeFormatOutcome } from './format-outcome.ts'

export interface ReadingByExtractor {
  learnt: LearntExtractor
  reading: ProgramReading
}

export async function readByExtractor(view: FormatInputPage, learnt: LearntExtractor): Promise<ReadingByExtractor> {
  const [{ indexPage }, { readWithProgram }] = await Promise.all([
    import('../../understanding/learn/index-page.ts'),
    import('../../understanding/learn/read-with-program.ts'),
  ])
  const reading = readWithProgram(indexPage(view), learnt.program)
  const { id, name, version } = learnt
  return { learnt: { id, name, version, program: NO_PROGRAM }, reading }
}

/** Of several programs, the reading that fits the page best; undefined when none fits. */
export async function readByBestFit(
  view: FormatInputPage,
  extractors: readonly LearntExtractor[],
): Promise<ReadingByExtractor | undefined> {
  const readings = await Promise.all(extractors.map((one) => readByExtractor(view, one)))
  const fitting = readings.filter(({ reading }) => reading.value !== null)
  return fitting.sort((a, b) => b.reading.fit - a.reading.fit)[0]
}

/** The program stays in the worker. */
const NO_PROGRAM = { records: null, fields: {}, marks: [] }

export function outcomeOfReading({ learnt, reading }: ReadingByExtractor): FormatOutcome {
  const { id, name, version } = learnt
  const { value, fields, fit } = reading
  const json = { extractor: { id, ...(name ? { name } : {}), version, fit }, fields }
  const misfit = `The page does not fit the extractor ${name ?? id} (fit ${fit}): it gave no values.`
  const steps = [{ by: 'extractor', extractor: id, version, fit }]
  return makeFormatOutcome({ value, metadata: { json }, steps, warnings: value === null ? [misfit] : [] })
}
