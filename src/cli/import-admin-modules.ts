// Lazy imports for administration, so that help and completion start without them.

export const AUDIT_ACTOR = 'command line'

export const importTeamAndKeyAdmin = () => import('../capabilities/admin/change-teams-and-keys.ts')
export const loadAdminSchemas = () => import('../capabilities/admin/schema.ts')

type Changes = Awaited<ReturnType<typeof importTeamAndKeyAdmin>>
export type ShownKey = ReturnType<Changes['toShownKey']>
export type ShownTeam = Awaited<ReturnType<Changes['toShownTeam']>>
