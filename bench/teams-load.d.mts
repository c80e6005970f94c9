export interface LoadSite {
  url: string
  port: number
  crowd: { now: number; most: number }
  close(): Promise<unknown>
}
export function startLoadSite(): Promise<LoadSite>
export function runLoad(options: {
  url: string
  adminKey: string
  site: LoadSite
  requests: number
  clients: number
  /** What the team with a limit may spend. */
  credits: number
  onTick?: (at: number) => void
}): Promise<{ seconds: number; statuses: Record<string, number>; wrong: string[]; mostAtOnce: number }>
