// Feeds of list pages: the entries of any page as RSS, Atom and JSON Feed at a secret address.
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { asProblem, Problem } from '../../base/problem.ts'
import { newId } from '../../store/id.ts'
import { findValidKey } from '../../teams/keys.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, ReadyReply, type Services } from '../route.ts'
import { feedWriters } from './feed-writers.ts'
import { readAndChargeListPage } from './read-and-charge-list-page.ts'
import { feedBody, feedListReply, feedRemovedReply, newFeedReply, type shownFeedSchema } from './schema.ts'
import { type Feed, feedStore } from './store/index.ts'

const PATH = '/v2/feeds'
const MINUTE_MS = 60_000
const MAX_FEEDS = 1000

const toShownFeed = (feed: Feed, baseUrl: string): z.output<typeof shownFeedSchema> => {
  const at = (form: string) => `${baseUrl}${PATH}/${feed.token}/${form}`
  const { id, url, title, error } = feed
  const addresses = { rss: at('rss'), atom: at('atom'), json: at('json') }
  const checkedAt = new Date(feed.checkedAt).toISOString()
  return { id, url, title, every: feed.everyMs / MINUTE_MS, ...addresses, checkedAt, error }
}

const create = defineRoute({
  method: 'POST',
  path: PATH,
  activity: 'feed',
  summary: 'Create a feed from a list page',
  command: 'feed',
  bucket: 'scrape',
  formats: (body) => [(body as { extractor?: string } | null)?.extractor ? 'json' : 'items'],
  body: feedBody,
  example: { url: 'https://example.com/news' },
  reply: newFeedReply,
  async handle(services, { body }, { caller, signal, baseUrl }) {
    const { url, every, origin: _origin, integration: _integration, ...options } = body
    const { store, clock } = services
    services.assertVisitable(url)
    if ((await feedStore(store).list(caller.teamId, MAX_FEEDS)).length === MAX_FEEDS)
      throw new Problem('bad_request', { because: `a team has at most ${MAX_FEEDS} feeds; remove one first` })
    const now = clock.now()
    const feed: Feed = {
      ...{ id: newId(now), teamId: caller.teamId, keyId: caller.keyId, token: randomBytes(24).toString('base64url') },
      ...{ url, title: url, options, everyMs: every * MINUTE_MS, createdAt: now, checkedAt: now, error: null },
    }
    const { items } = await readAndChargeListPage(
      services,
      caller,
      feed,
      async (tx, page) => {
        feed.title = page.title
        await feedStore(store).add(tx, feed)
        await feedStore(store).addItems(tx, feed, page.items)
      },
      signal,
    )
    return { success: true, data: { ...toShownFeed(feed, baseUrl), items } }
  },
})

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'List the feeds, newest first',
  command: 'feed list',
  bucket: 'jobStatus',
  reply: feedListReply,
  async handle({ store }, _input, { caller, baseUrl }) {
    const feeds = await feedStore(store).list(caller.teamId, MAX_FEEDS)
    return { success: true, data: feeds.map((feed) => toShownFeed(feed, baseUrl)) }
  },
})

const remove = defineRoute({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a feed and its URLs',
  command: 'feed remove',
  bucket: 'account',
  reply: feedRemovedReply,
  async handle({ store }, { params }, { caller }) {
    if (!(await feedStore(store).remove(caller.teamId, params.id ?? ''))) throw noFeed()
    return { success: true }
  },
})

const noFeed = () => new Problem('not_found', { instead: 'There is no such feed' })

const read = defineRoute({
  method: 'GET',
  path: `${PATH}/:token/:form`,
  right: 'none',
  serves: Object.values(feedWriters).map(({ contentType }) => contentType.split(';')[0]!),
  summary: 'Read a feed as `rss`, `atom` or `json`; the URL is secret',
  command: null,
  async handle(services, { params }, { baseUrl, signal }) {
    const { token = '', form = '' } = params
    const written = Object.hasOwn(feedWriters, form) ? feedWriters[form] : undefined
    const known = written && (await feedStore(services.store).byToken(token))
    const isOfValidKey = known && (await findValidKey(services.store, known.keyId, services.clock.now()))
    if (!written || !isOfValidKey) throw noFeed()
    const feed = await refreshFeed(services, known, signal)
    const entries = await feedStore(services.store).entries(feed.id)
    return new ReadyReply(written.text(feed, entries, `${baseUrl}${PATH}/${token}/${form}`), written.contentType, {
      'cache-control': `private, max-age=${Math.round(feed.everyMs / 1000)}`,
    })
  },
})

/** Reads the page again when it is due. A failure is in the feed, beside the entries that are known. */
async function refreshFeed(services: Services, feed: Feed, signal: AbortSignal): Promise<Feed> {
  const { store, clock, log } = services
  const feeds = feedStore(store)
  // The claim comes first and stays after a failure: readers cannot make us visit a page more often than asked.
  if (clock.now() - feed.checkedAt < feed.everyMs || !(await feeds.claim(feed))) return feed
  let error: string | null = null
  try {
    const team = await store.teams.get(feed.teamId)
    if (!team) throw noFeed()
    const { left } = await store.ledger.balance(feed.teamId)
    const reader = { ...team, teamId: team.id, keyId: feed.keyId, isLimited: left !== null }
    await readAndChargeListPage(services, reader, feed, (tx, { items }) => feeds.addItems(tx, feed, items), signal)
  } catch (caught) {
    if (signal.aborted) throw caught
    error = asProblem(caught).message
    log.warn({ feed: feed.id, error }, 'a feed could not be read')
  }
  if (error !== feed.error) await feeds.setError(feed.id, error)
  return { ...feed, error }
}

export const feedsCapability = defineCapability({
  name: 'feeds',
  tag: 'Feeds',
  requestForms: [
    {
      name: 'feed',
      namesThings: true,
      label: 'Create a feed',
      why: 'its entries as RSS, Atom and JSON Feed',
      phrases: ['feed|rss|atom|newsfeed', 'subscribe to', 'follow', 'abonnier*', 'flux', 'suscri*|sigue'],
      takes: 'page',
      operation: 'feed',
      path: '/v2/feeds',
      isQuick: false,
      body: ({ urls }) => ({ url: urls[0] ?? '' }),
    },
  ],
  right: 'use',
  cliGroup: 'Work with pages',
  group: 'feeds',
  storage: feedStore,
  prices: [{ what: 'a reading of the page of a feed', credits: 1 }],
  routes: [create, list, remove, read],
})
