// What the errors of `@e965/xlsx` mean. It reports texts only.
import { Problem } from '../../base/problem.ts'

export function problemOfXlsxError(cause: unknown): Problem {
  const isEncrypted = cause instanceof Error && /password-protected|ECMA-376|encryption scheme/i.test(cause.message)
  const because = isEncrypted ? 'the workbook is encrypted and opens only with its password' : 'the workbook is broken'
  return new Problem('unreadable_file', { because, cause })
}
