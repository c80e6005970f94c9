// The webhook deliveries of jobs, agent runs and monitors.
import { defineStorage } from '../../store/storage.ts'
import { openDeliveries } from './deliveries.ts'

export const deliveryStore = defineStorage({
  // The store's steps 0005 and 0710 create the table.
  migrations: [],
  open: ({ db, clock, sealer }) => openDeliveries(db, clock, sealer),
  expiry: [{ table: 'deliveries', time: 'expires_at' }],
  forget: [{ table: 'deliveries', urls: ['url'], texts: ['body'] }],
})
