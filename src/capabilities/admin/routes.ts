// Administration: what the dashboard and the command line need beyond the released clients' API. Every route says who may
// use it; what belongs to another team does not exist.
import { defineCapability } from '../capability.ts'
import { bookRoutes } from './book-routes.ts'
import { forgetRoutes } from './forget-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { needs } from './needs.ts'
import { retentionRoutes } from './retention-routes.ts'
import { serviceRoutes } from './service-routes.ts'
import { teamRoutes } from './team-routes.ts'

export const admin = defineCapability({
  name: 'admin',
  right: 'admin',
  needs,
  cliGroup: 'Keys and teams',
  routes: [...teamRoutes, ...keyRoutes, ...bookRoutes, ...serviceRoutes, ...forgetRoutes, ...retentionRoutes],
})
