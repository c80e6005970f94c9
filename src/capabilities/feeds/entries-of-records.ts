// The records that an extractor read, as entries of a feed. What is link, date and title is seen from the values.
import { createHash } from 'node:crypto'
import { isObject } from '../../base/values.ts'
import type { ListItem } from '../../understanding/extract/find-list-items.ts'

const MAX_ENTRIES = 200
const MAX_TITLE = 300
const MAX_TEXT = 500
const LINK = /^https?:\/\//i
const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i
const DATE = /^\d{4}-\d\d-\d\d(?:T|$)/

export function entriesOfRecords(value: unknown, pageUrl: string): ListItem[] {
  const lists = [value, ...(isObject(value) ? Object.values(value) : [])].filter(
    (one): one is unknown[] => Array.isArray(one) && one.some(isObject),
  )
  const [records = []] = lists.sort((a, b) => b.length - a.length)
  return records.slice(0, MAX_ENTRIES).flatMap((record) => (isObject(record) ? (entryOf(record, pageUrl) ?? []) : []))
}

function entryOf(record: Record<string, unknown>, pageUrl: string): ListItem | undefined {
  const entries = Object.entries(record)
  const texts = entries.filter((one): one is [string, string] => typeof one[1] === 'string' && one[1].trim() !== '')
  const find = (fits: (text: string) => boolean) => texts.find(([, text]) => fits(text))
  const image = find((text) => LINK.test(text) && PICTURE.test(text))
  const link = find((text) => LINK.test(text) && !PICTURE.test(text))
  const date = find((text) => DATE.test(text))
  const title = find((text) => !LINK.test(text) && !DATE.test(text))
  if (!title) return undefined
  const rest = entries.filter(
    ([name, one]) => one != null && ![image, link, date, title].some((used) => used?.[0] === name),
  )
  const text = rest.map(([name, one]) => `${name}: ${typeof one === 'object' ? JSON.stringify(one) : String(one)}`)
  const part = createHash('sha256').update(title[1]).digest('base64url').slice(0, 16)
  return {
    title: title[1].slice(0, MAX_TITLE),
    url: link?.[1] ?? `${pageUrl.replace(/#.*$/, '')}#${part}`,
    ...(date ? { date: date[1] } : {}),
    ...(image ? { image: image[1] } : {}),
    ...(text.length > 0 ? { text: text.join('; ').slice(0, MAX_TEXT) } : {}),
  }
}
