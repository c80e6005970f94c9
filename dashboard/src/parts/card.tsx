// A card with a title, and a choice that stands in its head.
import type { ComponentChildren } from 'preact'

export interface CardProps {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
}

export const Card = ({ title, aside, children }: CardProps) => (
  <section class="card" aria-label={title}>
    <div class="card-head">
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)

/** One of a few; `words` are what each is called. */
export function Choose<Name extends string>({
  label,
  words,
  value,
  onChange,
}: {
  label: string
  words: Readonly<Record<Name, string>>
  value: Name
  onChange(value: NoInfer<Name>): void
}) {
  return (
    <label class="row small">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Name)}>
        {Object.entries<string>(words).map(([name, word]) => (
          <option key={name} value={name}>
            {word}
          </option>
        ))}
      </select>
    </label>
  )
}
