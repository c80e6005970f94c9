import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { lowerProcessPriority } from './cpu-priority.ts'

const linux = process.platform === 'linux'
const started: (() => unknown)[] = []
afterEach(() => Promise.all(started.splice(0).map((end) => end())))

describe.skipIf(!linux)('what works for one caller alone', () => {
  it('has a lower priority than we, in a session of its own as well', async () => {
    const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' })
    started.push(() => child.kill('SIGKILL'))
    lowerProcessPriority(child.pid, 'helpers')
    expect(getPriority(child.pid)).toBe(Math.min(19, getPriority() + 10))
    if (!existsSync('/proc/self/autogroup')) return
    const niceOf = (of: string | number) =>
      Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${of}/autogroup`, 'utf8'))?.[1] ?? 0)
    expect(niceOf(child.pid!)).toBe(Math.min(19, niceOf('self') + 10))
  })
})
