// Runs stored flows for the browser engine, which knows neither flows nor the vault.
import { callContext } from '../../base/call-context.ts'
import { Problem } from '../../base/problem.ts'
import { type Flow, fillParameters, listFlowParameters } from '../../driving/flow-steps-and-element-descriptors.ts'
import { runFlow } from '../../driving/run-flow.ts'
import type { VaultAccess } from '../../driving/sign-in.ts'
import { assertFlowsAllowed } from '../../teams/key-restrictions.ts'
import { mayUseVault } from '../../teams/key-rights.ts'
import { findValidKey } from '../../teams/keys.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import { flowStore } from './store/index.ts'

export function openFlowRunner({ store, clock, config }: CapabilityContext): OpenedCapability<object> {
  const { flows, vault } = flowStore(store)
  const allowLoopbackHttp = config.vaultLoopbackHttp === 'on'
  const validKey = (keyId: string | undefined) => findValidKey(store, keyId, clock.now())
  const vaultFor = (team: string, keyId: string | undefined, flow?: string): VaultAccess => ({
    async vault(name) {
      const key = await validKey(keyId)
      if (!key || !mayUseVault(key)) return 'this needs a key with the right `vault`'
      const entry = await vault.get(team, name)
      if (!entry) return `the vault has no entry "${name}"`
      if (entry.keys && !entry.keys.includes(key.id)) return `this key may not use the vault entry "${name}"`
      if (entry.flows && !(flow && entry.flows.includes(flow)))
        return `the vault entry "${name}" is for other flows: ${entry.flows.join(', ')}`
      return entry
    },
    nowMs: () => clock.now(),
    allowLoopbackHttp,
  })
  return {
    services: {
      vaultFor,
      async flowStart(team, name, given) {
        const key = await validKey(callContext().keyId)
        if (key) assertFlowsAllowed(key)
        const flow = await flows.get(team, name)
        if (!flow) throw new Problem('flow_not_found', { because: `"${name}"` })
        return startUrlOfFlow(flow, resolveFlowParameters(flow, given, false))
      },
      async runFlow(page, action, { team = '', endsAt, guard }, signal) {
        const { name, version } = action
        const key = await validKey(callContext().keyId)
        if (!key) throw new Problem('forbidden', { because: 'the key that runs this flow was revoked' })
        assertFlowsAllowed(key)
        const flow = action.vault ? loginFlow(action.vault) : await flows.get(team, name, version)
        if (!flow) throw new Problem('flow_not_found', { because: `"${name}"` })
        const values = resolveFlowParameters(flow, action.with, action.private === true)
        const options = { ends: endsAt, guard, ...vaultFor(team, key.id, action.vault ? undefined : name) }
        return runFlow(page, { name, version: flow.version, flow }, values, options, signal)
      },
    },
  }
}

export function startUrlOfFlow({ steps: [first] }: Flow, values: Readonly<Record<string, string>>): string {
  if (first?.type !== 'open')
    throw new Problem('bad_request', {
      because: 'the flow does not begin with an `open` step; run it as an action of a scrape',
    })
  const { url } = fillParameters(first, values) as { url: string }
  if (!URL.canParse(url)) throw new Problem('invalid_url', { because: `the first step opens "${url.slice(0, 200)}"` })
  return url
}

/** What the action `login` does. */
const loginFlow = (vault: string): Flow & { version: number } => ({
  version: 1,
  parameters: {},
  steps: [{ type: 'login', vault }],
})

/** The values of all parameters; throws when one is missing or unknown. */
export function resolveFlowParameters(
  { parameters, steps }: Flow,
  given: Readonly<Record<string, string>>,
  takesSecrets: boolean,
): Record<string, string> {
  const names = listFlowParameters(steps)
  const list = (all: readonly string[]) => all.map((name) => `\`${name}\``).join(', ')
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Problem('bad_request', {
      because: `the flow has no parameter ${list(unknown)}; it has ${list(names) || 'none'}`,
    })
  const secret = names.filter((name) => parameters[name]?.secret && given[name] !== undefined)
  if (secret.length > 0 && !takesSecrets)
    throw new Problem('bad_request', {
      because: `${list(secret)} is secret, and the values of an action are stored; use \`POST /v2/flow/{name}/run\` or a vault entry`,
    })
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name] ?? parameters[name]?.default
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const missing = names.filter((name) => values[name] === undefined)
  if (missing.length > 0) throw new Problem('bad_request', { because: `\`with\` lacks ${list(missing)}` })
  return values
}
