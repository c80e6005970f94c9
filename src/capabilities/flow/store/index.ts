// What flows store: their versions and the vault, kept until they are deleted.
import { defineStorage } from '../../../store/capability-storage.ts'
import { openFlowTable } from './flows.ts'
import { openVault } from './vault.ts'

export const flowStore = defineStorage({
  open: ({ db, clock, secrets }) => ({ flows: openFlowTable(db, clock), vault: openVault(db, clock, secrets) }),
  forget: [
    { table: 'flows', id: null, texts: ['body'] },
    { table: 'vault', id: null, hosts: ['domain'] },
  ],
})
