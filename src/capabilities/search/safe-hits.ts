// Removes hits that the threat policy (request, team and operator) refuses, and reports it.
import type { SearchAnswer, SearchHit } from '../../base/search-types.ts'
import type { ThreatPolicy } from '../../fetch/threats/threat-policy.ts'
import type { HandlerServices } from './own-services.ts'

export async function removeUnsafeHits(
  { threats }: Pick<HandlerServices, 'threats'>,
  answer: SearchAnswer,
  teamId: string,
  asked: Partial<ThreatPolicy> | undefined,
): Promise<SearchAnswer> {
  const policy = await threats.policyFor(teamId, asked)
  if (!policy) return answer
  const isSafe = ({ url }: SearchHit) => threats.guard.isAllowed(url, policy)
  const kept = {
    web: answer.web.filter(isSafe),
    news: answer.news.filter(isSafe),
    images: answer.images.filter(isSafe),
  }
  const count = (hits: Pick<SearchAnswer, 'web' | 'news' | 'images'>) =>
    hits.web.length + hits.news.length + hits.images.length
  const left = count(answer) - count(kept)
  if (left === 0) return answer
  const said = `${left} ${left === 1 ? 'hit was' : 'hits were'} left out: threat protection refuses ${left === 1 ? 'its address' : 'their addresses'}.`
  return { ...answer, ...kept, warning: [answer.warning, said].filter(Boolean).join(' ') }
}
