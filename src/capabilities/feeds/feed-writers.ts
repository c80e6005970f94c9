// A feed as RSS 2.0, Atom and JSON Feed 1.1.
import { createHash } from 'node:crypto'
import { parseDate, toTimestamp } from '../../base/parse-dates.ts'
import type { Feed, FeedEntry } from './store/feeds.ts'

interface FeedText {
  contentType: string
  text(feed: Feed, entries: readonly FeedEntry[], self: string): string
}

/** Drops characters that XML does not allow. */
const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')

/** The id of an entry, which does not change with its title or its position in the list. */
const idOf = ({ id }: Feed, { url }: FeedEntry): string =>
  `urn:sha256:${createHash('sha256').update(`${id} ${url}`).digest('hex')}`

/** Undefined without a stated date: the day of reading says nothing about the entry. */
const timeOf = ({ date }: FeedEntry): Date | undefined => {
  const stated = date === undefined ? undefined : parseDate(date)
  return stated && new Date(toTimestamp(stated))
}

const element = (name: string, text: string | undefined): string => (text ? `<${name}>${text}</${name}>` : '')

const aboutOf = ({ price, text }: FeedEntry): string =>
  [price ? `${price.amount} ${price.currency}` : '', text ?? ''].filter(Boolean).join(' · ')

const rss: FeedText = {
  contentType: 'application/rss+xml; charset=utf-8',
  text: (feed, entries, self) => {
    const items = entries.map(
      (entry) =>
        `<item><guid isPermaLink="false">${idOf(feed, entry)}</guid><title>${xml(entry.title)}</title><link>${xml(entry.url)}</link>${element('pubDate', timeOf(entry)?.toUTCString())}<description>${xml(aboutOf(entry))}</description>${entry.image ? `<media:thumbnail url="${xml(entry.image)}"/>` : ''}</item>`,
    )
    return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>${xml(feed.title)}</title><link>${xml(feed.url)}</link><atom:link rel="self" href="${xml(self)}"/><description>${xml(feed.error ?? feed.url)}</description>${items.join('')}</channel></rss>`
  },
}

const atom: FeedText = {
  contentType: 'application/atom+xml; charset=utf-8',
  text: (feed, entries, self) => {
    const items = entries.map(
      (entry) =>
        `<entry><id>${idOf(feed, entry)}</id><title>${xml(entry.title)}</title><link href="${xml(entry.url)}"/>${element('updated', timeOf(entry)?.toISOString())}<summary>${xml(aboutOf(entry))}</summary></entry>`,
    )
    const updated = new Date(entries[0]?.firstAt ?? feed.createdAt).toISOString()
    return `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><id>${xml(self)}</id><title>${xml(feed.title)}</title><link rel="self" href="${xml(self)}"/><link href="${xml(feed.url)}"/><updated>${updated}</updated><author><name>Orbweaver</name></author>${items.join('')}</feed>`
  },
}

const json: FeedText = {
  contentType: 'application/feed+json; charset=utf-8',
  text: (feed, entries, self) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: feed.title,
      home_page_url: feed.url,
      feed_url: self,
      ...(feed.error ? { description: feed.error } : {}),
      items: entries.map((entry) => ({
        id: idOf(feed, entry),
        url: entry.url,
        title: entry.title,
        content_text: aboutOf(entry),
        date_published: timeOf(entry)?.toISOString(),
        ...(entry.image ? { image: entry.image } : {}),
      })),
    }),
}

export const feedWriters: Readonly<Record<string, FeedText>> = { rss, atom, json }
