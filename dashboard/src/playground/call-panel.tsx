// The other side of an answer: its raw form, the same call in other words, and how it came about.
import { useState } from 'preact/hooks'
import { Code, Copy } from '../parts/code.tsx'
import { Tabs } from '../parts/tabs.tsx'
import type { Answer } from './result.tsx'
import { type Call, languages, snippet } from './snippets.ts'
import { Waterfall } from './waterfall.tsx'

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
  const text = language ? snippet(language, call) : id === 'raw' ? JSON.stringify(answer, null, 2) : undefined
  return (
    <section class="card" aria-label="The call">
      <Tabs
        label="The call and its raw answer"
        tabs={tabs}
        chosen={id}
        onChoose={setChosen}
        aside={text === undefined ? undefined : <Copy text={text} />}
      >
        {text !== undefined ? (
          <Code text={text} label={language ? `The call in ${language}` : 'Raw answer'} />
        ) : (
          scrapeId && <Waterfall scrapeId={scrapeId} />
        )}
      </Tabs>
    </section>
  )
}

function scrapeIdOf(answer: Answer | undefined): string | undefined {
  const data = answer?.data as { metadata?: { scrapeId?: unknown } } | undefined
  const id = answer?.scrape_id ?? data?.metadata?.scrapeId
  return typeof id === 'string' ? id : undefined
}
