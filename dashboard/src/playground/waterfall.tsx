// How a scrape came about, as a waterfall: each step from where the one before ended, with what it found.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Empty, Failure, Loading } from '../parts/states.tsx'
import { duration, facts } from '../words.ts'

interface Step {
  step: string
  atMs: number
  [fact: string]: unknown
}

interface Explain {
  engine?: string
  cache?: string
  kind?: string
  charset?: string
  digestMs?: number
  cuts?: { path?: string; reason?: string; [fact: string]: unknown }[]
  steps?: Step[]
}

const MOST_CUTS = 50
const MOST_FACTS = 600

export function Waterfall({ scrapeId }: { scrapeId: string }) {
  const { value, error, again } = useLoaded(
    (signal) => call<{ explain: Explain | null }>({ path: `/v2/scrape/${scrapeId}?explain=true`, signal }),
    [scrapeId],
  )
  if (error) return <Failure error={error} onAgain={again} />
  if (!value) return <Loading what="Loading the steps of this scrape" />
  const { explain } = value
  if (!explain?.steps)
    return (
      <Empty icon="help" title="Nothing was stored">
        <p>With zero data retention, the steps of a scrape are not recorded.</p>
      </Empty>
    )
  return (
    <>
      <div class="row">
        <Badge kind="live">{explain.engine ?? 'no engine'}</Badge>
        <Badge kind={explain.cache === 'hit' ? 'good' : undefined}>cache: {explain.cache}</Badge>
        {explain.kind && <Badge>{explain.kind}</Badge>}
        {explain.charset && <Badge>{explain.charset}</Badge>}
      </div>
      <Steps steps={explain.steps} />
      {explain.cuts && explain.cuts.length > 0 && (
        <details>
          <summary>
            <strong class="small">{explain.cuts.length} parts were removed from the page</strong>
          </summary>
          <ul class="links">
            {explain.cuts.slice(0, MOST_CUTS).map((cut) => (
              <li key={JSON.stringify(cut)} class="break">
                {Object.values(cut).map(String).join(' · ')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Steps({ steps }: { steps: Step[] }) {
  const end = Math.max(1, ...steps.map(({ atMs }) => atMs))
  return (
    <ol class="waterfall" aria-label="Steps of this scrape">
      {steps.map(({ step, atMs, ...found }, at) => {
        // A step is noted when it is over.
        const from = steps[at - 1]?.atMs ?? 0
        return (
          <li key={`${step}-${at}`}>
            <strong>{step}</strong>
            <span class="bar" aria-hidden="true">
              <i style={{ left: `${(from / end) * 100}%`, width: `${((atMs - from) / end) * 100}%` }} />
            </span>
            <span class="number faint">{duration(atMs - from)}</span>
            {Object.keys(found).length > 0 && <span class="facts">{facts(found).slice(0, MOST_FACTS)}</span>}
          </li>
        )
      })}
    </ol>
  )
}
