interface Report {
  errors: number
  files: readonly { file: string; errors: number; tests: readonly { name: string; state: string }[] }[]
}
interface Quarantined {
  file: string
  test: string
  reason: string
  since: string
}

export function unexpectedSkips(report: Report, quarantine?: readonly Quarantined[]): string[]
export function countsOf(
  report: Report | undefined,
  quarantine?: readonly Quarantined[],
): { passed: number; failed: number; skipped: number }
export function quarantineRates(
  reports: readonly (Report | undefined)[],
  quarantine: readonly Quarantined[],
): (Quarantined & { runs: number; passed: number })[]
