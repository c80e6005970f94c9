// A monitor's pages: past changes, texts before and after, feedback on changes, import and export of watch lists, sent
// notifications.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import { clientShape } from '../../scrape/scrape-options.ts'
import type { TextVersion } from '../../understanding/changes/compare-texts.ts'
import { findDifferences } from '../../understanding/changes/find-differences.ts'
import { applyNoiseFeedback, emptyNoiseMemory, type NoiseMemory } from '../../understanding/changes/learnt-noise.ts'
import { successReply } from '../schema-parts.ts'
import { addMonitor, assertRetention, findMonitorOfTeam } from './find-and-add-monitors.ts'
import { readImportedMonitors } from './import-watch-lists.ts'
import { toShownCheckPage, toShownMonitor } from './monitors-in-api-form.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'
import { createMonitorBody, formatsOfMonitorBody } from './schema.ts'
import { monitorStore } from './store/index.ts'

const PATH = '/v2/monitor'
const MAX_TEXTS = 4 * 1024 * 1024
const unzip = promisify(gunzip) as (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Buffer>

const limit = z
  .string()
  .regex(/^\d{1,3}$/, { error: 'must be a whole number' })
  .transform(Number)
  .refine((value) => value >= 1 && value <= 200, { error: 'must be between 1 and 200' })
  .default(50)

const history = defineRoute({
  method: 'GET',
  path: `${PATH}/:id/history`,
  summary: 'Changes of a monitor, newest first',
  command: 'monitor history',
  bucket: 'jobStatus',
  query: z.object({
    limit,
    url: z.string().max(4000).optional().describe('Only of this page.'),
    all: z.enum(['true', 'false']).default('false').describe('Also checks without changes.'),
  }),
  reply: successReply({ data: z.array(z.looseObject({ id: z.string() })) }),
  async handle(given, { params, query }, { caller }) {
    const { id } = await findMonitorOfTeam(given, params.id, caller.teamId)
    const pages = await monitorStore(given.store).checks.history(id, {
      limit: query.limit,
      url: query.url,
      alsoSame: query.all === 'true',
    })
    return { success: true, data: pages.map((page) => ({ checkId: page.checkId, ...toShownCheckPage(page) })) }
  },
})

async function ownPage(given: HandlerServices, monitorId: string, pageId: string | undefined) {
  const id = (pageId ?? '').toLowerCase()
  const page = isUuid(id) ? await monitorStore(given.store).checks.page(id) : undefined
  if (!page || page.monitorId !== monitorId) throw new Problem('not_found', { instead: 'Page not found' })
  return page
}

async function textsOf(texts: Uint8Array | null): Promise<[TextVersion | null, TextVersion | null]> {
  if (texts === null) return [null, null]
  return JSON.parse((await unzip(texts, { maxOutputLength: MAX_TEXTS })).toString()) as [
    TextVersion | null,
    TextVersion | null,
  ]
}

async function pictureOf({ store }: HandlerServices, teamId: string, scrapeId: string | null): Promise<string | null> {
  const found = scrapeId === null ? undefined : await store.pages.getScrape(teamId, scrapeId)
  if (!found) return null
  const { screenshot } = JSON.parse(Buffer.from(found.documentBody).toString()) as { screenshot?: string | null }
  return screenshot ?? null
}

const onePage = defineRoute({
  method: 'GET',
  path: `${PATH}/:id/pages/:pageId`,
  summary: 'One page of a check, with its text before and after',
  command: 'monitor page',
  bucket: 'jobStatus',
  reply: successReply({ data: z.looseObject({ id: z.string() }) }),
  async handle(given, { params }, { caller }) {
    const { id } = await findMonitorOfTeam(given, params.id, caller.teamId)
    const page = await ownPage(given, id, params.pageId)
    const [before, after] = await textsOf(page.texts)
    return {
      success: true,
      data: {
        checkId: page.checkId,
        ...toShownCheckPage(page),
        before: before?.text ?? null,
        after: after?.text ?? null,
        screenshots: {
          before: await pictureOf(given, caller.teamId, page.previousScrapeId),
          after: await pictureOf(given, caller.teamId, page.currentScrapeId),
        },
      },
    }
  },
})

const rateChange = defineRoute({
  method: 'POST',
  path: `${PATH}/:id/pages/:pageId/feedback`,
  summary: 'Rate a change; later changes in the same place are treated the same way',
  command: 'monitor feedback',
  bucket: 'crawl',
  body: z.strictObject({
    mattered: z.boolean().describe('False: changes like this one no longer count.'),
    ...clientShape,
  }),
  reply: successReply({ data: z.object({ places: z.int() }) }),
  async handle(given, { params, body }, { caller }) {
    const { store } = given
    const monitor = await findMonitorOfTeam(given, params.id, caller.teamId)
    const page = await ownPage(given, monitor.id, params.pageId)
    const [before, after] = await textsOf(page.texts)
    if (!before || !after) throw new Problem('conflict', { instead: 'The texts of this change are not kept' })
    const place = { monitorId: monitor.id, targetId: page.targetId, url: page.url }
    const watched = await monitorStore(store).checks.watched(place)
    if (!watched) throw new Problem('not_found', { instead: 'Page not found' })
    const memory = watched.memory ? (JSON.parse(watched.memory) as NoiseMemory) : emptyNoiseMemory()
    const taught = applyNoiseFeedback(memory, findDifferences(before, after).edits, body.mattered)
    await store.transaction((tx) =>
      monitorStore(store).checks.keep(tx, place, { ...watched, memory: JSON.stringify(taught) }),
    )
    return { success: true, data: { places: Object.keys(taught.taught).length } }
  },
})

const MAX_IMPORT = 500

const importWatchLists = defineRoute({
  method: 'POST',
  path: `${PATH}/import`,
  summary: 'Import monitors from changedetection.io, urlwatch or our own export',
  command: 'monitor import',
  bucket: 'crawl',
  formats: formatsOfMonitorBody,
  body: z.strictObject({
    data: z.unknown().describe('The list, as JSON or as text (urlwatch: YAML).'),
    schedule: z.string().max(128).default('hourly').describe('For entries that have none.'),
    ...clientShape,
  }),
  reply: successReply({
    data: z.array(z.looseObject({ id: z.string() })),
    skipped: z.array(z.object({ entry: z.string(), because: z.string() })),
  }),
  async handle(given, { body }, call) {
    const { store, clock } = given
    assertRetention(call.caller)
    const { requests, skipped } = readImportedMonitors(body.data, body.schedule, MAX_IMPORT)
    const made: string[] = []
    for (const request of requests) {
      const parsed = createMonitorBody.safeParse(request)
      if (!parsed.success) {
        skipped.push({ entry: String(request.name), because: parsed.error.issues[0]?.message ?? 'cannot be read' })
        continue
      }
      try {
        call.assertFormats(parsed.data)
        made.push(await addMonitor(given, parsed.data, call.caller))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        skipped.push({ entry: String(request.name), because: error.message })
      }
    }
    const monitors = await Promise.all(made.map((id) => monitorStore(store).monitors.get(id)))
    const shown = monitors.flatMap((monitor) => (monitor ? [toShownMonitor(monitor, clock.now(), call.baseUrl)] : []))
    return { success: true, data: shown, skipped }
  },
})

const exportWatchList = defineRoute({
  method: 'GET',
  path: `${PATH}/export`,
  summary: 'Export all monitors of the team, for a later import',
  command: 'monitor export',
  bucket: 'jobStatus',
  reply: successReply({ monitors: z.array(z.looseObject({ name: z.string() })) }),
  async handle({ store }, _input, { caller }) {
    const monitors = await monitorStore(store).monitors.list(caller.teamId, { limit: 10_000, offset: 0 })
    return {
      success: true,
      monitors: monitors.map(
        ({ name, cron, timezone, targets, webhook, notification, watch, retentionDays, goal, judgeEnabled }) => ({
          ...{ name, schedule: { cron, timezone }, targets, webhook, notification },
          ...{ watch, retentionDays, goal, judgeEnabled },
        }),
      ),
    }
  },
})

const notices = defineRoute({
  method: 'GET',
  path: `${PATH}/:id/messages`,
  summary: 'Notifications that were sent or suppressed',
  command: 'monitor messages',
  bucket: 'jobStatus',
  query: z.object({ limit }),
  reply: successReply({ data: z.array(z.looseObject({ id: z.string() })) }),
  async handle(given, { params, query }, { caller }) {
    const { id } = await findMonitorOfTeam(given, params.id, caller.teamId)
    const found = await monitorStore(given.store).notices.list(caller.teamId, { monitorId: id, limit: query.limit })
    return {
      success: true,
      data: found.map(
        ({ id: noticeId, checkId, channel, address, state, attempts, error, createdAt, endedAt, message }) => ({
          ...{ id: noticeId, checkId, channel, state, attempts, error, message },
          to: channel === 'email' ? address : address.replace(/(:\/\/[^/@]{0,4})[^@]*?(@|\/[^/]{0,3})?$/, '$1…'),
          createdAt: isoTime(createdAt),
          endedAt: isoTimeOrNull(endedAt),
        }),
      ),
    }
  },
})

export const changeHistoryAndImportRoutes = [importWatchLists, exportWatchList, history, onePage, rateChange, notices]
