// How a scrape came about, for who asks. One that was answered by a document from the cache made none of its fields: where
// those stand on the page was written down by the scrape that did.
import type { Pages, StoredScrape } from '../../store/pages.ts'

interface Step {
  step: string
  [fact: string]: unknown
}

const stepsIn = (explain: unknown): Step[] => (explain as { steps?: Step[] } | null | undefined)?.steps ?? []

export async function explained(pages: Pick<Pages, 'firstExplain'>, { id, explain }: StoredScrape): Promise<unknown> {
  const steps = stepsIn(explain)
  const recalled = steps.find(({ step }) => step === 'recall')
  if (!recalled) return explain
  const made = stepsIn(await pages.firstExplain(id)).filter(({ step, fields }) => step === 'answer' && fields)
  if (made.length === 0) return explain
  // Of what may be another team's scrape: what it says of the page, nothing of what it cost.
  const answers = made.map(({ step, format, by, fields }) => ({ step, format, by, fields, atMs: recalled.atMs }))
  return { ...(explain as object), steps: [...steps, ...answers] }
}
