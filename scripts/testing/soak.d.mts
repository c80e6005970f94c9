export const soakSubjects: Readonly<Record<string, readonly string[]>>
export function soakFilesFor(changed: readonly string[]): string[]
export function changedPaths(): string[] | undefined
export function soakFilesWithin(
  files: readonly string[],
  durations: Readonly<Record<string, number>>,
  budget?: number,
): { kept: string[]; leftOut: string[] }
