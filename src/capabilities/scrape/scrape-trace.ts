// The trace of a scrape. For one answered from the cache, field positions come from the scrape that made the document.
import type { PageStore, StoredScrape } from '../../store/captures-and-scrapes.ts'

interface Step {
  step: string
  [fact: string]: unknown
}

const stepsIn = (explain: unknown): Step[] => (explain as { steps?: Step[] } | null | undefined)?.steps ?? []

export async function readScrapeTrace(
  pages: Pick<PageStore, 'firstExplain'>,
  { id, explain }: StoredScrape,
): Promise<unknown> {
  const steps = stepsIn(explain)
  const recalled = steps.find(({ step }) => step === 'recall')
  if (!recalled) return explain
  const made = stepsIn(await pages.firstExplain(id)).filter(({ step, fields }) => step === 'answer' && fields)
  if (made.length === 0) return explain
  // That scrape may be another team's: include what it says of the page, not its cost.
  const answers = made.map(({ step, format, by, fields }) => ({ step, format, by, fields, atMs: recalled.atMs }))
  return { ...(explain as object), steps: [...steps, ...answers] }
}
