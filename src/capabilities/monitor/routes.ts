// The HTTP routes of monitors.

import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import { clientShape } from '../../scrape/scrape-options.ts'
import { defineCapability } from '../capability.ts'
import type { RouteCall } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { changeFeedRoutes } from './change-feed-routes.ts'
import { changeHistoryAndImportRoutes } from './change-history-and-import-routes.ts'
import {
  addMonitor,
  assertRetention,
  findMonitorOfTeam,
  malformedId,
  resolveFlowTargets,
  scheduleLimitsOf,
} from './find-and-add-monitors.ts'
import { mcp } from './mcp.ts'
import { toShownCheck, toShownCheckPage, toShownMonitor } from './monitors-in-api-form.ts'
import type { NotificationOption } from './notification-options.ts'
import { openMonitorServices, startMonitorWorker } from './open-services.ts'
import { defineRoute, type HandlerServices, JUDGE_PRICE, SEARCH_PRICE } from './own-services.ts'
import { queueConsentRequests } from './recipient-consent.ts'
import { recipientConsentRoutes } from './recipient-consent-routes.ts'
import { requestForms } from './request-forms.ts'
import { startCheck } from './scheduler.ts'
import {
  checkPagesQuery,
  createMonitorBody,
  formatsOfMonitorBody,
  listChecksQuery,
  listMonitorsQuery,
  updateMonitorBody,
} from './schema.ts'
import { sendTestRoute } from './send-test-route.ts'
import { monitorStore } from './store/index.ts'
import type { Monitor } from './store/monitors.ts'
import { applyMonitorUpdate } from './stored-monitor.ts'

const PATH = '/v2/monitor'
const reply = successReply({
  data: z.looseObject({ id: z.string() }),
  warning: z.string().optional(),
})
const pagination = z.object({ limit: z.int(), offset: z.int(), total: z.int(), hasMore: z.boolean() })
const listReply = successReply({ data: z.array(z.looseObject({ id: z.string() })), pagination })

async function showMonitor({ store, clock }: HandlerServices, monitor: Monitor, { baseUrl }: RouteCall) {
  return toShownMonitor(monitor, clock.now(), baseUrl, await monitorStore(store).notices.recipients(monitor.id))
}

const create = defineRoute({
  method: 'POST',
  path: PATH,
  activity: 'monitor',
  summary: 'Watch pages, sites or searches on a schedule',
  command: 'monitor create',
  bucket: 'crawl',
  formats: formatsOfMonitorBody,
  body: createMonitorBody,
  example: {
    name: 'Pricing',
    schedule: { text: 'every 30 minutes' },
    targets: [{ type: 'scrape', urls: ['https://example.com/pricing'] }],
  },
  reply,
  async handle(services, { body }, call) {
    const { store } = services
    assertRetention(call.caller)
    const { left } = await store.ledger.balance(call.caller.teamId)
    if (left !== null && left < 1) throw new Problem('no_credit', { because: 'none are left' })
    const id = await addMonitor(services, body, call.caller)
    call.note({ jobId: id })
    const data = await showMonitor(services, (await monitorStore(store).monitors.get(id))!, call)
    return { success: true, data, ...mailWarning(services, body.notification) }
  },
})

/** Without a mail server nothing is sent; recipients elsewhere cannot open links to this machine. */
function mailWarning({ linkBase, log, monitoring }: HandlerServices, notification?: NotificationOption | null) {
  if (!notification?.email?.enabled) return {}
  const warnings = [
    ...(monitoring.mail ? [] : ['No mail server is set up (ORB_SMTP_URL): mails are kept as messages, not sent.']),
    ...(new URL(linkBase).hostname === 'localhost'
      ? [
          `The links in mails lead to ${linkBase}, which works on this machine only. Set ORB_PUBLIC_URL to the URL of this service.`,
        ]
      : []),
  ]
  const warning = warnings.join(' ')
  if (warning === '') return {}
  log.warn({}, warning)
  return { warning }
}

const RECENT = 24

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'The monitors of the team, newest first',
  command: 'monitor list',
  bucket: 'jobStatus',
  query: listMonitorsQuery,
  reply: listReply,
  async handle(services, { query }, { caller, baseUrl }) {
    const { store, clock } = services
    const monitors = await monitorStore(store).monitors.list(caller.teamId, query)
    const total = await monitorStore(store).monitors.count(caller.teamId)
    const checks = await Promise.all(
      monitors.map(({ id }) => monitorStore(store).checks.list(id, { limit: RECENT, offset: 0 })),
    )
    return {
      success: true,
      data: monitors.map((monitor, at) => ({
        ...toShownMonitor(monitor, clock.now(), baseUrl),
        recentChanges: checks[at]!.map(({ summary }) => summary.changed + summary.new + summary.removed).reverse(),
      })),
      pagination: { ...query, total, hasMore: query.offset + monitors.length < total },
    }
  },
})

const get = defineRoute({
  method: 'GET',
  path: `${PATH}/:id`,
  summary: 'One monitor',
  command: 'monitor get',
  bucket: 'jobStatus',
  reply,
  async handle(services, { params }, call) {
    const monitor = await findMonitorOfTeam(services, params.id, call.caller.teamId)
    return { success: true, data: await showMonitor(services, monitor, call) }
  },
})

const update = defineRoute({
  method: 'PATCH',
  path: `${PATH}/:id`,
  summary: 'Change, pause or resume a monitor',
  command: 'monitor update',
  bucket: 'crawl',
  formats: formatsOfMonitorBody,
  body: updateMonitorBody,
  screen(body) {
    if (!body || typeof body !== 'object' || Object.keys(body).length === 0)
      throw new Problem('bad_request', { instead: 'Update body cannot be empty' })
  },
  reply,
  async handle(services, { params, body }, call) {
    const { store } = services
    const { id } = await findMonitorOfTeam(services, params.id, call.caller.teamId)
    const known = new Set((await monitorStore(store).notices.recipients(id)).map(({ email }) => email))
    const targets = body.targets && (await resolveFlowTargets(services, call.caller.teamId, body.targets))
    await store.transaction(async (tx) => {
      const held = await monitorStore(store).monitors.hold(tx, id)
      if (!held) return
      await monitorStore(store).monitors.change(
        tx,
        id,
        applyMonitorUpdate(held, { ...body, targets }, scheduleLimitsOf(services)),
      )
      await queueConsentRequests(services, tx, held, body.notification, known)
    })
    const data = await showMonitor(services, (await monitorStore(store).monitors.get(id))!, call)
    return { success: true, data, ...mailWarning(services, body.notification) }
  },
})

const remove = defineRoute({
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a monitor',
  command: 'monitor delete',
  reply: successReply(),
  async handle(services, { params }, { caller }) {
    const { id } = await findMonitorOfTeam(services, params.id, caller.teamId)
    await services.store.transaction((tx) =>
      monitorStore(services.store).monitors.change(tx, id, { status: 'deleted', nextRunAt: null }),
    )
    return { success: true }
  },
})

const run = defineRoute({
  method: 'POST',
  path: `${PATH}/:id/run`,
  summary: 'Run a check now',
  command: 'monitor run',
  bucket: 'crawl',
  body: z.strictObject(clientShape).optional(),
  reply: successReply({ id: z.string(), data: z.looseObject({ id: z.string() }) }),
  async handle(services, { params }, call) {
    const { store, clock } = services
    const { id } = await findMonitorOfTeam(services, params.id, call.caller.teamId)
    const checkId = await store.transaction(async (tx) => {
      const monitor = await monitorStore(store).monitors.hold(tx, id)
      if (!monitor || monitor.status === 'deleted') throw new Problem('not_found', { instead: 'Monitor not found' })
      if (monitor.status === 'paused')
        throw new Problem('conflict', { instead: 'Monitor is paused. Resume it before running a check.' })
      if (monitor.currentCheckId !== null)
        throw new Problem('conflict', {
          instead: 'Monitor check is already running.',
          also: { checkId: monitor.currentCheckId },
        })
      return startCheck(services, tx, monitor, { trigger: 'manual', scheduledFor: null, runAt: clock.now() })
    })
    const check = await monitorStore(store).checks.get(checkId)
    call.note({ jobId: checkId })
    return { success: true, id: checkId, data: toShownCheck(check!) }
  },
})

const checks = defineRoute({
  method: 'GET',
  path: `${PATH}/:id/checks`,
  summary: 'The checks of a monitor, newest first',
  command: 'monitor checks',
  bucket: 'jobStatus',
  query: listChecksQuery,
  reply: listReply,
  async handle(services, { params, query }, { caller }) {
    const { id } = await findMonitorOfTeam(services, params.id, caller.teamId)
    const found = await monitorStore(services.store).checks.list(id, { ...query, status: query.status })
    const total = await monitorStore(services.store).checks.count(id, query.status)
    const { limit, offset } = query
    return {
      success: true,
      data: found.map(toShownCheck),
      pagination: { limit, offset, total, hasMore: offset + found.length < total },
    }
  },
})

const check = defineRoute({
  method: 'GET',
  path: `${PATH}/:id/checks/:checkId`,
  summary: 'One check with its pages and their changes',
  command: 'monitor check',
  bucket: 'jobStatus',
  query: checkPagesQuery,
  reply: successReply({
    data: z.looseObject({ id: z.string(), pages: z.array(z.looseObject({})), next: z.string().optional() }),
    next: z.string().optional(),
    pagination,
  }),
  async handle(services, { params, query }, { caller, baseUrl }) {
    const { store } = services
    const { id } = await findMonitorOfTeam(services, params.id, caller.teamId)
    const checkId = (params.checkId ?? '').toLowerCase()
    if (!isUuid(checkId)) throw malformedId('checkId', 'Invalid check ID format. Check ID must be a valid UUID.')
    const found = await monitorStore(store).checks.get(checkId)
    if (!found || found.monitorId !== id) throw new Problem('not_found', { instead: 'Check not found' })
    const { limit, skip, status } = query
    const pages = await monitorStore(store).checks.pages(checkId, { limit, skip, status })
    const total = await monitorStore(store).checks.countPages(checkId, status)
    const hasMore = skip + pages.length < total
    const more = `${baseUrl}${PATH}/${id}/checks/${checkId}?limit=${limit}&skip=${skip + limit}${status ? `&status=${status}` : ''}`
    const next = hasMore ? { next: more } : {}
    return {
      success: true,
      data: { ...toShownCheck(found), pages: pages.map(toShownCheckPage), ...next },
      ...next,
      pagination: { limit, offset: skip, total, hasMore },
    }
  },
})

export const monitorCapability = defineCapability({
  name: 'monitor',
  tag: 'Monitor',
  needs: ['search', 'startCrawl', 'flowStart'],
  right: 'use',
  cliGroup: 'Work with pages',
  mcp,
  requestForms,
  storage: monitorStore,
  group: 'monitor',
  prices: [
    { what: 'A changed page that is judged by the goal', credits: JUDGE_PRICE },
    { what: 'A search of a monitor, for every started ten results', credits: SEARCH_PRICE },
  ],
  open: openMonitorServices,
  work: startMonitorWorker,
  routes: [
    create,
    list,
    ...changeFeedRoutes,
    ...changeHistoryAndImportRoutes,
    ...recipientConsentRoutes,
    get,
    update,
    remove,
    run,
    sendTestRoute,
    checks,
    check,
  ],
})
