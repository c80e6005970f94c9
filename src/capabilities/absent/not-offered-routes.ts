// Endpoints of released clients that this service does not offer; each refuses in the form its client reads.
import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, type Route, type Services } from '../route.ts'

const RESEARCH = '/v2/search/research'

/** These clients show `detail`, as in RFC 7807. */
const notOffered = (method: Route['method'], path: string, what: string): Route<Services> =>
  defineRoute({
    method,
    path,
    summary: `${what}: not offered by this service`,
    command: null,
    bucket: 'search',
    group: 'research',
    reply: z.never(),
    async handle() {
      const detail = `${what} is not offered by this service`
      throw new Problem('not_offered', {
        because: detail,
        also: { type: 'about:blank', title: 'Not Implemented', status: 501, detail },
      })
    },
  })

const noSupport = (path: string): Route<Services> =>
  defineRoute({
    method: 'POST',
    path,
    summary: 'Support by chat: not offered by this service',
    command: null,
    bucket: 'account',
    reply: z.never(),
    async handle() {
      throw new Problem('unavailable', { instead: 'support_unavailable' })
    },
  })

export const notOfferedCapability = defineCapability({
  name: 'absent',
  tag: 'Not offered',
  right: 'use',
  routes: [
    notOffered('GET', `${RESEARCH}/papers`, 'The search of research papers'),
    notOffered('GET', `${RESEARCH}/papers/:id`, 'The search of research papers'),
    notOffered('GET', `${RESEARCH}/papers/:id/similar`, 'The search of research papers'),
    notOffered('GET', `${RESEARCH}/github`, 'The search of GitHub'),
    notOffered('GET', '/v2/search/developer', 'The search for developers'),
    notOffered('POST', '/v2/search/developer', 'The search for developers'),
    notOffered('GET', '/v2/search/gov', 'The search of government sites'),
    notOffered('POST', '/v2/search/gov', 'The search of government sites'),
    noSupport('/v2/support/ask'),
    noSupport('/v2/support/docs-search'),
  ],
})
