// A figure over time as a line, with its name, what it is now and the most it was.

const WIDTH = 240
const HEIGHT = 44

export function Trail({
  label,
  values,
  write = String,
}: {
  label: string
  values: readonly number[]
  write?: (value: number) => string
}) {
  const now = values.at(-1) ?? 0
  const top = Math.max(...values, 0)
  const scale = Math.max(top, 1)
  const x = (at: number) => (values.length < 2 ? WIDTH : (at / (values.length - 1)) * WIDTH)
  const y = (value: number) => HEIGHT - 2 - (value / scale) * (HEIGHT - 6)
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  return (
    <figure class="trail">
      <figcaption class="small">
        <strong>{label}</strong>{' '}
        <span class="faint">
          now {write(now)}, most {write(top)}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <polygon points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
        <polyline points={points} />
      </svg>
    </figure>
  )
}
