interface Entry {
  version?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}
export function lacking(packages: Record<string, Entry>): { name: string; version: string; by: string }[]
export function unsure(packages: Record<string, Entry>): string[]
