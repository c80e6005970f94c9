// Parses a Range header. Only single ranges, which is all that players request.
import type { ByteRange } from '../../store/blob-storage.ts'

/** Undefined: send everything (no range, or one that may be ignored). `beyond`: out of bounds (416). */
export function parseRangeHeader(header: string | undefined, bytes: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'beyond' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  if (start >= bytes) return 'beyond'
  if (last !== '' && Number(last) < start) return undefined
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}
