// What the errors of the SQLite module mean, by their codes.
import { Problem } from '../base/problem.ts'

/** Reasons that pass, or that the operator can remove. */
export const PASSING: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another process holds it',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'the disk can only be read',
  SQLITE_IOERR: 'the disk fails',
  SQLITE_CANTOPEN: 'its file cannot be opened',
}
export const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB'])

/** The primary result code: `SQLITE_IOERR_WRITE` is `SQLITE_IOERR`. */
export function sqliteErrorCode(error: unknown): string | undefined {
  const inner = error instanceof Problem ? error.cause : error
  if (!(inner instanceof Error && 'code' in inner && typeof inner.code === 'string')) return undefined
  return /^SQLITE_[A-Z]+/.exec(inner.code)?.[0]
}

/** Another connection holds the lock that the statement needs. */
export const isLocked = (error: unknown): boolean => sqliteErrorCode(error) === 'SQLITE_BUSY'
