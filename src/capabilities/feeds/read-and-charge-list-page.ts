// Reads the entries of a list page, and charges in the transaction that stores them.
import { z } from 'zod'
import { startDeadline } from '../../base/deadline.ts'
import { Problem } from '../../base/problem.ts'
import { type ScrapeBody, scrapeOptionsShape } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import { withCreditReservation } from '../../teams/charge-credits.ts'
import type { Caller } from '../../teams/keys.ts'
import type { ListItem } from '../../understanding/extract/find-list-items.ts'
import type { Services } from '../route.ts'
import { entriesOfRecords } from './entries-of-records.ts'

const scrapeOptions = z.object(scrapeOptionsShape)
const NO_QUEUE = { limited: false, waitedMs: 0 }

type FeedReader = Pick<Caller, 'teamId' | 'keyId' | 'plan' | 'isLimited' | 'zeroDataRetention'>

interface ListPage {
  title: string
  items: ListItem[]
}

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
  const { signal, clear, during } = startDeadline(plan.timeoutMs, client)
  try {
    const slot = await admission.admit(reader, { timeoutMs: plan.timeoutMs }, signal)
    try {
      return await withCreditReservation(
        store,
        reader,
        { id, endpoint: 'feed', credits: plan.credits },
        async (charge) => {
          const call = { id, teamId, keyId, body, plan, baseUrl: linkBase, queue: NO_QUEUE }
          const scraped = await during(() => scraper.scrape(call, signal))
          meter.page({ teamId, keyId, endpoint: 'feed' }, scraped.source)
          if (scraped.answered.status >= 400)
            throw new Problem('unprocessable', { because: `the site returned ${scraped.answered.status}` })
          const document = scraped.document() as { items?: ListItem[]; json?: unknown } & ReturnType<
            typeof scraped.document
          >
          const { metadata, items = entriesOfRecords(document.json, url) } = document
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
        },
      )
    } finally {
      slot.release()
    }
  } finally {
    clear()
  }
}
