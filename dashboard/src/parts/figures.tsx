// Figures: a number with its name, what it is out of, and how much of that, in groups with a title.
import type { ComponentChildren } from 'preact'
import { Card, type CardProps } from './card.tsx'

interface FigureProps {
  label: string
  value: string
  note?: ComponentChildren
  /** From 0 to 1: drawn as a bar. */
  share?: number | undefined
}

/** From here on a bar warns. */
const NEARLY_FULL = 0.9

export const Figure = ({ label, value, note, share }: FigureProps) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>
      {value}
      {share !== undefined && (
        <span class={`meter ${share >= NEARLY_FULL ? 'full' : ''}`} aria-hidden="true">
          <i style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
        </span>
      )}
      {note && <small>{note}</small>}
    </dd>
  </div>
)

export const Figures = ({ children, ...head }: CardProps) => (
  <Card {...head}>
    <dl class="card-body figures">{children}</dl>
  </Card>
)
