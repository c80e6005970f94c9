// What test/setup.ts may know about the script beside this file.
export function startPostgres(options?: {
  required?: boolean
  say?: (sentence: string) => void
}): Promise<{ url: string; stop(): Promise<void> } | undefined>
