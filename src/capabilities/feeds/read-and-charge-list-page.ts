// Reads the entries of a list page, and charges in the transaction that stores them.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { isObject } from '../../base/values.ts'
import { type ScrapeBody, scrapeOptionsShape } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import { withCreditReservation } from '../../teams/charge-credits.ts'
import { workInSlot } from '../../teams/concurrency-slots.ts'
import type { Caller } from '../../teams/keys.ts'
import type { ListItem } from '../../understanding/extract/find-list-items.ts'
import type { Services } from '../route.ts'

const scrapeOptions = z.object(scrapeOptionsShape)
const NO_QUEUE = { limited: false, waitedMs: 0 }

type FeedReader = Pick<Caller, 'teamId' | 'keyId' | 'plan' | 'isLimited' | 'zeroDataRetention'>

type ListPage = { title: string; items: ListItem[] }

export async function readAndChargeListPage(
  services: Services,
  reader: FeedReader,
  { url, options }: { url: string; options: Record<string, unknown> },
  keep: (tx: Tx, page: ListPage) => Promise<void>,
  client: AbortSignal,
): Promise<ListPage> {
  const { admission, scraper, store, clock, maker, linkBase, meter } = services
  if (reader.zeroDataRetention === 'forced')
    throw new Problem('bad_request', {
      instead: 'A feed keeps the entries that it has seen, and this team has zero data retention',
    })
  const { teamId, keyId } = reader
  const { extractor, ...visit } = options
  const formats = extractor ? [{ type: 'json', extractor }] : ['items']
  const body = { ...scrapeOptions.parse({ ...visit, formats, maxAge: 0 }), url } as ScrapeBody
  const plan = makeScrapePlan(body, maker)
  const id = newId(clock.now())
  return workInSlot(admission, reader, plan, client, (signal) =>
    withCreditReservation(store, reader, { id, endpoint: 'feed', credits: plan.credits }, async (charge) => {
      const call = { id, teamId, keyId, body, plan, baseUrl: linkBase, queue: NO_QUEUE }
      const scraped = await scraper.scrape(call, signal)
      meter.page({ teamId, keyId, endpoint: 'feed' }, scraped.source)
      if (scraped.answered.status >= 400)
        throw new Problem('unprocessable', { because: `the site returned ${scraped.answered.status}` })
      const document = scraped.document()
      const { metadata, json, items = entriesOfRecords(json, url) } = document as typeof document & ListDocument
      if (extractor && items.length === 0)
        throw new Problem('unprocessable', {
          because: scraped.warning ?? 'the extractor gave no records with a text for a title',
        })
      if (items.length === 0)
        throw new Problem('unprocessable', { because: 'the page has no list of entries that link to pages' })
      const page = { title: String([metadata.title].flat()[0] ?? url), items }
      await store.transaction(async (tx) => {
        await keep(tx, page)
        await charge.settle(scraped.credits, tx)
      })
      return page
    }),
  )
}

type ListDocument = { items?: ListItem[]; json?: unknown }

const MAX_ENTRIES = 200
const MAX_TITLE = 300
const MAX_TEXT = 500
const LINK = /^https?:\/\//i
const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i
const DATE = /^\d{4}-\d\d-\d\d(?:T|$)/

/** What is link, date and title is seen from the values. */
function entriesOfRecords(value: unknown, pageUrl: string): ListItem[] {
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
