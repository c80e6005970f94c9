// Lazy imports for administration, so that help and completion start without them.

export const ACTOR = 'command line'

export const changes = () => import('../capabilities/admin/changes.ts')
export const schemas = () => import('../capabilities/admin/schema.ts')

type Changes = Awaited<ReturnType<typeof changes>>
export type KeyShown = ReturnType<Changes['shownKey']>
export type TeamShown = Awaited<ReturnType<Changes['shownTeam']>>
