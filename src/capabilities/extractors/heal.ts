// Heals a drifted extractor by pages that it read, or was taught by, before the site changed.
import { abortAfter } from '../../base/abort-after.ts'
import { validateInput } from '../../base/validate-input.ts'
import { scrapeBody } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import type { Services } from '../route.ts'
import type { OwnServices } from './own-services.ts'
import { emptyStats, extractorStore, type ReadPage, type StoredExtractor } from './store/index.ts'
import { MAX_PROGRAM_CHARS } from './teach.ts'
import type { Drift } from './watch-drift.ts'

const MAX_PAGES = 5
const HEAL_MS = 90_000

type HealServices = Services & OwnServices

/** Makes a healed version; returns its number and the fields that stay broken. Its visits are free and not stored. */
export async function healExtractor(
  services: HealServices,
  broken: StoredExtractor,
  drift: Drift,
): Promise<{ version: number; lost: string[] } | undefined> {
  const { teamId, id, schema, program: before } = broken
  const extractors = extractorStore(services.store)
  const signal = abortAfter(HEAL_MS)
  const known = [...(await extractors.readPages(teamId, id)), ...broken.examples]
    .filter((page, n, all) => all.findIndex(({ url }) => url === page.url) === n)
    .slice(0, MAX_PAGES)
  const pages: { html: string; url: string; data: unknown }[] = []
  for (const page of known) {
    const html = await visit(services, teamId, page, signal).catch(() => undefined)
    if (html) pages.push({ html, ...page })
  }
  if (pages.length === 0) return undefined
  const { program, healed = [], notFound } = await services.learnFromPages({ pages, schema, before }, signal)
  const names = before.records ? [''] : drift.fields
  if (!names.some((name) => healed.includes(name)) || JSON.stringify(program).length > MAX_PROGRAM_CHARS)
    return undefined
  const version = broken.version + 1
  const isAdded = await extractors.add({ ...broken, program, version, made: 'healed' })
  if (!isAdded) return undefined
  const lost = drift.fields.filter((name) => notFound.includes(name))
  // Reported now, so not again.
  await extractors.setStats({ ...broken, version }, { ...emptyStats(), drifted: lost })
  return { version, lost }
}

async function visit(
  { scraper, clock, maker, linkBase }: HealServices,
  teamId: string,
  { url }: ReadPage,
  signal: AbortSignal,
): Promise<string | undefined> {
  const body = validateInput(scrapeBody, { url, formats: ['rawHtml'], maxAge: 0, storeInCache: false })
  const scraped = await scraper.scrape(
    {
      ...{ id: newId(clock.now()), teamId, keyId: null, body, plan: makeScrapePlan(body, maker), baseUrl: linkBase },
      queue: { limited: false, waitedMs: 0 },
    },
    signal,
  )
  const { rawHtml, metadata } = scraped.document() as { rawHtml?: string; metadata: Record<string, unknown> }
  return Number(metadata.statusCode) < 400 ? rawHtml : undefined
}
