// Runs callers' code outside our process: one sandbox per session and language. Where none works, code is refused with
// the reason.
import type { Log } from '../../../base/log.ts'
import { Problem } from '../../../base/problem.ts'
import type { LiveSession } from '../../../fetch/chrome/live/live-session.ts'
import { reasonBubblewrapFails } from './bubblewrap.ts'
import { findCgroupBase } from './cgroup.ts'
import type { CodeLanguage, RunBrowserCommand } from './code-language.ts'
import { reasonLandlockFails } from './landlock.ts'
import {
  type LanguageSandbox,
  makeSandboxFolder,
  openLanguageSandbox,
  type SandboxKind,
  type UnboundSandbox,
} from './language-sandbox.ts'
import { openPrewarmedSandboxes } from './prewarmed-sandboxes.ts'
import type { RunLimit, RunResult } from './runner.ts'
import { prepareRuntimeFolder, type RuntimeFolder } from './runtime-folder.ts'

export interface SessionSandbox {
  run(code: string, language: CodeLanguage, limit: RunLimit, signal: AbortSignal): Promise<RunResult>
  close(): Promise<void>
}

export interface CodeSandbox {
  /** Undefined when code can run here; otherwise the reason. */
  refusal(): Promise<string | undefined>
  forSession(session: LiveSession, agentBrowser: RunBrowserCommand): SessionSandbox
  close(): Promise<void>
}

/** `auto`: bubblewrap where it works, else a separate user per sandbox, else none. */
type SandboxChoice = 'auto' | SandboxKind | 'off'

interface SandboxContext {
  bundle: RuntimeFolder
  kind: SandboxKind
  cgroups: string | undefined
  refusal: string | undefined
}

const NO_BUNDLE: RuntimeFolder = { path: '', node: '', ownNode: '', python: undefined }
const makeRefusingContext = (refusal: string): SandboxContext => ({
  bundle: NO_BUNDLE,
  kind: 'bubblewrap',
  cgroups: undefined,
  refusal,
})

type SandboxParts = { version: string; log: Log; choice: SandboxChoice }

export function openSandbox({ version, log, choice }: SandboxParts): CodeSandbox {
  const users = new Set<number>()
  let ready: Promise<SandboxContext> | undefined
  const prepareOnce = () => {
    ready ??= prepare({ version, log, choice }, users).catch((error: Error) => {
      ready = undefined
      return makeRefusingContext(error.message)
    })
    return ready
  }
  const make = async (language: CodeLanguage): Promise<UnboundSandbox> => {
    const { bundle, kind, cgroups, refusal } = await prepareOnce()
    if (refusal) throw new Problem('no_sandbox', { because: refusal })
    if (language === 'python' && !bundle.python)
      throw new Problem('no_sandbox', { because: 'python3 is not installed on this machine' })
    return openLanguageSandbox(await makeSandboxFolder(users), { bundle, kind, language, cgroups })
  }
  const prewarmed = openPrewarmedSandboxes(make)
  return {
    refusal: async () => (await prepareOnce()).refusal,
    forSession(session, agentBrowser) {
      const sandboxes = new Map<CodeLanguage, Promise<LanguageSandbox>>()
      prewarmed.begin()
      return {
        async run(code, language, limit, signal) {
          let opening = sandboxes.get(language)
          if (!opening) {
            opening = prewarmed.take(language).then((one) => one.bind(session, agentBrowser))
            sandboxes.set(language, opening)
            opening.catch(() => sandboxes.delete(language))
          }
          return (await opening).run(code, limit, signal)
        },
        async close() {
          await Promise.allSettled([...sandboxes.values()].map(async (one) => (await one).close()))
          sandboxes.clear()
          prewarmed.end()
        },
      }
    },
    close: prewarmed.close,
  }
}

/** The first kind of sandbox that passes a trial run. */
async function prepare({ version, log, choice }: SandboxParts, users: Set<number>): Promise<SandboxContext> {
  if (choice === 'off') return makeRefusingContext('running code is switched off (ORB_CODE_SANDBOX)')
  const bundle = await prepareRuntimeFolder(version)
  const why: string[] = []
  for (const kind of choice === 'auto' ? (['bubblewrap', 'user'] as const) : [choice]) {
    const folder = await makeSandboxFolder(users)
    const check = kind === 'bubblewrap' ? reasonBubblewrapFails : reasonLandlockFails
    const refusal = await check(bundle, folder.path, folder.user).finally(() => folder.remove())
    if (refusal === undefined) return { bundle, kind, cgroups: findCgroupBase(), refusal }
    why.push(refusal)
  }
  const refusal = why.join('; without it: ')
  log.warn({ because: refusal }, 'code of callers cannot run here')
  return makeRefusingContext(refusal)
}
