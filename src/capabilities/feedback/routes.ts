// Feedback on a result: once per job, within a day. Nothing is refunded.
import { DAY_MS } from '../../base/clock.ts'
import { Problem, type ProblemName } from '../../base/problem.ts'
import { pageKeyOf } from '../../base/url-key.ts'
import { isUuid } from '../../base/uuid-format.ts'
import { validateInput } from '../../base/validate-input.ts'
import { searchStore } from '../../search/store/index.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, type RouteCall, type Services } from '../route.ts'
import { feedbackBody, feedbackReply, searchFeedbackBody } from './schema.ts'
import { feedbackStore } from './store/index.ts'

const makeRefusal = (kind: ProblemName, feedbackErrorCode: string, instead: string, details?: unknown): Problem =>
  new Problem(kind, { instead, also: { feedbackErrorCode }, ...(details === undefined ? {} : { details }) })

/** The schema's refusal with the error code that clients expect. */
const screenWith = (schema: typeof feedbackBody | typeof searchFeedbackBody) => (body: unknown) => {
  try {
    validateInput(schema, body ?? {})
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw makeRefusal(error.kind, 'INVALID_BODY', error.message, error.details)
  }
}

interface Opinion {
  endpoint: 'search' | 'scrape' | 'parse' | 'map'
  jobId: string
  rating: string
  valuableSources?: { url: string }[] | undefined
}

async function keep(
  { store, meter, clock }: Services,
  { endpoint, jobId, rating, ...body }: Opinion,
  { caller }: RouteCall,
): Promise<object> {
  await meter.flush()
  const job = await teamStore(store).activities.ofJob(caller.teamId, jobId.toLowerCase())
  const isSearch = endpoint === 'search'
  if (!job || job.endpoint !== endpoint)
    throw makeRefusal(
      'job_not_found',
      isSearch ? 'SEARCH_NOT_FOUND' : 'JOB_NOT_FOUND',
      isSearch ? 'Search not found' : 'Job not found',
    )
  if (job.at < clock.now() - DAY_MS)
    throw makeRefusal('conflict', 'FEEDBACK_WINDOW_EXPIRED', 'Feedback is accepted for 24 hours after the job')
  if (isSearch && job.status >= 400)
    throw makeRefusal('conflict', 'SEARCH_FAILED', 'This search failed, so there is nothing to rate')
  const { id, first } = await feedbackStore(store).add({
    teamId: caller.teamId,
    keyId: caller.keyId,
    jobId: jobId.toLowerCase(),
    endpoint,
    rating,
    body,
  })
  if (isSearch && first)
    await searchStore(store).searchVotes.vote(caller.teamId, jobId.toLowerCase(), valuableKeysOf(body))
  // A bad rating withdraws earlier votes.
  else if (isSearch && rating === 'bad')
    await searchStore(store).searchVotes.takeBack(caller.teamId, jobId.toLowerCase())
  return { success: true, feedbackId: id, creditsRefunded: 0, ...(first ? {} : { alreadySubmitted: true }) }
}

/** Useful URLs, which the next search for the same words ranks higher. */
const valuableKeysOf = ({ valuableSources = [] }: { valuableSources?: readonly { url: string }[] }): string[] =>
  valuableSources.map(({ url }) => pageKeyOf(url))

const anyResult = defineRoute({
  method: 'POST',
  path: '/v2/feedback',
  summary: 'Rate a result',
  screen: screenWith(feedbackBody),
  body: feedbackBody,
  reply: feedbackReply,
  handle: (services, { body: { origin: _, integration: __, ...opinion } }, call) => keep(services, opinion, call),
})

const ofSearch = defineRoute({
  method: 'POST',
  path: '/v2/search/:jobId/feedback',
  summary: 'Rate a search',
  screen: screenWith(searchFeedbackBody),
  body: searchFeedbackBody,
  reply: feedbackReply,
  async handle(services, { body: { origin: _, integration: __, ...opinion }, params }, call) {
    const jobId = params.jobId ?? ''
    if (!isUuid(jobId)) throw new Problem('invalid_job_id')
    return keep(services, { ...opinion, endpoint: 'search', jobId }, call)
  },
})

export const feedbackCapability = defineCapability({
  name: 'feedback',
  tag: 'Feedback',
  right: 'use',
  bucket: 'account',
  cliGroup: 'Keys and teams',
  group: 'open',
  storage: feedbackStore,
  routes: [anyResult, ofSearch],
})
