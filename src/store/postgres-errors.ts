// What the errors of the PostgreSQL driver mean, by their codes; errors of its pool have only texts.
import { Problem } from '../base/problem.ts'

/** Transient: no connection, out of resources, operator intervention, read-only standby. */
const TRANSIENT_SQLSTATE_PREFIXES = ['08', '53', '57', '25006']
const TRANSIENT_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
const DEADLOCK = '40P01'
const FORBIDDEN = '42501'

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

export const isDeadlock = (error: unknown): boolean => codeOf(error) === DEADLOCK

/** The role may not do this. */
export const isForbidden = (error: unknown): boolean => codeOf(error) === FORBIDDEN

/** The pool found no free connection in time, or the connection of the statement ended. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && /timeout exceeded when trying to connect|terminated/i.test(error.message)

/** Runs `work`; reports a failure that passes as 503. */
export async function withPostgresProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = codeOf(error)
    const isTransient = TRANSIENT_CODES.has(code) || TRANSIENT_SQLSTATE_PREFIXES.some((state) => code.startsWith(state))
    if (!isTransient && !isLostConnection(error)) throw error
    throw new Problem('unavailable', { because: 'the database does not respond now', cause: error })
  }
}
