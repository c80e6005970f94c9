// Finds, measures and kills our browser processes through /proc. The mark on their command line identifies orphans of a
// killed service.
import { readdirSync, readFileSync } from 'node:fs'
import { valueOr } from '../../base/attempt.ts'

interface BrowserProcess {
  pid: number
  residentBytes: number
}

const PAGE_BYTES = 4096

export function findBrowsersByMark(mark: string): number[] {
  return pids().filter((pid) => {
    const line = commandLine(pid)
    return line.includes(mark) && kindOf(line) === ''
  })
}

/** Groups of all processes. They do not change, so a list taken every second reads new processes only. */
let knownGroups = new Map<number, number>()

export function listBrowserProcesses(browserPid: number): BrowserProcess[] {
  knownGroups = new Map(pids().map((pid) => [pid, knownGroups.get(pid) ?? processGroupOf(pid)]))
  return [...knownGroups].flatMap(([pid, group]) =>
    group === browserPid ? [{ pid, residentBytes: residentBytes(pid) }] : [],
  )
}

export const isRenderer = ({ pid }: BrowserProcess): boolean => kindOf(commandLine(pid)) === 'renderer'

export function killBrowser(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {}
  }
}

export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

const kindOf = (line: string): string => /(?:^|[\0 ])--type=([a-z-]+)/.exec(line)?.[1] ?? ''

const pids = (): number[] =>
  valueOr([], () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
  )

const read = (path: string): string => valueOr('', () => readFileSync(path, 'latin1'))

const commandLine = (pid: number): string => read(`/proc/${pid}/cmdline`)

/** The third field after the process name, which may contain spaces and brackets. */
export function processGroupOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2] ?? 0)
}

const residentBytes = (pid: number): number => (Number(read(`/proc/${pid}/statm`).split(' ')[1]) || 0) * PAGE_BYTES
