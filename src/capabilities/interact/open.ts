// Wires live sessions: tokens, sandbox, peers, and the prompt handler.
import { randomBytes } from 'node:crypto'
import type { CapabilityContext, Opened } from '../opened-services.ts'
import { openInteract } from './interact.ts'
import type { InteractServices } from './needs.ts'
import { openPeers } from './peer-requests.ts'
import { openPrompter } from './prompt.ts'
import { openReplays } from './replay-video.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import { sessionSockets } from './sockets.ts'
import { openTokens } from './tokens.ts'

export async function openSessions(context: CapabilityContext): Promise<Opened<InteractServices>> {
  const { store, clock, log, version, llm, config, closing } = context
  const { internalUrl: address, codeSandbox: choice, liveViewFrames: frames } = config
  const secret = await store.settings.ensure('live_secret', () => randomBytes(32).toString('hex'))
  const tokens = openTokens(secret)
  const peers = openPeers(tokens, clock)
  const sandbox = openSandbox({ version, log, choice })
  const prompter = openPrompter(llm)
  const vaultFor = (team: string) => context.services().flows.vaultFor(team)
  const queue = () => context.services().jobs.queue
  const browserSessions = await openInteract({
    ...context,
    address,
    tokens,
    peers,
    sandbox,
    prompter,
    vaultFor,
    queue,
    frames,
  })
  // Sessions end with the process.
  closing.add(() => browserSessions.stop())
  return {
    services: { sessions: { browserSessions } },
    own: { peers, replays: openReplays(context) },
    upgrade: sessionSockets(browserSessions),
  }
}
