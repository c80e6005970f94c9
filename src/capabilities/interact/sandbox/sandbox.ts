// Code of strangers, never in our process: each session has one sandbox for each language it uses. Where a sandbox cannot be
// had, code is refused with the reason.
import type { Log } from '../../../base/log.ts'
import { Problem } from '../../../base/problem.ts'
import type { LiveSession } from '../../../fetch/chrome/live/live-session.ts'
import { type Bench, type LooseBench, openBench, openPlace, type WallKind } from './bench.ts'
import { whyNoWalls } from './bubblewrap.ts'
import { whyNoFence } from './fence.ts'
import { type Kit, makeKit } from './kit.ts'
import type { AgentBrowser, CodeLanguage } from './language.ts'
import type { Ran } from './runner.ts'
import { openSpares } from './spares.ts'

export interface Workbench {
  run(code: string, language: CodeLanguage, timeoutMs: number, signal: AbortSignal): Promise<Ran>
  close(): Promise<void>
}

export interface CodeSandbox {
  /** Undefined when code can run here; otherwise the reason why not. */
  refusal(): Promise<string | undefined>
  workbench(session: LiveSession, agentBrowser: AgentBrowser): Workbench
  close(): Promise<void>
}

/** `auto`: bubblewrap where it works, otherwise a user of its own for each sandbox, otherwise none. */
export type SandboxChoice = 'auto' | WallKind | 'off'

interface SandboxContext {
  kit: Kit
  walls: WallKind
  refusal: string | undefined
}

const NO_KIT: Kit = { path: '', node: '', ownNode: '', python: undefined }

export interface SandboxParts {
  version: string
  log: Log
  choice: SandboxChoice
}

export function openSandbox({ version, log, choice }: SandboxParts): CodeSandbox {
  const users = new Set<number>()
  let ready: Promise<SandboxContext> | undefined
  const prepared = () => {
    ready ??= prepare({ version, log, choice }, users).catch((error: Error) => {
      ready = undefined
      return { kit: NO_KIT, walls: 'bubblewrap' as const, refusal: error.message }
    })
    return ready
  }
  const make = async (language: CodeLanguage): Promise<LooseBench> => {
    const { kit, walls, refusal } = await prepared()
    if (refusal) throw new Problem('no_sandbox', { because: refusal })
    if (language === 'python' && !kit.python)
      throw new Problem('no_sandbox', { because: 'python3 is not installed on this machine' })
    return openBench(await openPlace(users), { kit, walls, language })
  }
  const spares = openSpares(make)
  return {
    refusal: async () => (await prepared()).refusal,
    workbench(session, agentBrowser) {
      const benches = new Map<CodeLanguage, Promise<Bench>>()
      spares.begin()
      return {
        async run(code, language, timeoutMs, signal) {
          let opening = benches.get(language)
          if (!opening) {
            opening = spares.take(language).then((bench) => bench.bind(session, agentBrowser))
            benches.set(language, opening)
            opening.catch(() => benches.delete(language))
          }
          return (await opening).run(code, timeoutMs, signal)
        },
        async close() {
          await Promise.allSettled([...benches.values()].map(async (bench) => (await bench).close()))
          benches.clear()
          spares.end()
        },
      }
    },
    close: spares.close,
  }
}

/** The first walls that stand here, tried with a program that does nothing. */
async function prepare({ version, log, choice }: SandboxParts, users: Set<number>): Promise<SandboxContext> {
  if (choice === 'off')
    return { kit: NO_KIT, walls: 'bubblewrap', refusal: 'running code is switched off (ORB_CODE_SANDBOX)' }
  const kit = await makeKit(version)
  const why: string[] = []
  for (const walls of choice === 'auto' ? (['bubblewrap', 'user'] as const) : [choice]) {
    const trial = await openPlace(users)
    const check = walls === 'bubblewrap' ? whyNoWalls : whyNoFence
    const refusal = await check(kit, trial.path, trial.user).finally(() => trial.leave())
    if (refusal === undefined) return { kit, walls, refusal }
    why.push(refusal)
  }
  const refusal = why.join('; without it: ')
  log.warn({ because: refusal }, 'code of callers cannot run here')
  return { kit, walls: 'bubblewrap', refusal }
}
