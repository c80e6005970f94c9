// Limits: what the team's plan allows, how much of it is used right now, and what other plans would allow.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Failure, Loading, PageHead } from '../parts/states.tsx'
import type { Limits } from '../wire.ts'
import { count } from '../words.ts'
import { Figure } from './job.tsx'

const EVERY_MS = 2000
const orNone = (value: number | null): string => (value === null ? 'no limit' : count(value))

export function LimitsScreen() {
  const { value, error, again } = useLoaded(
    async (signal) => (await call<Limits>({ path: '/v2/admin/limits', signal })).data,
    [],
    EVERY_MS,
  )
  return (
    <div class="page">
      <PageHead title="Limits">What the team’s plan allows, and how much of it is used right now.</PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading />}
      {value && (
        <>
          <section class="card card-body" aria-label="Right now">
            <div class="row">
              <h2>Right now</h2>
              <Badge kind="live">plan {value.plan.name}</Badge>
            </div>
            <dl class="figures">
              <Figure
                label="Pages at once"
                value={count(value.now.running)}
                note={`of ${count(value.now.maxConcurrency)}`}
              />
              <Figure label="Waiting for a slot" value={count(value.now.waiting)} />
              <Figure
                label="Pages of jobs waiting"
                value={count(value.now.queued)}
                note={value.plan.maxQueuedJobs === null ? 'no limit' : `of ${count(value.plan.maxQueuedJobs)}`}
              />
            </dl>
          </section>
          <Rates limits={value} />
          <Plans limits={value} />
        </>
      )}
    </div>
  )
}

function Rates({ limits: { plan, now } }: { limits: Limits['data'] }) {
  const buckets = Object.keys(plan.rates ?? now.rates)
  return (
    <section class="card" aria-label="Requests a minute">
      <div class="card-head">
        <h2>Requests a minute</h2>
      </div>
      {buckets.length === 0 ? (
        <p class="card-body help">This plan does not limit requests.</p>
      ) : (
        <div class="scroll-x">
          <table>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">This minute</th>
                <th scope="col">Allowed</th>
              </tr>
            </thead>
            <tbody>
              {buckets.map((bucket) => (
                <tr key={bucket}>
                  <td>{bucket}</td>
                  <td class="number">{count(now.rates[bucket] ?? 0)}</td>
                  <td class="number">{orNone(plan.rates?.[bucket] ?? null)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const Plans = ({ limits: { plan, plans } }: { limits: Limits['data'] }) => (
  <section class="card" aria-label="All plans">
    <div class="card-head">
      <h2>All plans</h2>
    </div>
    <div class="scroll-x">
      <table>
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col">Scrapes a minute</th>
            <th scope="col">Crawls a minute</th>
            <th scope="col">Pages at once</th>
            <th scope="col">Pages waiting</th>
          </tr>
        </thead>
        <tbody>
          {plans.map(({ name, rates, concurrency, maxQueuedJobs }) => (
            <tr key={name}>
              <td>{name === plan.name ? <Badge kind="live">{name}</Badge> : name}</td>
              <td class="number">{orNone(rates?.scrape ?? null)}</td>
              <td class="number">{orNone(rates?.crawl ?? null)}</td>
              <td class="number">{orNone(concurrency)}</td>
              <td class="number">{orNone(maxQueuedJobs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)
