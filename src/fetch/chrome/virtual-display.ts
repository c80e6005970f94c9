// A virtual display (Xvfb) for one headful browser. Displays are not shared: browsers on one display share a clipboard.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killProcess } from './browser-processes.ts'

export interface VirtualDisplay {
  /** Such as `:99`. */
  name: string
  end(): void
}

export const VIRTUAL_SCREEN_SIZE = { width: 1920, height: 1080 }
export const X11_SOCKET_FOLDER = '/tmp/.X11-unix'
const READY_MS = 10_000
/** Xvfb ends this long after its last client has left; a starting browser may connect more than once. */
const TERMINATE_SECONDS = 5

/** Command-line argument by which a later service finds displays that this one left running. */
export const displayMark = (mark: string): string => `--orb-display=${mark}`

export const findXvfb = (): string | undefined =>
  process.platform === 'linux' ? ['/usr/bin/Xvfb', '/usr/local/bin/Xvfb'].find((path) => existsSync(path)) : undefined

/** Writes the key that clients of our displays must show, and returns its path. Without one any local user may connect. */
export async function writeDisplayKey(dataDir: string): Promise<string> {
  const folder = resolve(dataDir, 'browser')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Xvfb makes the folder of its sockets only as root.
  await mkdir(X11_SOCKET_FOLDER)
    .then(() => chmod(X11_SOCKET_FOLDER, 0o1777))
    .catch(() => {})
  const path = join(folder, 'display-key')
  await writeFile(path, xauthority(randomBytes(16)), { mode: 0o600 })
  return path
}

/** The format of Xauthority: family, address, display, name and data; this family holds for any address and display. */
function xauthority(cookie: Buffer): Buffer {
  const prefixWithLength = (bytes: Buffer) => Buffer.concat([Buffer.from([0, bytes.length]), bytes])
  const parts = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from('MIT-MAGIC-COOKIE-1'), cookie]
  return Buffer.concat([Buffer.from([0xff, 0xff]), ...parts.map(prefixWithLength)])
}

export async function openDisplay(program: string, key: string, mark: string): Promise<VirtualDisplay> {
  const screen = `${VIRTUAL_SCREEN_SIZE.width}x${VIRTUAL_SCREEN_SIZE.height}x24`
  const args = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-auth', key]
  const child = spawn(program, [...args, '-terminate', String(TERMINATE_SECONDS)], {
    argv0: `Xvfb ${displayMark(mark)}`,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) killProcess(child.pid)
  }
  child.unref()
  const ready = new Promise<string>((take, refuse) => {
    let text = ''
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.includes('\n')) take(text.trim())
    })
    child.once('error', refuse)
    child.once('exit', (code) => refuse(new Error(`Xvfb ended with ${code}`)))
  })
  const late = sleep(READY_MS, undefined, { ref: false }).then(() => {
    throw new Error('Xvfb did not start in time')
  })
  try {
    return { name: `:${await Promise.race([ready, late])}`, end }
  } catch (error) {
    end()
    throw error
  } finally {
    child.stdio[3]?.destroy()
  }
}
