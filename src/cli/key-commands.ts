// `orb keys`: manages the keys of every team. Changes enter the audit log.
import { existsSync } from 'node:fs'
import { DAY_MS, systemClock } from '../base/clock.ts'
import { validateInput } from '../base/validate-input.ts'
import { ensureFirstKey } from '../teams/keys.ts'
import { type Command, CommandExitError, UsageError } from './command.ts'
import { AUDIT_ACTOR, importTeamAndKeyAdmin, loadAdminSchemas, type ShownKey } from './import-admin-modules.ts'
import { type GivenArguments, makeLocalCommand, readTextFlag, splitList, throwAsUsageError } from './local-command.ts'
import { findTeamByName, withStore } from './open-store.ts'
import { readConnection, requestJson } from './service-call.ts'

/** The service that ORB_URL names, which keeps its keys; undefined: the data folder of this machine has them. */
async function callNamedService<Reply>(method: string, path: string, body?: object): Promise<Reply | undefined> {
  const { readConfig } = await import('../config.ts')
  if (readConfig().url === undefined) return undefined
  return requestJson<Reply>(await readConnection({}), { method, path, body }, new AbortController().signal)
}

async function teamIdAt(name: string | undefined): Promise<string | undefined> {
  const teams = await callNamedService<{ data: { id: string; name: string }[] }>('GET', '/v2/admin/teams')
  if (!teams) return undefined
  const team = name === undefined ? onlyTeam(teams.data) : teams.data.find((one) => one.name === name)
  if (!team) throw new CommandExitError(`There is no team \`${name}\`.`)
  return team.id
}

function onlyTeam<Team extends { name: string }>(teams: readonly Team[]): Team {
  const [team, ...others] = teams
  if (team && others.length === 0) return team
  throw new UsageError(`name a team: ${teams.map(({ name }) => name).join(', ')}`)
}

const list = makeLocalCommand({
  name: 'keys',
  places: ['[list]'],
  summary: 'show the first key again, and list the keys of all teams',
  run: async ({ words: [verb = 'list'] }) => {
    if (verb !== 'list') throw new UsageError(`there is no \`keys ${verb}\``)
    const { toShownKey } = await importTeamAndKeyAdmin()
    const there = await callNamedService<{ data: ShownKey[] }>('GET', '/v2/admin/keys')
    if (there)
      return {
        data: { keys: there.data },
        text: there.data.map((key) => line({ ...key, team: key.teamId })).join('\n'),
      }
    return withStore(async (store, { dataDir, apiKey }) => {
      const isHere = apiKey !== undefined || existsSync(dataDir)
      const firstKey = isHere ? (await ensureFirstKey({ store, dataDir, configuredKey: apiKey })).key : null
      const teams = new Map((await store.teams.list()).map((team) => [team.id, team.name]))
      const rows = (await store.keys.list()).map((row) => ({
        ...toShownKey(row, systemClock.now()),
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

const create = makeLocalCommand({
  name: 'keys create',
  places: ['[team]', '<name>'],
  summary: 'create a key of a team; it is shown only once',
  flags: [
    { name: 'admin', help: 'The key may manage the team.' },
    { name: 'vault', help: 'The key may use and change the vault of the team.' },
    { name: 'private', help: 'The key may visit what ORB_ALLOW_PRIVATE opens.' },
    { name: 'days', value: 'number', help: 'How long it works. For good by default.' },
    { name: 'endpoints', value: 'list', help: 'The only endpoints that the key may call.' },
    { name: 'formats', value: 'list', help: 'The only formats that the key may request.' },
    { name: 'model-tokens', value: 'number', help: 'Language model tokens that the key may use per month.' },
    { name: 'model-cost', value: 'number', help: 'Language model costs that the key may cause per month.' },
  ],
  run: async ({ own, words }) => {
    // The team may be left out where there is only one.
    const [name = '', team] = [...words].reverse()
    const [{ createKey, toShownKey }, { keyBody }] = await Promise.all([importTeamAndKeyAdmin(), loadAdminSchemas()])
    const limit = (name: string) => (readTextFlag(own, name) === undefined ? null : Number(readTextFlag(own, name)))
    const { rights, endpoints, formats, modelTokensPerMonth, modelCostPerMonth } = throwAsUsageError(() =>
      validateInput(keyBody, {
        name,
        rights: (['admin', 'vault', 'private'] as const).filter((right) => own[right] === true),
        endpoints: splitList(readTextFlag(own, 'endpoints') ?? ''),
        formats: splitList(readTextFlag(own, 'formats') ?? ''),
        modelTokensPerMonth: limit('model-tokens'),
        modelCostPerMonth: limit('model-cost'),
      }),
    )
    const expiresAt = expiryOf(own)
    const limits = { modelTokensPerMonth, modelCostPerMonth }
    const { assertGroupsDeclared } = await import('../teams/key-restrictions.ts')
    const { declaredGroupsAndActivities } = await import('../capabilities/index.ts')
    throwAsUsageError(() => assertGroupsDeclared(endpoints, declaredGroupsAndActivities().groups))
    const formatNewKey = (key: string) => `${key}\n(shown only once: only its hash is stored)`
    const at = await teamIdAt(team)
    if (at) {
      const times = expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }
      const body = { name, team: at, rights, endpoints, formats, ...limits, ...times }
      const made = await callNamedService<{ key: string; data: ShownKey }>('POST', '/v2/admin/keys', body)
      return { data: { key: made!.key, ...made!.data, team }, text: formatNewKey(made!.key) }
    }
    return withStore(async (store) => {
      const { id: teamId } = team === undefined ? onlyTeam(await store.teams.list()) : await findTeamByName(store, team)
      const rules = { rights, endpoints, formats, ...limits, expiresAt }
      const { key, row } = await createKey(store, teamId, { name, ...rules }, AUDIT_ACTOR)
      return {
        data: { key, ...toShownKey(row, systemClock.now()), team },
        text: formatNewKey(key),
      }
    })
  },
})

const revoke = makeLocalCommand({
  name: 'keys revoke',
  places: ['<id>'],
  summary: 'revoke a key permanently',
  run: async ({ words: [id = ''] }) => {
    if (await callNamedService('DELETE', `/v2/admin/keys/${encodeURIComponent(id)}`))
      return { data: { id, revoked: true }, text: 'Revoked.' }
    return withStore(async (store) => {
      const { revokeKey } = await importTeamAndKeyAdmin()
      const row = await store.keys.get(id.toLowerCase())
      if (!row || !(await revokeKey(store, row, AUDIT_ACTOR)))
        throw new CommandExitError('There is no such key, or it was already revoked. `npx orbweaver keys` lists them.')
      return { data: { id: row.id, revoked: true }, text: 'Revoked.' }
    })
  },
})

const rotateSecret = makeLocalCommand({
  name: 'keys rotate-secret',
  summary: 'encrypt the stored secrets (of webhooks, links, profiles) with a new key; also while the service runs',
  run: () =>
    withStore(async (store) => {
      const secrets = await store.rotateSecret()
      if (secrets === undefined)
        throw new CommandExitError(
          'The secrets in this PostgreSQL database are not encrypted. Set ORB_SECRET_KEY_FILE to one file that all machines share, and restart them.',
        )
      return {
        data: { secrets },
        text: `${secrets} secrets are encrypted with a new key. Make a new backup: older ones need the old key.`,
      }
    }),
})

export const keyCommands: readonly Command[] = [list, create, revoke, rotateSecret]

function expiryOf(own: GivenArguments['own']): number | null {
  const days = readTextFlag(own, 'days')
  if (days === undefined) return null
  const whole = Number(days)
  if (!(Number.isInteger(whole) && whole >= 1)) throw new UsageError('--days takes a whole number, 1 at least')
  return systemClock.now() + whole * DAY_MS
}

function line({ id, state, hint, team, name, ...rules }: ShownKey & { team: string }): string {
  return `${id}  ${state.padEnd(7)}  fc-…${hint}  ${team}  ${name}${rulesOf(rules)}`
}

function rulesOf({
  rights,
  endpoints,
  formats,
  expiresAt,
}: Pick<ShownKey, 'rights' | 'endpoints' | 'formats' | 'expiresAt'>): string {
  const rules = [
    ...rights,
    ...(endpoints.length > 0 ? [`only ${endpoints.join(', ')}`] : []),
    ...(formats.length > 0 ? [`only as ${formats.join(', ')}`] : []),
    ...(expiresAt === null ? [] : [`until ${expiresAt.slice(0, 10)}`]),
  ]
  return rules.length > 0 ? `  (${rules.join('; ')})` : ''
}
