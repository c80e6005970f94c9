// `orb teams`: list, create and change teams; a new team gets its first key at once. Every change is in the audit log.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Store } from '../store/index.ts'
import { isAddressBlock } from '../teams/ip-list.ts'
import { FIRST_KEY, issueKey, OWNER } from '../teams/keys.ts'
import { plans } from '../teams/plans.ts'
import { type Command, UsageError } from './command.ts'
import { ACTOR } from './keys.ts'
import { withStore } from './store.ts'

const OPTIONS = {
  plan: { type: 'string' },
  credits: { type: 'string' },
  'ip-allow': { type: 'string' },
  'zero-data-retention': { type: 'string' },
} as const satisfies ParseArgsConfig['options']

export const teams: Command = {
  name: 'teams',
  usage:
    'teams [list | create <name> | change <name>] [--plan <plan>] [--credits <n>|none] [--ip-allow <a,b>] [--zero-data-retention off|allowed|forced]',
  summary: 'list, create and change teams',
  async run([verb = 'list', ...args]) {
    return withStore(async (store) => {
      if (verb === 'create') return create(store, wishFrom(args))
      if (verb === 'change') return change(store, wishFrom(args))
      if (verb !== 'list') throw new UsageError(`there is no \`teams ${verb}\``)
      for (const team of await store.teams.list()) {
        const { granted, spent } = await store.ledger.balance(team.id)
        const credits = granted === null ? `${spent} credits used, no limit` : `${spent} of ${granted} credits used`
        const from = team.ipAllow.length > 0 ? `  from ${team.ipAllow.join(', ')}` : ''
        console.log(`${team.id}  ${team.name}  plan ${team.plan}  ${credits}${from}`)
      }
      return 0
    })
  },
}

interface Wish {
  name: string
  plan?: string
  /** Null: no limit. */
  credits?: number | null
  ipAllow?: string[]
  zeroDataRetention?: 'off' | 'allowed' | 'forced'
}

async function create(store: Store, { credits, ...wish }: Wish): Promise<number> {
  const { team, key } = await store.transaction(async (tx) => {
    const team = await store.teams.create(
      { ...wish, ...(typeof credits === 'number' ? { creditLimit: credits } : {}) },
      tx,
    )
    const { key, row } = await issueKey(store, team.id, FIRST_KEY, OWNER, tx)
    const entry = { teamId: team.id, actor: ACTOR }
    const details = { ...wish, credits: credits ?? null }
    await store.audit.add({ ...entry, action: 'team.created', subject: team.id, details }, tx)
    await store.audit.add(
      { ...entry, action: 'key.created', subject: row.id, details: { name: FIRST_KEY, ...OWNER } },
      tx,
    )
    return { team, key }
  })
  console.log(`Team ${team.name} (${team.id})\nIts first key: ${key}\n(shown this once: only its hash is kept)`)
  return 0
}

async function change(store: Store, { name, credits, ...wish }: Wish): Promise<number> {
  const team = await store.teams.byName(name)
  if (!team) throw new Error(`There is no team \`${name}\`. \`npx orb teams\` lists them.`)
  if (credits === undefined && Object.keys(wish).length === 0)
    throw new UsageError('say what to change: --plan, --credits, --ip-allow or --zero-data-retention')
  await store.transaction(async (tx) => {
    const entry = { teamId: team.id, actor: ACTOR, subject: team.id }
    if (Object.keys(wish).length > 0) {
      await store.teams.change(team.id, wish, tx)
      await store.audit.add({ ...entry, action: 'team.changed', details: { ...wish } }, tx)
    }
    if (credits !== undefined) {
      await store.ledger.limit(team.id, credits, tx)
      await store.audit.add({ ...entry, action: 'credits.granted', details: { credits } }, tx)
    }
  })
  console.log('Changed. A running service heeds it from the next request on.')
  return 0
}

function wishFrom(args: readonly string[]): Wish {
  const { positionals, values } = parsed(args)
  const [name, ...rest] = positionals
  if (!name || rest.length > 0) throw new UsageError('one name of a team is needed')
  const { plan, credits, 'ip-allow': ipAllow, 'zero-data-retention': retention } = values
  if (plan !== undefined && !Object.hasOwn(plans, plan))
    throw new UsageError(`there is no plan \`${plan}\`; known: ${Object.keys(plans).join(', ')}`)
  const number = Number(credits)
  if (credits !== undefined && credits !== 'none' && !(Number.isInteger(number) && number >= 0))
    throw new UsageError('--credits takes a whole number, or `none` for no limit')
  const addresses = ipAllow
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const wrong = addresses?.find((address) => !isAddressBlock(address))
  if (wrong) throw new UsageError(`\`${wrong}\` is no IPv4 or IPv6 address or CIDR block`)
  if (retention !== undefined && !isRetention(retention))
    throw new UsageError('--zero-data-retention takes off, allowed or forced')
  return {
    name,
    ...(plan === undefined ? {} : { plan }),
    ...(credits === undefined ? {} : { credits: credits === 'none' ? null : number }),
    ...(addresses ? { ipAllow: addresses } : {}),
    ...(retention === undefined ? {} : { zeroDataRetention: retention }),
  }
}

const isRetention = (text: string): text is 'off' | 'allowed' | 'forced' => ['off', 'allowed', 'forced'].includes(text)

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
