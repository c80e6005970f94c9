// What flows store: their versions and the vault, kept until they are deleted.

import type { Clock } from '../../../base/clock.ts'
import type { Flow } from '../../../driving/flow-steps-and-element-descriptors.ts'
import type { VaultEntry } from '../../../driving/sign-in.ts'
import { defineStorage, type StorageContext } from '../../../store/capability-storage.ts'
import type { Db, Tables } from '../../../store/tables.ts'

declare module '../../../store/tables.ts' {
  interface Tables {
    flows: {
      team_id: string
      name: string
      version: number
      /** JSON: parameters and steps. */
      body: string
      created_at: number
    }
    vault: {
      team_id: string
      name: string
      domain: string
      /** The encrypted entry. */
      sealed: string
      updated_at: number
    }
  }
}

export interface StoredFlow extends Flow {
  name: string
  version: number
  createdAt: number
}

const MAX_LISTED = 1000
const MAX_VERSIONS = 50
const TRIES = 5

type Row = Omit<Tables['flows'], 'team_id'>

const flowOf = ({ name, version, body, created_at }: Row): StoredFlow => ({
  name,
  version: Number(version),
  createdAt: Number(created_at),
  ...(JSON.parse(body) as Flow),
})

/** A change adds a version, and the oldest go beyond a limit. */
function openFlowTable(db: Db, clock: Clock) {
  const rows = (teamId: string) =>
    db.selectFrom('flows').select(['name', 'version', 'body', 'created_at']).where('team_id', '=', teamId)
  const findNewestVersion = async (teamId: string, name: string): Promise<number> => {
    const row = await db
      .selectFrom('flows')
      .select((from) => from.fn.max('version').as('version'))
      .where('team_id', '=', teamId)
      .where('name', '=', name)
      .executeTakeFirst()
    return Number(row?.version ?? 0)
  }
  return {
    async get(teamId: string, name: string, version?: number): Promise<StoredFlow | undefined> {
      const named = rows(teamId).where('name', '=', name)
      const one = version === undefined ? named.orderBy('version', 'desc') : named.where('version', '=', version)
      const row = await one.limit(1).executeTakeFirst()
      return row && flowOf(row)
    },
    /** Returns the new version. */
    async add(teamId: string, name: string, { parameters, steps }: Flow): Promise<number> {
      const body = JSON.stringify({ parameters, steps })
      // Two writers may choose the same number; the second takes the next.
      for (let turn = 0; turn < TRIES; turn++) {
        const version = (await findNewestVersion(teamId, name)) + 1
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('flows')
          .values({ team_id: teamId, name, version, body, created_at: clock.now() })
          .onConflict((conflict) => conflict.columns(['team_id', 'name', 'version']).doNothing())
          .executeTakeFirst()
        if (Number(numInsertedOrUpdatedRows) !== 1) continue
        await db
          .deleteFrom('flows')
          .where('team_id', '=', teamId)
          .where('name', '=', name)
          .where('version', '<=', version - MAX_VERSIONS)
          .execute()
        return version
      }
      throw new Error(`the flow ${name} is being changed by too many at once`)
    },
    async versions(teamId: string, name: string): Promise<{ version: number; createdAt: number }[]> {
      const found = await rows(teamId).where('name', '=', name).orderBy('version', 'desc').execute()
      return found.map(({ version, created_at }) => ({ version: Number(version), createdAt: Number(created_at) }))
    },
    /** The newest version of each, by name. */
    async list(teamId: string): Promise<StoredFlow[]> {
      const latest = db
        .selectFrom('flows')
        .select(['name', (from) => from.fn.max('version').as('version')])
        .where('team_id', '=', teamId)
        .groupBy('name')
        .orderBy('name')
        .limit(MAX_LISTED)
        .as('latest')
      const found = await db
        .selectFrom('flows')
        .innerJoin(latest, (join) =>
          join.onRef('latest.name', '=', 'flows.name').onRef('latest.version', '=', 'flows.version'),
        )
        .select(['flows.name', 'flows.version', 'flows.body', 'flows.created_at'])
        .where('flows.team_id', '=', teamId)
        .orderBy('flows.name')
        .execute()
      return found.map(flowOf)
    },
    async remove(teamId: string, name: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('flows')
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .executeTakeFirst()
      return Number(numDeletedRows) > 0
    },
  }
}

interface VaultFacts extends Pick<VaultEntry, 'domain' | 'keys' | 'flows' | 'hosts' | 'code'> {
  name: string
  updatedAt: number
}

/** Binds the encrypted entry to its row: moved to another one, it cannot be decrypted. */
const labelOf = (teamId: string, name: string, domain: string): string => `vault ${teamId} ${name} ${domain}`

/** Encrypted sign-ins of a team. Only a flow that signs in reads them. */
function openVault(db: Db, clock: Clock, { seal, open }: StorageContext['secrets']) {
  const one = (teamId: string, name: string) =>
    db.selectFrom('vault').selectAll().where('team_id', '=', teamId).where('name', '=', name)
  return {
    async put(teamId: string, name: string, { domain, ...secret }: VaultEntry): Promise<void> {
      const sealed = seal(JSON.stringify(secret), labelOf(teamId, name, domain))
      const values = { domain, sealed, updated_at: clock.now() }
      await db
        .insertInto('vault')
        .values({ team_id: teamId, name, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'name']).doUpdateSet(values))
        .execute()
    },
    async get(teamId: string, name: string): Promise<VaultEntry | undefined> {
      const row = await one(teamId, name).executeTakeFirst()
      if (!row) return undefined
      const { domain, sealed } = row
      return { domain, ...(JSON.parse(open(sealed, labelOf(teamId, name, domain))) as Omit<VaultEntry, 'domain'>) }
    },
    async list(teamId: string): Promise<VaultFacts[]> {
      const rows = await db
        .selectFrom('vault')
        .selectAll()
        .where('team_id', '=', teamId)
        .orderBy('name')
        .limit(MAX_LISTED)
        .execute()
      return rows.map(({ name, domain, sealed, updated_at }) => {
        const { keys, flows, hosts, code } = JSON.parse(open(sealed, labelOf(teamId, name, domain))) as VaultEntry
        return { name, domain, keys, flows, hosts, code, updatedAt: Number(updated_at) }
      })
    },
    async remove(teamId: string, name: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('vault')
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .executeTakeFirst()
      return Number(numDeletedRows) > 0
    },
  }
}

export const flowStore = defineStorage({
  open: ({ db, clock, secrets }) => ({ flows: openFlowTable(db, clock), vault: openVault(db, clock, secrets) }),
  forget: [
    { table: 'flows', id: null, texts: ['body'] },
    { table: 'vault', id: null, hosts: ['domain'] },
  ],
})
