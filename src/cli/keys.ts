// `orb keys`: manages the keys of every team. Changes enter the audit log.
import { existsSync } from 'node:fs'
import { systemClock } from '../base/clock.ts'
import { checked } from '../base/validate-input.ts'
import { ensureFirstKey } from '../teams/keys.ts'
import { ACTOR, changes, type KeyShown, schemas } from './administration.ts'
import { type Command, CommandEnd, exitCodes, UsageError } from './command.ts'
import { asUsage, type GivenArguments, listOf, ownCommand, textOf } from './own-command.ts'
import { teamNamed, withStore } from './store.ts'

const DAY_MS = 86_400_000

const list = ownCommand({
  name: 'keys',
  places: ['[list]'],
  summary: 'show the first key again, and list the keys of every team',
  run: async ({ words: [verb = 'list'] }) => {
    if (verb !== 'list') throw new UsageError(`there is no \`keys ${verb}\``)
    const { shownKey } = await changes()
    return withStore(async (store, { dataDir, apiKey }) => {
      const isHere = apiKey !== undefined || existsSync(dataDir)
      const firstKey = isHere ? (await ensureFirstKey({ store, dataDir, configuredKey: apiKey })).key : null
      const teams = new Map((await store.teams.list()).map((team) => [team.id, team.name]))
      const rows = (await store.keys.list()).map((row) => ({
        ...shownKey(row, systemClock.now()),
        team: teams.get(row.teamId) ?? row.teamId,
      }))
      return {
        data: { firstKey, keys: rows },
        text: [
          firstKey
            ? `First key of the default team: ${firstKey}\n`
            : `The first key is in the service’s data folder, and there is none at ${dataDir}.\n`,
          ...rows.map(line),
        ].join('\n'),
      }
    })
  },
})

const create = ownCommand({
  name: 'keys create',
  places: ['<team>', '<name>'],
  summary: 'make a key of a team; it is shown this once',
  flags: [
    { name: 'admin', help: 'It may manage the team.' },
    { name: 'private', help: 'It may visit what ORB_ALLOW_PRIVATE opens.' },
    { name: 'days', value: 'number', help: 'How long it works. For good by default.' },
    { name: 'endpoints', value: 'list', help: 'Endpoints it may call, and no others.' },
    { name: 'formats', value: 'list', help: 'Formats it may ask for, and no others.' },
  ],
  run: async ({ own, words: [team = '', name = ''] }) => {
    const [{ makeKey, shownKey }, { keyBody }] = await Promise.all([changes(), schemas()])
    const { rights, endpoints, formats } = asUsage(() =>
      checked(keyBody, {
        name,
        rights: [...(own.admin === true ? ['admin'] : []), ...(own.private === true ? ['private'] : [])],
        endpoints: listOf(textOf(own, 'endpoints') ?? ''),
        formats: listOf(textOf(own, 'formats') ?? ''),
      }),
    )
    const expiresAt = expiryOf(own)
    const { assertGroups } = await import('../teams/restrictions.ts')
    const { declared } = await import('../capabilities/index.ts')
    asUsage(() => assertGroups(endpoints, declared().groups))
    return withStore(async (store) => {
      const { id: teamId } = await teamNamed(store, team)
      const { key, row } = await makeKey(store, teamId, { name, rights, endpoints, formats, expiresAt }, ACTOR)
      return {
        data: { key, ...shownKey(row, systemClock.now()), team },
        text: `${key}\n(shown this once: only its hash is kept)`,
      }
    })
  },
})

const revoke = ownCommand({
  name: 'keys revoke',
  places: ['<id>'],
  summary: 'revoke a key, for good',
  run: ({ words: [id = ''] }) =>
    withStore(async (store) => {
      const { revokeKey } = await changes()
      const row = await store.keys.get(id.toLowerCase())
      if (!row || !(await revokeKey(store, row, ACTOR)))
        throw new CommandEnd(
          'There is no such key, or it was revoked before. `npx orbweaver keys` lists them.',
          exitCodes.failed.code,
        )
      return { data: { id: row.id, revoked: true }, text: 'Revoked.' }
    }),
})

const rotateSecret = ownCommand({
  name: 'keys rotate-secret',
  summary: 'seal the stored secrets (of webhooks, links, profiles) with a new key; works beside a running service',
  run: () =>
    withStore(async (store) => {
      const secrets = await store.rotateSecret()
      if (secrets === undefined)
        throw new CommandEnd(
          'The secrets in this PostgreSQL are not sealed. Set ORB_SECRET_KEY_FILE to one file that all machines share, and restart them.',
          exitCodes.failed.code,
        )
      return {
        data: { secrets },
        text: `${secrets} secrets are sealed with a new key. Make a backup: the old ones need the old key.`,
      }
    }),
})

export const keys: readonly Command[] = [list, create, revoke, rotateSecret]

function expiryOf(own: GivenArguments['own']): number | null {
  const days = textOf(own, 'days')
  if (days === undefined) return null
  const whole = Number(days)
  if (!(Number.isInteger(whole) && whole >= 1)) throw new UsageError('--days takes a whole number, 1 at least')
  return systemClock.now() + whole * DAY_MS
}

function line({ id, state, hint, team, name, ...rules }: KeyShown & { team: string }): string {
  return `${id}  ${state.padEnd(7)}  fc-…${hint}  ${team}  ${name}${rulesOf(rules)}`
}

function rulesOf({
  rights,
  endpoints,
  formats,
  expiresAt,
}: Pick<KeyShown, 'rights' | 'endpoints' | 'formats' | 'expiresAt'>): string {
  const rules = [
    ...rights,
    ...(endpoints.length > 0 ? [`only ${endpoints.join(', ')}`] : []),
    ...(formats.length > 0 ? [`only as ${formats.join(', ')}`] : []),
    ...(expiresAt === null ? [] : [`until ${expiresAt.slice(0, 10)}`]),
  ]
  return rules.length > 0 ? `  (${rules.join('; ')})` : ''
}
