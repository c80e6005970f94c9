// Texts for the frontier's reason codes: why a URL was not visited.
import { refusals } from '../../base/crawl-scope.ts'
import { tableOf } from '../../base/lookup-table.ts'

const sentences = tableOf<string>({
  ...refusals,
  DUPLICATE: 'it is the same page as one before it',
  ROBOTS: 'robots.txt forbids it',
  ENDED: 'the job ended before its turn',
  NO_CREDIT: 'the team had no credits left',
})

export const reasonText = (code: string): string => (Object.hasOwn(sentences, code) ? sentences[code]! : code)
