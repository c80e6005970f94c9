// Logarithm and share for the features. They run about a hundred times per block, so logarithms of small integers come
// from a table.

const TABLE = 4096
const LOGS = Float64Array.from({ length: TABLE }, (_, x) => Math.log2(1 + x))

export function log(x: number): number {
  const whole = x | 0
  return whole === x && whole < TABLE ? LOGS[whole]! : Math.log2(1 + x)
}

export const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
