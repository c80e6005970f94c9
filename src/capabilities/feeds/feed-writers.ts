// A feed as RSS 2.0, Atom and JSON Feed 1.1.

import { createHash } from 'node:crypto'
import { escapeHtml } from '../../base/escape-html.ts'
import { parseDate, toTimestamp } from '../../base/parse-dates.ts'
import type { Feed, FeedEntry } from './store/index.ts'

type FeedText = { contentType: string; text(feed: Feed, entries: readonly FeedEntry[], self: string): string }

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
        `<item><guid isPermaLink="false">${idOf(feed, entry)}</guid><title>${escapeHtml(entry.title)}</title><link>${escapeHtml(entry.url)}</link>${element('pubDate', timeOf(entry)?.toUTCString())}<description>${escapeHtml(aboutOf(entry))}</description>${entry.image ? `<media:thumbnail url="${escapeHtml(entry.image)}"/>` : ''}</item>`,
    )
    return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>${escapeHtml(feed.title)}</title><link>${escapeHtml(feed.url)}</link><atom:link rel="self" href="${escapeHtml(self)}"/><description>${escapeHtml(feed.error ?? feed.url)}</description>${items.join('')}</channel></rss>`
  },
}

const atom: FeedText = {
  contentType: 'application/atom+xml; charset=utf-8',
  text: (feed, entries, self) => {
    const items = entries.map(
      (entry) =>
        `<entry><id>${idOf(feed, entry)}</id><title>${escapeHtml(entry.title)}</title><link href="${escapeHtml(entry.url)}"/>${element('updated', timeOf(entry)?.toISOString())}<summary>${escapeHtml(aboutOf(entry))}</summary></entry>`,
    )
    const updated = new Date(entries[0]?.firstAt ?? feed.createdAt).toISOString()
    return `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><id>${escapeHtml(self)}</id><title>${escapeHtml(feed.title)}</title><link rel="self" href="${escapeHtml(self)}"/><link href="${escapeHtml(feed.url)}"/><updated>${updated}</updated><author><name>Orbweaver</name></author>${items.join('')}</feed>`
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
