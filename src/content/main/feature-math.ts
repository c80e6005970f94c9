// Logarithm and share for the features. They run about a hundred times per block, so logarithms of small integers come
// from a table.

const LOG_TABLE_SIZE = 4096
const LOG_TABLE = Float64Array.from({ length: LOG_TABLE_SIZE }, (_, x) => Math.log2(1 + x))

export function logScale(x: number): number {
  const whole = x | 0
  return whole === x && whole < LOG_TABLE_SIZE ? LOG_TABLE[whole]! : Math.log2(1 + x)
}

export const ratioOrZero = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
