// Decides whether Chromium's sandbox is used. It is on, except for root in a container (Chromium refuses it there, and
// the container isolates instead) or when the operator turns it off.
import { existsSync, readFileSync } from 'node:fs'
import { valueOr } from '../../base/attempt.ts'

export type SandboxMode = 'auto' | 'on' | 'off'

interface BrowserSandbox {
  on: boolean
  note?: string
}

const MARKS = ['/.dockerenv', '/run/.containerenv', '/run/systemd/container']
const CONTAINER = /docker|kubepods|containerd|libpod|lxc|garden/
/** Process 1 of a full system; in a container it is the service or a helper. */
const INIT_PROCESS_NAME = /^(systemd|init|openrc-init|runit|s6-svscan|busybox|launchd)$/

export function chooseSandbox(
  options: SandboxMode,
  isRoot = process.getuid?.() === 0,
  contained = inContainer,
): BrowserSandbox {
  if (options === 'off')
    return { on: false, note: 'Chromium runs without its own sandbox, because ORB_BROWSER_SANDBOX is off.' }
  if (options === 'on' || !isRoot || !contained()) return { on: true }
  return {
    on: false,
    note: 'Chromium runs without its own sandbox, because the service is root in a container. Run it as another user.',
  }
}

export const describeSandboxFix = (isRoot = process.getuid?.() === 0): string =>
  isRoot
    ? 'as root Chromium has no sandbox: run the service as another user, or set ORB_BROWSER_SANDBOX=off'
    : "if this system lacks what Chromium's sandbox needs (user namespaces), allow it, or set ORB_BROWSER_SANDBOX=off"

function inContainer(): boolean {
  if (MARKS.some((mark) => existsSync(mark))) return true
  if (CONTAINER.test(textOf('/proc/1/cgroup'))) return true
  const first = textOf('/proc/1/comm').trim()
  return first !== '' && !INIT_PROCESS_NAME.test(first)
}

const textOf = (path: string): string => valueOr('', () => readFileSync(path, 'utf8'))
