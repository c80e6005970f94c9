import { expect, it } from 'vitest'
import { feedWriters } from './feed-writers.ts'

const feed = { id: 'f', url: 'https://a.example/', title: 'News', createdAt: 0 } as Parameters<
  (typeof feedWriters)['rss']['text']
>[0]
const entry = { url: 'https://a.example/1', title: 'One', firstAt: Date.UTC(2026, 5, 1) }

it.each(['rss', 'atom', 'json'])('%s never dates an entry with the day of reading', (form) => {
  const write = (date?: string) => {
    const text = feedWriters[form]!.text(feed, [{ ...entry, ...(date ? { date } : {}) }], 'https://us.example/feed')
    return form === 'json' ? text : /<(?:item|entry)>.*<\/(?:item|entry)>/.exec(text)![0]
  }
  expect(write()).not.toMatch(/2026|pubDate|updated|date_published/)
  expect(write('3 May 2024')).toMatch(/2024-05-03T00:00:00|03 May 2024/)
})
