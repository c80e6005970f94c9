// The model in use, which the operator may replace while the service runs.
import { CallValue } from '../base/call-context.ts'
import { type LlmSettings, openLlm } from './index.ts'
import type { Llm } from './llm.ts'
import type { Exchange } from './recording.ts'

/** What an operator chooses; the rest of the settings stays. */
interface ModelChoice {
  url: string
  model: string
  key?: string | undefined
}

export interface LlmSwitch {
  /** The same object whatever is in use. */
  readonly llm: Llm
  /** Undefined: as the settings of the process say. */
  readonly choice: ModelChoice | undefined
  readonly environment: ModelChoice | undefined
  use(choice: ModelChoice | undefined): void
  /** Reports the requests of this work, and of no other. */
  watching<T>(onExchange: (exchange: Exchange) => void, work: () => Promise<T>): Promise<T>
}

export function openSwitch(settings: LlmSettings): LlmSwitch {
  const watcher = new CallValue<(exchange: Exchange) => void>()
  const onExchange = (exchange: Exchange) => watcher.getStore()?.(exchange)
  let choice: ModelChoice | undefined
  let current = openLlm({ ...settings, onExchange })
  const settingsNow = (): LlmSettings =>
    choice === undefined ? settings : { ...settings, key: undefined, small: undefined, ...choice }
  const llm: Llm = {
    get by() {
      return current.by
    },
    get name() {
      return current.name
    },
    facts: () => current.facts(),
    smallFacts: () => current.smallFacts(),
    probe: (signal) => current.probe(signal),
    extract: (ask, signal) => current.extract(ask, signal),
    choose: (ask, signal) => current.choose(ask, signal),
    answer: (ask, signal) => current.answer(ask, signal),
    summarise: (ask, signal) => current.summarise(ask, signal),
    highlight: (ask, signal) => current.highlight(ask, signal),
    clean: (ask, signal) => current.clean(ask, signal),
  }
  const { url, model, key } = settings
  return {
    llm,
    environment: url !== undefined && model !== undefined ? { url, model, key } : undefined,
    get choice() {
      return choice
    },
    use(chosen) {
      if (JSON.stringify(chosen) === JSON.stringify(choice)) return
      choice = chosen
      current = openLlm({ ...settingsNow(), onExchange })
    },
    watching: (onReport, work) => watcher.run(onReport, work),
  }
}
