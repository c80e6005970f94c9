// Wires live sessions: tokens, sandbox, peers, and the prompt handler.
import { randomBytes } from 'node:crypto'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import { openLinkTokens } from './link-tokens.ts'
import type { InteractServices } from './own-services.ts'
import { openPeerRequests } from './peer-requests.ts'
import { openRecordingVideos } from './recording-video.ts'
import { makePromptRunner } from './run-session-prompt.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import { openSessionService } from './session-service.ts'
import { handleSessionSockets } from './session-websockets.ts'

export async function openInteractServices(context: CapabilityContext): Promise<OpenedCapability<InteractServices>> {
  const { store, clock, log, version, llm, config, closing } = context
  const { internalUrl: address, codeSandbox: choice, liveViewFrames: frames } = config
  const secret = await store.settings.ensure('live_secret', () => randomBytes(32).toString('hex'))
  const tokens = openLinkTokens(secret)
  const peers = openPeerRequests(tokens, clock)
  const sandbox = openSandbox({ version, log, choice })
  const prompter = makePromptRunner(llm)
  const vaultFor = (team: string, keyId: string | undefined) => context.services().vaultFor(team, keyId)
  const queue = () => context.services().queue
  const browserSessions = await openSessionService({
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
    services: { browserSessions },
    own: { peers, replays: openRecordingVideos(context) },
    upgrade: handleSessionSockets(browserSessions),
  }
}
