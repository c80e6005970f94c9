// Text as code: shown, copied, and cut when it is too long to be drawn.
import { useState } from 'preact/hooks'
import { bytes } from '../words.ts'
import { Picture } from './icons.tsx'

/** Longer texts make the browser slow and nobody reads them here; copying takes them whole. */
const MOST_CHARS = 200_000

export function Copy({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <button type="button" class="button slim" onClick={() => void copy()}>
      <Picture name="copy" size={14} />
      <span aria-live="polite">{done ? 'Copied' : label}</span>
    </button>
  )
}

export function Code({ text, label }: { text: string; label: string }) {
  const shown = text.length > MOST_CHARS ? text.slice(0, MOST_CHARS) : text
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="code" tabIndex={0} aria-label={label}>
        <pre>{shown}</pre>
      </section>
      {shown.length < text.length && (
        <p class="help">
          The first {bytes(MOST_CHARS)} of {bytes(text.length)}. Copying takes all of it.
        </p>
      )}
    </>
  )
}
