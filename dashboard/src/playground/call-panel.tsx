// The other side of an answer: its raw form, the same call in other words, and how it came about.
import { signal } from '@preact/signals'
import { useId, useState } from 'preact/hooks'
import { call as ask } from '../call.ts'
import { Code, Copy } from '../parts/code.tsx'
import { Failure } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import type { NewKey } from '../wire.ts'
import type { Answer } from './result.tsx'
import { type Call, KEY, languages, snippet } from './snippets.ts'
import { Waterfall } from './waterfall.tsx'

/** The key that the snippets show; known to this page alone, and gone with it. */
const shownKey = signal('')

export function CallPanel({ call, answer }: { call: Call; answer: Answer | undefined }) {
  const [chosen, setChosen] = useState<string>()
  const scrapeId = scrapeIdOf(answer)
  const tabs = [
    ...(answer ? [{ id: 'raw', label: 'Raw' }] : []),
    ...languages.map((language) => ({ id: language, label: language })),
    ...(scrapeId ? [{ id: 'explain', label: 'Explain' }] : []),
  ]
  const id = tabs.some((tab) => tab.id === chosen) ? chosen! : tabs[0]!.id
  const language = languages.find((name) => name === id)
  const text = language ? withKey(snippet(language, call)) : id === 'raw' ? JSON.stringify(answer, null, 2) : undefined
  return (
    <section class="card" aria-label="The call">
      <Tabs
        label="The request and its raw response"
        tabs={tabs}
        chosen={id}
        onChoose={setChosen}
        aside={text === undefined ? undefined : <Copy text={text} />}
      >
        {text !== undefined ? (
          <>
            <Code text={text} label={language ? `The call in ${language}` : 'Raw answer'} />
            {language && <KeyBar />}
          </>
        ) : (
          scrapeId && <Waterfall scrapeId={scrapeId} />
        )}
      </Tabs>
    </section>
  )
}

const withKey = (text: string): string => (shownKey.value ? text.replaceAll(KEY, shownKey.value) : text)

/** The service keeps no key that it could show: one is made for the purpose, or put in by hand. */
function KeyBar() {
  const id = useId()
  const [error, setError] = useState<Error>()
  const make = async () => {
    setError(undefined)
    const name = `playground, ${new Date().toISOString().slice(0, 10)}`
    await ask<NewKey>({ method: 'POST', path: '/v2/admin/keys', body: { name } }).then(({ key }) => {
      shownKey.value = key
    }, setError)
  }
  return (
    <div class="stack">
      <div class="row">
        {shownKey.value ? (
          <button type="button" class="button slim" onClick={() => (shownKey.value = '')}>
            Hide the key
          </button>
        ) : (
          <button type="button" class="button slim" onClick={() => void make()}>
            Insert a new key
          </button>
        )}
        <label class="small soft" for={id}>
          or yours
        </label>
        <input
          id={id}
          class="key-box"
          type="password"
          autocomplete="off"
          placeholder="fc-…"
          value={shownKey.value}
          onInput={(event) => (shownKey.value = event.currentTarget.value.trim())}
        />
      </div>
      {error && <Failure error={error} />}
    </div>
  )
}

function scrapeIdOf(answer: Answer | undefined): string | undefined {
  const data = answer?.data as { metadata?: { scrapeId?: unknown } } | undefined
  const id = answer?.scrape_id ?? data?.metadata?.scrapeId
  return typeof id === 'string' ? id : undefined
}
