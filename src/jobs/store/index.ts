// The webhook deliveries of jobs, agent runs and monitors.
import { defineStorage } from '../../store/capability-storage.ts'
import { openWebhookDeliveries } from './webhook-deliveries.ts'

export const webhookDeliveryStore = defineStorage({
  // The store's steps 0005 and 0710 create the table.
  migrations: [],
  open: ({ db, clock, sealer }) => openWebhookDeliveries(db, clock, sealer),
  expiry: [{ table: 'deliveries', time: 'expires_at' }],
  forget: [{ table: 'deliveries', urls: ['url'], texts: ['body'] }],
})
