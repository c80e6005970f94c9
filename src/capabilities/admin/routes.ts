// Administration for the dashboard and the CLI, beyond the released clients' API. Other teams' objects are a 404.
import { defineCapability } from '../capability.ts'
import { bookRoutes } from './book-routes.ts'
import { forgetRoutes } from './forget-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { needs } from './needs.ts'
import { retentionRoutes } from './retention-routes.ts'
import { serviceRoutes } from './service-routes.ts'
import { teamRoutes } from './team-routes.ts'

export const admin = defineCapability({
  name: 'admin',
  right: 'admin',
  needs,
  cliGroup: 'Keys and teams',
  routes: [
    ...teamRoutes,
    ...keyRoutes,
    ...bookRoutes,
    ...serviceRoutes,
    ...forgetRoutes,
    ...retentionRoutes,
    ...modelRoutes,
  ],
})
