// What a key may spend on the language model in a calendar month (UTC): tokens, and money by the configured prices.

import { callContext } from '../base/call-context.ts'
import type { Clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import type { ModelMeter } from '../llm/llm.ts'
import type { Store } from '../store/index.ts'
import type { Caller } from './keys.ts'
import type { UsageCountStore } from './store/usage-count-store.ts'
import type { UsageMeter } from './usage-meter.ts'

/** The endpoint under which usage lists it. */
const MODEL_ENDPOINT = 'model'

type ModelUse = { tokensPerMonth: number | null; costPerMonth: number | null; tokens: number; cost: number }

type Limits = Pick<Caller, 'teamId' | 'keyId' | 'modelTokensPerMonth' | 'modelCostPerMonth'>

export interface ModelBudget extends ModelMeter {
  /** Rejects with 402 when the month's tokens or money of this key are spent. */
  assertNotSpent(caller: Limits): Promise<void>
  useOf(caller: Limits): Promise<ModelUse>
}

interface BudgetParts {
  store: Pick<Store, 'keys'>
  usage: Pick<UsageCountStore, 'sums'>
  meter: Pick<UsageMeter, 'model' | 'flush'>
  clock: Clock
}

export function openModelBudget({ store, usage, meter, clock }: BudgetParts): ModelBudget {
  async function useOf(caller: Limits): Promise<ModelUse> {
    const { teamId, keyId, modelTokensPerMonth = null, modelCostPerMonth = null } = caller
    await meter.flush()
    const now = clock.now()
    const by = ['key'] as const
    const rows = await usage.sums({ teamId, fromMs: startOfMonth(now), toMs: now, by })
    const { modelTokens = 0, modelCost = 0 } = rows.find((row) => row.keyId === keyId) ?? {}
    return {
      tokensPerMonth: modelTokensPerMonth,
      costPerMonth: modelCostPerMonth,
      tokens: modelTokens,
      cost: modelCost,
    }
  }

  async function spentText(caller: Limits): Promise<string | undefined> {
    if ((caller.modelTokensPerMonth ?? null) === null && (caller.modelCostPerMonth ?? null) === null) return undefined
    const { tokensPerMonth, costPerMonth, tokens, cost } = await useOf(caller)
    if (tokensPerMonth !== null && tokens >= tokensPerMonth)
      return `this key has used ${tokens} of the ${tokensPerMonth} tokens of the language model that it may use in a month`
    if (costPerMonth !== null && cost >= costPerMonth)
      return `this key has spent ${cost.toFixed(2)} of the ${costPerMonth} that the language model may cost it in a month`
    return undefined
  }

  return {
    useOf,
    async assertNotSpent(caller) {
      const because = await spentText(caller)
      if (because) throw new Problem('no_credit', { because })
    },
    async spentText() {
      const keyId = callContext().keyId
      const key = keyId === undefined ? undefined : await store.keys.get(keyId)
      return key && spentText({ ...key, keyId: key.id })
    },
    count({ inputTokens, outputTokens, cost = 0 }) {
      const teamId = callContext().teamId
      const keyId = callContext().keyId ?? null
      if (teamId !== undefined && inputTokens + outputTokens > 0)
        meter.model({ teamId, keyId, endpoint: MODEL_ENDPOINT }, inputTokens + outputTokens, cost)
    },
  }
}

function startOfMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
