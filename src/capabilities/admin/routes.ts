// Administration for the dashboard and the CLI, beyond the released clients' API. Other teams' objects are a 404.
import { defineCapability } from '../capability.ts'
import { forgetRoutes } from './forget-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { retentionRoutes } from './retention-routes.ts'
import { teamRoutes } from './team-routes.ts'
import { usageAndAuditRoutes } from './usage-and-audit-routes.ts'
import { webhookSecretAndHealthRoutes } from './webhook-secret-and-health-routes.ts'

export const adminCapability = defineCapability({
  name: 'admin',
  tag: 'Administration',
  needs: ['rewriteIndex'],
  right: 'admin',
  cliGroup: 'Keys and teams',
  routes: [
    ...teamRoutes,
    ...keyRoutes,
    ...usageAndAuditRoutes,
    ...webhookSecretAndHealthRoutes,
    ...forgetRoutes,
    ...retentionRoutes,
    ...modelRoutes,
  ],
})
