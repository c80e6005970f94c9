import { describe, expect, it } from 'vitest'
import { startRunner } from './runner.ts'

const start = (
  command: string,
  args: string[],
  exceededLimit: () => Promise<string | undefined> = async () => undefined,
) =>
  startRunner({
    command,
    args,
    env: { PATH: '/usr/bin:/bin' },
    user: undefined,
    inputFile: undefined,
    onPipe: undefined,
    onReady() {},
    exceededLimit,
    kill() {},
    request: (code, mark) => `${mark} ${code}\n`,
  })
const shell = (script: string, ...more: [(() => Promise<string | undefined>)?]) =>
  start('/bin/sh', ['-c', script], ...more)
const minute = { leftMs: 60_000, timeoutMs: 60_000 }
const never = new AbortController().signal
/** Ends the output of a call. */
const MARK = 'echo "$mark"; echo "$mark" >&2'

describe('a program for the calls of a session', () => {
  it('that does not start is our failure, with what it printed', async () => {
    await expect(shell('echo no walls >&2; exit 1').run('x', minute, never)).rejects.toMatchObject({
      kind: 'session_failed',
      message: expect.stringContaining('did not start'),
    })
    await expect(start('/no/such/program', []).run('x', minute, never)).rejects.toMatchObject({
      kind: 'session_failed',
    })
  })

  it('that ends later ends the call with its code, and one that never answers is ended from outside', async () => {
    const ends = shell('echo "{}" >&3; read -r line <&4; echo words; exit 3')
    expect(await ends.run('x', minute, never)).toMatchObject({ exitCode: 3, killed: false, stdout: 'words\n' })
    expect(await shell('sleep 60').run('x', { leftMs: 200, timeoutMs: 3000 }, never)).toMatchObject({
      exitCode: 137,
      killed: true,
      stderr: 'The code took longer than 3 s and was ended.',
    })
  })

  it('that ends by a signal is reported as ended', async () => {
    const ended = await shell('echo "{}" >&3; read -r line <&4; echo words; kill -9 $$').run('x', minute, never)
    expect(ended).toMatchObject({ stdout: 'words\n', killed: true, stderr: 'The program was ended by signal 9.' })
  })

  it('whose answer has no end is cut, not waited for', async () => {
    const long = shell(
      `echo "{}" >&3; read -r mark line <&4; head -c 9000000 /dev/zero | tr "\\0" x >&3; echo >&3; ${MARK}; sleep 90`,
    )
    expect(await long.run('x', minute, never)).toMatchObject({ result: null, truncated: true, killed: false })
    long.kill()
  })

  it('that exceeds a limit between two calls is ended, and keeps the reason for the next', async () => {
    let exceeded: string | undefined
    const left = shell(`echo "{}" >&3; read -r mark line <&4; echo "{}" >&3; ${MARK}; sleep 60`, async () => exceeded)
    await left.run('x', minute, never)
    exceeded = 'took more than 640 MB of memory'
    await expect.poll(() => left.isAlive()).toBe(false)
    expect(await left.unreported()).toBe('The code took more than 640 MB of memory and was ended.')
  })

  it('that ends by itself between two calls leaves the reason for the next', async () => {
    const finishing = (last: string) => shell(`echo "{}" >&3; read -r line <&4; echo "{}" >&3; sleep 0.1; ${last}`)
    const [exits, killed] = [finishing('exit 3'), finishing('kill -9 $$')]
    for (const one of [exits, killed]) await one.run('x', minute, never)
    expect([await exits.unreported(), await killed.unreported()]).toEqual([
      'The program ended with status 3.',
      'The program was ended by signal 9.',
    ])
  })

  it('that prints without end is ended, and what it printed first is kept', async () => {
    const flood = await shell('echo "{}" >&3; read -r line <&4; echo first; exec yes').run('x', minute, never)
    expect(flood).toMatchObject({ killed: true, truncated: true, stderr: expect.stringContaining('printed more than') })
    expect(flood.stdout.slice(0, 8)).toBe('first\ny\n')
  })
})
