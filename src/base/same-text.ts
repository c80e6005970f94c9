// Compares a secret with what somebody claims it is, in a time that tells nothing of how much of it was right.
import { timingSafeEqual } from 'node:crypto'

export function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  // In bytes: a claim may have as many letters and be longer all the same.
  return one.length === other.length && timingSafeEqual(one, other)
}
