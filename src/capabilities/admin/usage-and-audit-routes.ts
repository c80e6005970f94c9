// Usage by day, endpoint and key; recent activity; the audit log; current limits.

import type { z } from 'zod'
import { DAY_MS, isoTime, startOfDay } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Store } from '../../store/index.ts'
import { planByName, plans } from '../../teams/plans.ts'
import { teamStore } from '../../teams/store/index.ts'
import type { UsageEntry } from '../../teams/store/usage-count-store.ts'
import { defineRoute, type Route, type Services } from '../route.ts'
import {
  activityQuery,
  activityReply,
  auditQuery,
  auditReply,
  hostUsageReply,
  limitsReply,
  teamQuery,
  usageQuery,
  usageReply,
} from './schema.ts'
import { findManageableTeam, makeCursorPage, resolveTeamScope } from './team-scope.ts'

const MAX_DAYS = 366
const DEFAULT_DAYS = 30
const MAX_HOSTS = 50

const usage = defineRoute({
  method: 'GET',
  path: '/v2/admin/usage',
  summary: 'Credits, calls, errors and engines by day, endpoint, key or team, for plots',
  query: usageQuery,
  reply: usageReply,
  async handle({ store, clock }, { query }, { caller }) {
    const teamId = await resolveTeamScope(store, caller, query.team)
    const toMs = query.to === undefined ? startOfDay(clock.now()) : Date.parse(query.to)
    const fromMs = query.from === undefined ? toMs - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(query.from)
    if (fromMs > toMs || toMs - fromMs >= MAX_DAYS * DAY_MS)
      throw new Problem('bad_request', { because: `from: must be at most ${MAX_DAYS} days before \`to\`` })
    const options = { teamId, fromMs, toMs: toMs + DAY_MS }
    const rows = await teamStore(store).usage.sums({ ...options, by: query.by })
    const [total] = await teamStore(store).usage.sums({ ...options, by: [] })
    const names = query.by.includes('key') ? await keyNames(store, teamId) : undefined
    const teams = query.by.includes('team') ? await teamNames(store) : undefined
    return {
      success: true,
      from: dayText(fromMs),
      to: dayText(toMs),
      data: rows.map((row) => ({
        ...(row.day === undefined ? {} : { day: dayText(row.day) }),
        ...(row.endpoint === undefined ? {} : { endpoint: row.endpoint }),
        ...(row.keyId === undefined ? {} : { keyId: row.keyId || null, keyName: names?.get(row.keyId) ?? null }),
        ...(row.teamId === undefined ? {} : { teamId: row.teamId, teamName: teams?.get(row.teamId) ?? null }),
        ...sumsOf(row),
      })),
      total: sumsOf(total as UsageEntry),
    } satisfies z.output<typeof usageReply>
  },
})

const hostUsage = defineRoute({
  method: 'GET',
  path: '/v2/admin/usage/hosts',
  summary: 'Pages and credits of the last 24 hours by host',
  query: teamQuery,
  reply: hostUsageReply,
  async handle({ store, clock }, { query }, { caller }) {
    const teamId = await resolveTeamScope(store, caller, query.team)
    const sinceMs = clock.now() - DAY_MS
    return { success: true, data: await teamStore(store).usage.hosts({ teamId, sinceMs, limit: MAX_HOSTS }) }
  },
})

const dayText = (at: number): string => isoTime(at).slice(0, 10)

const sumsOf = ({ credits, requests, errors, pages, modelTokens, modelCost }: UsageEntry) => ({
  credits,
  requests,
  errors,
  cacheHits: pages.cache,
  engines: pages,
  modelTokens,
  modelCost,
})

async function keyNames(store: Store, teamId: string | undefined): Promise<Map<string, string>> {
  return new Map((await store.keys.list(teamId)).map(({ id, name }) => [id, name]))
}

async function teamNames(store: Store): Promise<Map<string, string>> {
  return new Map((await store.teams.list()).map(({ id, name }) => [id, name]))
}

const activity = defineRoute({
  method: 'GET',
  path: '/v2/admin/activity',
  summary: 'Calls of the last 24 hours with their outcome, newest first',
  query: activityQuery,
  reply: activityReply,
  async handle({ store, meter, clock }, { query }, { caller }) {
    const teamId = await resolveTeamScope(store, caller, query.team)
    await meter.flush()
    const { endpoint, cursor: before, limit } = query
    const found = await teamStore(store).activities.list({
      teamId,
      endpoint,
      before,
      since: clock.now() - DAY_MS,
      limit: limit + 1,
    })
    const { rows, cursor } = makeCursorPage(found, limit)
    const names = await keyNames(store, teamId)
    return {
      success: true,
      data: rows.map((row) => ({ ...row, at: isoTime(row.at), keyName: names.get(row.keyId ?? '') ?? null })),
      cursor,
    }
  },
})

const audit = defineRoute({
  method: 'GET',
  path: '/v2/admin/audit',
  summary: 'Audit log of teams and keys, newest first',
  query: auditQuery,
  reply: auditReply,
  async handle({ store }, { query }, { caller }) {
    const teamId = await resolveTeamScope(store, caller, query.team)
    const { action, cursor: before, limit } = query
    const { rows, cursor } = makeCursorPage(
      await teamStore(store).audit.list({ teamId, action, before, limit: limit + 1 }),
      limit,
    )
    return { success: true, data: rows.map((row) => ({ ...row, at: isoTime(row.at) })), cursor }
  },
})

const limits = defineRoute({
  method: 'GET',
  path: '/v2/admin/limits',
  summary: "A team's limits, their use, and all plans",
  query: teamQuery,
  reply: limitsReply,
  async handle({ store, rates, admission }, { query }, { caller }) {
    const wanted = query.team === undefined || query.team === 'all' ? caller.teamId : query.team
    const { id: teamId, plan: name } = await findManageableTeam(store, caller, wanted)
    const { rates: counted, windowEndsAt } = await rates.used(teamId)
    const { running, waiting, slots } = await admission.standing({ teamId, plan: name })
    return {
      success: true,
      data: {
        teamId,
        plan: { name, ...planByName(name) },
        now: {
          rates: counted,
          windowEndsAt: isoTime(windowEndsAt),
          running,
          waiting,
          maxConcurrency: slots,
          queued: await store.jobs.waiting(teamId),
        },
        plans: Object.entries(plans).map(([each, plan]) => ({ name: each, ...plan })),
      },
    }
  },
})

export const usageAndAuditRoutes: readonly Route<Services>[] = [usage, hostUsage, activity, audit, limits]
