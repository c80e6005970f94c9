// A few numbers in a row as small bars, with what they say in words.
import { plural } from '../words.ts'

const STEP = 5
const HEIGHT = 20

export function Sparkline({ values, what }: { values: readonly number[]; what: string }) {
  if (values.length === 0) return <span class="faint">–</span>
  const top = Math.max(1, ...values)
  const told = values.filter((value) => value > 0).length
  return (
    <svg
      class="sparkline"
      width={values.length * STEP}
      height={HEIGHT}
      role="img"
      aria-label={`${what}: ${told} of the last ${plural(values.length, 'check')}`}
    >
      {values.map((value, at) => {
        const height = value === 0 ? 2 : 4 + (value / top) * (HEIGHT - 4)
        return (
          <rect
            key={at}
            class={value === 0 ? 'calm' : ''}
            x={at * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
          />
        )
      })}
    </svg>
  )
}
