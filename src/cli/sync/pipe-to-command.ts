// Chunks as JSONL on the standard input of a command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandExitError, exitCodes } from '../command.ts'

export async function pipeChunksToCommand(
  command: string,
  lines: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], signal })
  const ended = once(child, 'close')
  const text = function* () {
    for (const line of lines) yield `${line}\n`
  }
  // A command that stops reading says why with its exit code.
  await pipeline(Readable.from(text()), child.stdin).catch(() => undefined)
  const [code] = (await ended) as [number | null]
  if (code !== 0)
    throw new CommandExitError(
      `The command of --to exited with ${code ?? 'a signal'}: ${command}`,
      exitCodes.failed.code,
    )
}
