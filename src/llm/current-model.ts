// The model in use, which the operator may replace while the service runs; a team may have one of its own.
import { AsyncContextValue } from '../base/async-context-value.ts'
import { callContext } from '../base/call-context.ts'
import { type LlmSettings, openLlm } from './index.ts'
import type { Llm } from './llm.ts'
import type { ModelExchange } from './model-exchange.ts'

export type ModelChoice = { url: string; model: string; key?: string | undefined }

export type CurrentModel = ReturnType<typeof openCurrentModel>

export function openCurrentModel(settings: LlmSettings, fetchForTeams?: typeof fetch) {
  const watcher = new AsyncContextValue<(exchange: ModelExchange) => void>()
  const onExchange = (exchange: ModelExchange) => watcher.getStore()?.(exchange)
  let choice: ModelChoice | undefined
  let changes = 0
  let current = openLlm({ ...settings, onExchange })
  const ofTeams = new Map<string, { choice: ModelChoice; llm: Llm }>()
  const now = (): Llm => ofTeams.get(callContext().teamId ?? '')?.llm ?? current
  const settingsNow = (): LlmSettings =>
    choice === undefined ? settings : { ...settings, key: undefined, small: undefined, ...choice }
  const llm: Llm = {
    get by() {
      return now().by
    },
    get name() {
      return now().name
    },
    facts: () => now().facts(),
    smallFacts: () => now().smallFacts(),
    probe: (signal) => now().probe(signal),
    extract: (ask, signal) => now().extract(ask, signal),
    choose: (ask, signal) => now().choose(ask, signal),
    answer: (ask, signal) => now().answer(ask, signal),
    summarise: (ask, signal) => now().summarise(ask, signal),
    highlight: (ask, signal) => now().highlight(ask, signal),
    clean: (ask, signal) => now().clean(ask, signal),
  }
  const { url, model, key } = settings
  return {
    llm,
    environment: url !== undefined && model !== undefined ? { url, model, key } : undefined,
    get choice() {
      return choice
    },
    /** Counts calls of `use` and `useFor`. */
    get changes() {
      return changes
    },
    use(chosen: ModelChoice | undefined) {
      changes += 1
      if (JSON.stringify(chosen) === JSON.stringify(choice)) return
      choice = chosen
      current = openLlm({ ...settingsNow(), onExchange })
    },
    mayTeams: fetchForTeams !== undefined,
    choiceOf: (teamId: string) => ofTeams.get(teamId)?.choice,
    /** Undefined: the service's. Requests go through `fetchForTeams`. */
    useFor(teamId: string, chosen: ModelChoice | undefined) {
      changes += 1
      if (!chosen || !fetchForTeams) return void ofTeams.delete(teamId)
      if (JSON.stringify(chosen) === JSON.stringify(ofTeams.get(teamId)?.choice)) return
      const { log, timeoutMs, meter } = settings
      const { url: at, model: name, key: own } = chosen
      const llm = openLlm({ log, timeoutMs, meter, url: at, model: name, key: own, fetch: fetchForTeams, onExchange })
      ofTeams.set(teamId, { choice: chosen, llm })
    },
    teams: () => [...ofTeams.keys()],
    /** Reports the requests of this work, and of no other. */
    watching: <T>(onReport: (exchange: ModelExchange) => void, work: () => Promise<T>) => watcher.run(onReport, work),
  }
}

type StoredKey = { origin: string; key: string }

export const writeModelKey = (url: string, key: string): string =>
  JSON.stringify({ origin: new URL(url).origin, key } satisfies StoredKey)

/** Empty for a key of another origin. Keys of earlier versions were stored alone. */
export function readModelKey(stored: string | undefined, url: string): string {
  if (!stored?.startsWith('{"origin":')) return stored ?? ''
  const { origin, key } = JSON.parse(stored) as StoredKey
  return origin === new URL(url).origin ? key : ''
}
