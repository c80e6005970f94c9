// Administration as the command line does it: its name in the audit log, and the work with its schemas, which are loaded
// only by a command that runs. Help, completion and all the others start without them.

export const ACTOR = 'command line'

export async function administration() {
  const [changes, { keyBody, teamBody, teamChange }] = await Promise.all([
    import('../capabilities/admin/changes.ts'),
    import('../capabilities/admin/schema.ts'),
  ])
  return { ...changes, keyBody, teamBody, teamChange }
}

export type Administration = Awaited<ReturnType<typeof administration>>
