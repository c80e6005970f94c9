// The vault: encrypted sign-ins of a team. Only a flow that signs in reads them.
import type { Clock } from '../../../base/clock.ts'
import type { VaultEntry } from '../../../driving/sign-in.ts'
import type { StorageContext } from '../../../store/capability-storage.ts'
import type { Db } from '../../../store/tables.ts'
import './tables.ts'

interface VaultFacts extends Pick<VaultEntry, 'domain' | 'keys' | 'flows' | 'hosts' | 'code'> {
  name: string
  updatedAt: number
}

const MAX_LISTED = 1000

/** Binds the encrypted entry to its row: moved to another one, it cannot be decrypted. */
const labelOf = (teamId: string, name: string, domain: string): string => `vault ${teamId} ${name} ${domain}`

export function openVault(db: Db, clock: Clock, { seal, open }: StorageContext['secrets']) {
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
