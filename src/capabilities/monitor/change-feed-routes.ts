// Atom feeds of changes, for one monitor or a whole team. The URL is the credential.

import { z } from 'zod'
import { escapeHtml } from '../../base/escape-html.ts'
import { Problem } from '../../base/problem.ts'
import { findValidKey } from '../../teams/keys.ts'
import { ReadyReply } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { makeTeamFeedToken, readTeamFeedToken } from './mail-and-feed-tokens.ts'
import { defineRoute } from './own-services.ts'
import type { CheckPage } from './store/check-pages-and-watched-pages.ts'
import { monitorStore } from './store/index.ts'

const PATH = '/v2/monitor/feeds'
const MOST = 50
const MAX_MONITORS = 100

const noFeed = () => new Problem('not_found', { instead: 'There is no such feed' })

interface Entry extends CheckPage {
  monitorName: string
}

const atom = (title: string, self: string, entries: readonly Entry[], now: number): ReadyReply => {
  const updated = new Date(entries[0]?.createdAt ?? now).toISOString()
  const items = entries.map((page) => {
    const name = (page.metadata as { title?: string } | null)?.title ?? page.url
    const text =
      (page.diff as { text?: string } | null)?.text ??
      (page.judgment as { reason?: string } | null)?.reason ??
      page.error ??
      page.status
    return `<entry><id>urn:uuid:${page.id}</id><title>${xml(`${page.status}: ${name}`)}</title><link href="${xml(page.url)}"/><updated>${new Date(page.createdAt).toISOString()}</updated><category term="${xml(page.monitorName)}"/><content type="html">${xml(`<pre>${escapeHtml(text.slice(0, 20_000))}</pre>`)}</content></entry>`
  })
  return new ReadyReply(
    `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><id>${xml(self)}</id><title>${xml(title)}</title><link rel="self" href="${xml(self)}"/><updated>${updated}</updated><author><name>Orbweaver</name></author>${items.join('')}</feed>`,
    'application/atom+xml; charset=utf-8',
    { 'cache-control': 'private, max-age=60' },
  )
}

/** Drops characters that XML does not allow. */
const xml = (text: string): string =>
  escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))

const ofMonitor = defineRoute({
  method: 'GET',
  path: `${PATH}/:token`,
  right: 'none',
  serves: ['application/atom+xml'],
  summary: 'Changes of one monitor as a feed; the URL is secret',
  command: null,
  async handle({ store, clock }, { params }, { baseUrl }) {
    const token = params.token ?? ''
    const monitor = token === '' ? undefined : await monitorStore(store).monitors.byFeed(token)
    if (!monitor || !(await findValidKey(store, monitor.keyId, clock.now()))) throw noFeed()
    const pages = await monitorStore(store).checks.history(monitor.id, { limit: MOST, alsoSame: false })
    const entries = pages.map((page) => ({ ...page, monitorName: monitor.name }))
    return atom(monitor.name, `${baseUrl}${PATH}/${token}`, entries, clock.now())
  },
})

const ofTeam = defineRoute({
  method: 'GET',
  path: `${PATH}/team/:token`,
  right: 'none',
  serves: ['application/atom+xml'],
  summary: 'Changes of all monitors of a team as a feed; the URL is secret',
  command: null,
  async handle({ store, clock }, { params }, { baseUrl }) {
    const teamId = await readTeamFeedToken(store, params.token ?? '')
    const team = teamId && (await store.teams.get(teamId))
    if (!team) throw noFeed()
    const monitors = await monitorStore(store).monitors.list(team.id, { limit: MAX_MONITORS, offset: 0 })
    const entries: Entry[] = []
    for (const { id, name } of monitors)
      for (const page of await monitorStore(store).checks.history(id, { limit: MOST, alsoSame: false }))
        entries.push({ ...page, monitorName: name })
    entries.sort((a, b) => (a.id < b.id ? 1 : -1))
    return atom(
      `Monitors of ${team.name}`,
      `${baseUrl}${PATH}/team/${params.token}`,
      entries.slice(0, MOST),
      clock.now(),
    )
  },
})

const address = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'The secret URL of the feed of all monitors of the team',
  command: 'monitor feed',
  bucket: 'jobStatus',
  reply: successReply({ data: z.object({ url: z.string() }) }),
  async handle({ store }, _input, { caller, baseUrl }) {
    return { success: true, data: { url: `${baseUrl}${PATH}/team/${await makeTeamFeedToken(store, caller.teamId)}` } }
  },
})

export const changeFeedRoutes = [ofMonitor, ofTeam, address]
