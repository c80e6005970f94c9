// What flows store: their versions and the vault, kept until they are deleted.
import { defineStorage } from '../../../store/storage.ts'
import { flowTables } from './0810-flows.ts'
import { openFlows } from './flows.ts'
import { openVault } from './vault.ts'

export const flowStore = defineStorage({
  migrations: [flowTables],
  open: ({ db, clock, secrets }) => ({ flows: openFlows(db, clock), vault: openVault(db, clock, secrets) }),
  forget: [
    { table: 'flows', id: null, texts: ['body'] },
    { table: 'vault', id: null, hosts: ['domain'] },
  ],
})
