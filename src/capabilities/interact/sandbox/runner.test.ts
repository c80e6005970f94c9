import { describe, expect, it } from 'vitest'
import { startRunner } from './runner.ts'

const start = (command: string, args: string[]) =>
  startRunner({
    command,
    args,
    env: { PATH: '/usr/bin:/bin' },
    user: undefined,
    maxBytes: 1e9,
    guard: undefined,
    onPipe: undefined,
    order: (code, mark) => `${mark} ${code}\n`,
    onEnd() {},
  })
const never = new AbortController().signal

describe('a program for the calls of a session', () => {
  it('that does not start is our failure, with what it said', async () => {
    await expect(start('/bin/sh', ['-c', 'echo no walls >&2; exit 1']).run('x', 5000, never)).rejects.toMatchObject({
      kind: 'session_failed',
      message: expect.stringContaining('did not start'),
    })
    await expect(start('/no/such/program', []).run('x', 5000, never)).rejects.toMatchObject({ kind: 'session_failed' })
  })

  it('that ends later ends the call with its code, and one that never answers is ended from outside', async () => {
    const ends = start('/bin/sh', ['-c', 'echo "{}" >&3; read -r line <&4; echo words; exit 3'])
    expect(await ends.run('x', 5000, never)).toMatchObject({ exitCode: 3, killed: false, stdout: 'words\n' })
    const silent = start('/bin/sh', ['-c', 'sleep 60'])
    expect(await silent.run('x', 200, never)).toMatchObject({ exitCode: 137, killed: true })
  })
})
