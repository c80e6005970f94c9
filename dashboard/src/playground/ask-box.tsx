// The one box: which call, what to call it with, and go.
import { useState } from 'preact/hooks'
import { readAddressLines } from '../home/addresses.ts'
import { Dropped } from '../home/dropped.tsx'
import { Picture } from '../parts/icons.tsx'
import { plural } from '../words.ts'
import type { Values } from './field-parts.tsx'
import { withValue } from './fields.tsx'
import type { Capability } from './schema.ts'

const WORDS: Readonly<Record<Exclude<Capability['box'], 'file'>, { label: string; hint: string }>> = {
  url: { label: 'Address', hint: 'https://example.com' },
  urls: { label: 'URLs, one per line', hint: 'https://example.com\nhttps://example.org' },
  query: { label: 'Query', hint: 'What are you looking for?' },
  prompt: { label: 'Prompt', hint: 'What should the service find or do?' },
}

export function AskBox({
  capabilities,
  capability,
  values,
  file,
  isRunning,
  onChoose,
  onChange,
  onFile,
  onStop,
}: {
  capabilities: Capability[]
  capability: Capability
  values: Values
  file: File | undefined
  isRunning: boolean
  onChoose(path: string): void
  onChange(values: Values): void
  onFile(file: File | undefined): void
  onStop(): void
}) {
  const { box } = capability
  const isEmpty = box === 'file' ? !file : !values[box]
  return (
    <div class="ask-line">
      <select aria-label="What to do" value={capability.path} onChange={(event) => onChoose(event.currentTarget.value)}>
        {capabilities.map(({ path, summary }) => (
          <option key={path} value={path}>
            {summary}
          </option>
        ))}
      </select>
      <div class="box">
        {box === 'file' ? (
          <input
            type="file"
            aria-label="File"
            onChange={(event) => onFile(event.currentTarget.files?.[0] ?? undefined)}
          />
        ) : box === 'urls' ? (
          <Lines value={values.urls} onChange={(urls) => onChange(withValue(values, 'urls', urls))} />
        ) : (
          <input
            id="ask"
            type="text"
            inputMode={box === 'url' ? 'url' : 'text'}
            aria-label={WORDS[box].label}
            placeholder={WORDS[box].hint}
            value={typeof values[box] === 'string' ? values[box] : ''}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => onChange(withValue(values, box, event.currentTarget.value.trimStart() || undefined))}
          />
        )}
      </div>
      {isRunning ? (
        <button type="button" class="button" onClick={onStop}>
          <Picture name="stop" size={16} />
          Stop
        </button>
      ) : (
        <button type="submit" class="button primary" disabled={isEmpty}>
          <Picture name="play" size={16} />
          Run
        </button>
      )}
    </div>
  )
}

function Lines({ value, onChange }: { value: unknown; onChange(lines: string[] | undefined): void }) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join('\n') : ''))
  const { urls, dropped } = readAddressLines(text)
  return (
    <>
      <textarea
        id="ask"
        aria-label={WORDS.urls.label}
        placeholder={WORDS.urls.hint}
        value={text}
        rows={Math.min(10, Math.max(3, text.split('\n').length))}
        spellcheck={false}
        onInput={(event) => {
          setText(event.currentTarget.value)
          const { urls: found } = readAddressLines(event.currentTarget.value)
          onChange(found.length > 0 ? found : undefined)
        }}
      />
      {text.trim() !== '' && <p class="help">{plural(urls.length, 'URL', 'URLs')}</p>}
      <Dropped dropped={dropped} />
    </>
  )
}
