// Texts for the frontier's reason codes: why a URL was not visited.
import { scopeRefusalTexts } from '../../base/crawl-scope.ts'
import { makeLookupTable } from '../../base/lookup-table.ts'

const sentences = makeLookupTable<string>({
  ...scopeRefusalTexts,
  DUPLICATE: 'it is the same page as one before it',
  OTHER_LANGUAGE: 'it is in another language than `language`',
  ROBOTS: 'robots.txt forbids it',
  ENDED: 'the job ended before its turn',
  NO_CREDIT: 'the team had no credits left',
})

export const explainReasonCode = (code: string): string => (Object.hasOwn(sentences, code) ? sentences[code]! : code)
