// Text as code: shown, copied, and cut when it is too long to be drawn.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { bytes } from '../words.ts'
import { Picture } from './icons.tsx'

/** Longer texts make the browser slow and nobody reads them here; copying takes them whole. */
const MOST_CHARS = 200_000
/** Each coloured word is an element; a long text stays plain. */
const MOST_COLOURED = 40_000
/** Comments of the shell and Python, texts, and what JSON, JavaScript and Python call numbers and names. */
const WORDS =
  /(?<comment>^#.*$)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(?<name>\s*:)?|(?<number>(?<![\w./:-])(?:\d+(?:\.\d+)?|true|false|null|True|False|None)(?![\w./:-]))/gm

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
        <pre>{shown.length > MOST_COLOURED ? shown : colourText(shown)}</pre>
      </section>
      {shown.length < text.length && (
        <p class="help">
          The first {bytes(MOST_CHARS)} of {bytes(text.length)}. Copy includes everything.
        </p>
      )}
    </>
  )
}

/** The text in pieces, those that mean something with a class. */
function colourText(text: string): ComponentChildren[] {
  const pieces: ComponentChildren[] = []
  let end = 0
  for (const found of text.matchAll(WORDS)) {
    const { comment, string, name, number } = found.groups ?? {}
    const word = comment ?? string ?? number ?? ''
    const kind = comment ? 'comment' : number ? 'number' : name ? 'name' : 'string'
    pieces.push(
      text.slice(end, found.index),
      <span key={found.index} class={kind}>
        {word}
      </span>,
    )
    end = found.index + word.length
  }
  return [...pieces, text.slice(end)]
}
