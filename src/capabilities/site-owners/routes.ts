// What owners of sites can rely on: opt-outs that a team follows, a page about the bot, and the keys of its signatures.

import { z } from 'zod'
import { escapeHtml } from '../../base/escape-html.ts'
import { PAGE_USES } from '../../base/page-uses.ts'
import { Problem } from '../../base/problem.ts'
import { BOT_PAGE_PATH, botIdentity, DIRECTORY_PATH } from '../../fetch/bot-identity.ts'
import { clientShape } from '../../scrape/scrape-options.ts'
import { robotsAgent } from '../../site/fetch-robots.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, ReadyReply } from '../route.ts'
import { successReply } from '../schema-parts.ts'

const tag = 'Account'
const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

const usePolicy = {
  uses: z
    .array(z.enum(PAGE_USES))
    .max(PAGE_USES.length)
    .describe('What the team uses pages for: `search` (an index), `ai-input` (text for a model), `ai-train`.'),
  enforce: z
    .boolean()
    .describe('Pages that are reserved from one of them fail with `USE_RESERVED`; false: it is only in the metadata.'),
}
const body = z
  .strictObject({ uses: usePolicy.uses, enforce: usePolicy.enforce.default(true), ...clientShape })
  .describe('The whole policy.')
const reply = successReply({
  data: z.object({ ...usePolicy, configured: z.boolean(), updatedAt: z.string().nullable() }),
})
const path = '/v2/team/opt-outs'

const readPolicy = defineRoute({
  ...{ method: 'GET', path, tag, bucket: 'account', reply },
  summary: 'What the team uses pages for, and whether opt-outs are enforced',
  handle: async ({ usePolicies }, _input, { caller }) => ({
    success: true,
    data: await usePolicies.read(caller.teamId),
  }),
})

const writePolicy = defineRoute({
  ...{ method: 'PUT', path, tag, bucket: 'account', right: 'admin', body, reply },
  summary: 'Replace what the team uses pages for, and whether opt-outs are enforced',
  example: { uses: ['ai-input'], enforce: true },
  handle: async ({ usePolicies }, { body: { uses, enforce } }, { caller }) => ({
    success: true,
    data: await usePolicies.write(caller.teamId, { uses: [...new Set(uses)], enforce }),
  }),
})

const botPage = defineRoute({
  ...{ method: 'GET', path: BOT_PAGE_PATH, tag: 'Service', right: 'none', command: null, serves: ['text/html'] },
  summary: 'For owners of sites: who visits, how to verify it, and how to refuse it',
  handle: async () => new ReadyReply(writeBotPage(), 'text/html; charset=utf-8'),
})

const keyDirectory = defineRoute({
  ...{ method: 'GET', path: DIRECTORY_PATH, tag: 'Service', right: 'none', command: null },
  summary: 'Public keys of the signatures that requests to sites carry (Web Bot Auth)',
  serves: [DIRECTORY_TYPE],
  async handle() {
    const directory = await botIdentity()?.directory()
    if (!directory) throw new Problem('not_found', { because: 'requests of this service carry no signatures' })
    const headers = { ...directory.headers, 'cache-control': 'max-age=3600' }
    return new ReadyReply(JSON.stringify({ keys: directory.keys }), DIRECTORY_TYPE, headers)
  },
})

function writeBotPage(): string {
  const bot = botIdentity()
  const name = escapeHtml(bot?.name ?? robotsAgent())
  const identity = bot
    ? `<p>Requests have the user agent <code>${escapeHtml(bot.userAgent)}</code> and a signature of HTTP Message Signatures (RFC 9421, Web Bot Auth). The keys are in the <a href="${DIRECTORY_PATH}">key directory</a>. A request without a valid signature does not come from here.</p>`
    : ''
  const owner = bot?.contact ? `<p>Contact: ${escapeHtml(bot.contact)}</p>` : ''
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title>
<h1>${name}</h1>
<p>This service fetches web pages for the people and programs that use it. Crawls follow robots.txt.</p>
${identity}
<h2>Refuse visits of crawls</h2>
<pre>User-agent: ${name}
Disallow: /</pre>
<h2>Reserve uses of your pages</h2>
<p><code>X-Robots-Tag: noai</code>, robots meta tags, <code>tdm-reservation</code>, <code>/.well-known/tdmrep.json</code> and <code>Content-Signal</code> in robots.txt are read and passed on with every page.</p>
<h2>Refuse every visit</h2>
<p>The operator can exclude your host for all users of this service.</p>
${owner}</html>
`
}

export const siteOwnersCapability = defineCapability({
  name: 'site-owners',
  tag: 'Account',
  right: 'use',
  group: 'open',
  routes: [readPolicy, writePolicy, botPage, keyDirectory],
})
