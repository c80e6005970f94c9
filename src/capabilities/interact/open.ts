// Puts the parts of live sessions together: tokens, sandbox, the other machines, and who does what words say.
import { randomBytes } from 'node:crypto'
import type { Log } from '../../base/log.ts'
import type { Clock } from '../../base/time.ts'
import type { Live } from '../../fetch/live.ts'
import type { Llm } from '../../llm/llm.ts'
import type { Store } from '../../store/index.ts'
import { type Interact, openInteract } from './interact.ts'
import { openPeers, type Peers } from './peers.ts'
import { openPrompter } from './prompt.ts'
import { openSandbox, type SandboxChoice } from './sandbox/sandbox.ts'
import { openTokens } from './tokens.ts'

export interface LiveServiceParts {
  store: Store
  live: Live
  llm: Llm
  clock: Clock
  log: Log
  version: string
  maker: string
  address: string | undefined
  /** How code of callers is shut in. */
  codeSandbox: SandboxChoice
  /** How near two words are in meaning, 0 to 1. */
  near(a: string, b: string): number
}

export async function openLiveService(parts: LiveServiceParts): Promise<{ interact: Interact; peers: Peers }> {
  const { store, clock, log, version, llm } = parts
  const secret = await store.settings.ensure('live_secret', () => randomBytes(32).toString('hex'))
  const tokens = openTokens(secret)
  const peers = openPeers(tokens, clock)
  const sandbox = openSandbox({ version, log, choice: parts.codeSandbox })
  const interact = await openInteract({ ...parts, tokens, peers, sandbox, prompter: openPrompter(llm, parts.near) })
  return { interact, peers }
}
