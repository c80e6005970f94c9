// `orb keys`: the first key again, and the keys of every team; create, restrict and revoke. Every change is in the audit
// log, as the command line's.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { systemClock } from '../base/time.ts'
import type { Store } from '../store/index.ts'
import { hasExpired, type KeyRow, type KeyRules } from '../store/keys.ts'
import { ensureFirstKey, issueKey } from '../teams/keys.ts'
import { ENDPOINT_GROUPS } from '../teams/restrictions.ts'
import { type Command, UsageError } from './command.ts'
import { withStore } from './store.ts'

export const ACTOR = 'command line'
const DAY_MS = 86_400_000

const OPTIONS = {
  admin: { type: 'boolean' },
  days: { type: 'string' },
  endpoints: { type: 'string' },
  formats: { type: 'string' },
} as const satisfies ParseArgsConfig['options']

export const keys: Command = {
  name: 'keys',
  usage:
    'keys [list | create <team> <name> [--admin] [--days <n>] [--endpoints <a,b>] [--formats <a,b>] | revoke <id>]',
  summary: 'show the first key, list, create and revoke keys',
  async run([verb = 'list', ...args]) {
    return withStore(async (store, { dataDir, apiKey }) => {
      if (verb === 'create') return create(store, args)
      if (verb === 'revoke') return revoke(store, args)
      if (verb !== 'list') throw new UsageError(`there is no \`keys ${verb}\``)
      const { key } = await ensureFirstKey({ store, dataDir, configuredKey: apiKey })
      console.log(`First key of the default team: ${key}\n`)
      const teams = new Map((await store.teams.list()).map((team) => [team.id, team.name]))
      for (const row of await store.keys.list())
        console.log(
          `${row.id}  ${stateOf(row).padEnd(7)}  fc-…${row.hint}  ${teams.get(row.teamId) ?? row.teamId}  ${row.name}${rulesOf(row)}`,
        )
      return 0
    })
  },
}

async function create(store: Store, args: readonly string[]): Promise<number> {
  const { positionals, values } = parsed(args)
  const [teamName, name, ...rest] = positionals
  if (!teamName || !name || rest.length > 0) throw new UsageError('create needs a team and a name for the key')
  const team = await store.teams.byName(teamName)
  if (!team) throw new Error(`There is no team \`${teamName}\`. \`npx orb teams\` lists them.`)
  const rules = rulesFrom(values)
  const key = await store.transaction(async (tx) => {
    const made = await issueKey(store, team.id, name, rules, tx)
    const entry = { teamId: team.id, actor: ACTOR, action: 'key.created' as const, subject: made.row.id }
    await store.audit.add({ ...entry, details: { name, ...rules } }, tx)
    return made.key
  })
  console.log(`${key}\n(shown this once: only its hash is kept)`)
  return 0
}

async function revoke(store: Store, [id]: readonly string[]): Promise<number> {
  if (!id) throw new UsageError('revoke needs the id of a key; `npx orb keys` lists them')
  const row = await store.keys.get(id)
  const done = await store.transaction(async (tx) => {
    if (!row || !(await store.keys.revoke(id, tx))) return false
    const entry = { teamId: row.teamId, actor: ACTOR, action: 'key.revoked' as const, subject: id }
    await store.audit.add({ ...entry, details: { name: row.name } }, tx)
    return true
  })
  console.log(done ? 'Revoked.' : 'There is no such key, or it was revoked before.')
  return done ? 0 : 1
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function rulesFrom({ admin, days, endpoints, formats }: ReturnType<typeof parsed>['values']): KeyRules {
  const wholeDays = Number(days)
  if (days !== undefined && !(Number.isInteger(wholeDays) && wholeDays >= 1))
    throw new UsageError('--days takes a whole number, 1 at least')
  const list = (text: string | undefined) =>
    (text ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean)
  const groups = list(endpoints)
  const unknown = groups.filter((group) => !(ENDPOINT_GROUPS as readonly string[]).includes(group))
  if (unknown.length > 0)
    throw new UsageError(`there is no group of endpoints \`${unknown[0]}\`; known: ${ENDPOINT_GROUPS.join(', ')}`)
  return {
    rights: admin ? ['admin'] : [],
    endpoints: groups,
    formats: list(formats),
    expiresAt: days === undefined ? null : systemClock.now() + wholeDays * DAY_MS,
  }
}

function stateOf({ revokedAt, expiresAt }: KeyRow): string {
  if (revokedAt !== null) return 'revoked'
  return hasExpired(expiresAt, systemClock.now()) ? 'expired' : 'valid'
}

function rulesOf({ rights, endpoints, formats, expiresAt }: KeyRow): string {
  const rules = [
    ...rights,
    ...(endpoints.length > 0 ? [`only ${endpoints.join(', ')}`] : []),
    ...(formats.length > 0 ? [`only as ${formats.join(', ')}`] : []),
    ...(expiresAt === null ? [] : [`until ${new Date(expiresAt).toISOString().slice(0, 10)}`]),
  ]
  return rules.length > 0 ? `  (${rules.join('; ')})` : ''
}
