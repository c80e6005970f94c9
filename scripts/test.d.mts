/** The skipped tests of a report that nobody allowed, as sentences. */
export function strangeSkips(report: {
  testResults: readonly { name: string; assertionResults: readonly { fullName: string; status: string }[] }[]
}): string[]
