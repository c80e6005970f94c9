// Administration as the command line does it: its name in the audit log, and the work and its schemas, which are loaded
// only by a command that runs and needs them. Help, completion and all the others start without them.

export const ACTOR = 'command line'

export const changes = () => import('../capabilities/admin/changes.ts')
export const schemas = () => import('../capabilities/admin/schema.ts')

type Changes = Awaited<ReturnType<typeof changes>>
export type KeyShown = ReturnType<Changes['shownKey']>
export type TeamShown = Awaited<ReturnType<Changes['shownTeam']>>
