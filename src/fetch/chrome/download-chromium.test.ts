// Each road to a browser, with programs that are shell scripts: what is found, in which order, and what is fetched.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ChromiumDownloadContext, findOrDownloadChromium } from './download-chromium.ts'
import { findChromium } from './find-chromium.ts'
import { listPlaywrightChromiumPaths, listSystemChromiumPaths } from './list-chromium-paths.ts'

const never = new AbortController().signal
let folder: string
let cache: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orb-roads-'))
  cache = join(folder, 'cache')
  home = join(folder, 'home')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const script = (path: string, text: string): string => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}
const browserAt = (path: string) => script(path, 'echo "Chromium 158.0.8127.18"')
/** A machine without a browser of its own, of a kind that npm has none for. */
const bare = () => ({ platform: 'darwin' as const, arch: 'arm64', home })
const options = (given?: string) => ({ given, cacheDirs: [cache], machine: bare() })
/** No road is open unless told. */
const closed = (lines: string[] = []): ChromiumDownloadContext => ({
  cacheDir: cache,
  say: (line) => lines.push(line),
  run: async () => false,
  reaches: async () => false,
  isRoot: false,
  machine: bare(),
  aptGet: join(folder, 'apt-get'),
  osRelease: join(folder, 'os-release'),
})

describe('a browser that is here', () => {
  it('is the operator’s when one is named, and no other when that does not run', async () => {
    const own = browserAt(join(folder, 'own'))
    browserAt(join(home, 'Applications/Chromium.app/Contents/MacOS/Chromium'))
    expect((await findChromium(options(own))).path).toBe(own)
    await expect(findChromium(options(join(folder, 'none')))).rejects.toThrow('ORB_CHROMIUM names')
    await expect(findChromium(options(script(join(folder, 'stub'), 'exit 1')))).rejects.toThrow('does not run')
  })

  it('is the system’s before Playwright’s, and a stub that runs nothing is passed over', async () => {
    const cached = browserAt(join(home, 'Library/Caches/ms-playwright/chromium-1254/chrome-mac/headless_shell'))
    const system = join(home, 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
    script(system, 'echo "install it first" >&2; exit 1')
    expect((await findChromium(options())).path).toBe(cached)
    browserAt(system)
    expect((await findChromium(options())).path).toBe(system)
  })

  it('is looked for where each system has it, and in what Playwright fetched: the newest shell first', () => {
    expect(listSystemChromiumPaths({ platform: 'linux', home })[0]).toBe('/usr/bin/chromium-headless-shell')
    expect(listSystemChromiumPaths({ platform: 'darwin', home })[0]).toBe(
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    )
    for (const name of ['chromium-1300', 'chromium_headless_shell-99', 'chromium_headless_shell-1254', 'ffmpeg-1'])
      mkdirSync(join(cache, name, 'chrome-linux'), { recursive: true })
    const order = listPlaywrightChromiumPaths(cache).map((path) => path.slice(cache.length + 1).split('/')[0])
    expect([...new Set(order)]).toEqual(['chromium_headless_shell-1254', 'chromium_headless_shell-99', 'chromium-1300'])
    expect(listPlaywrightChromiumPaths(join(folder, 'absent'))).toEqual([])
  })

  it('is the one that npm brought, on the machines it is for', async () => {
    const here = { platform: process.platform, arch: process.arch, home }
    const found = await findChromium({
      given: undefined,
      cacheDirs: [join(homedir(), '.cache', 'orbweaver'), cache],
      machine: here,
    }).catch((error: Error) => error)
    if (process.platform === 'linux' && process.arch === 'x64') expect(found).toHaveProperty('path')
    await expect(findChromium(options())).rejects.toThrow('`orbweaver browser` installs one')
  })
})

describe('a browser that is not here', () => {
  it('comes from Playwright’s download, when its host is known here', async () => {
    const lines: string[] = []
    const commands: string[] = []
    const { path } = await findOrDownloadChromium(
      options(),
      {
        ...closed(lines),
        reaches: async () => true,
        run: async (command) => {
          commands.push(command.join(' '))
          browserAt(join(cache, 'playwright/chromium_headless_shell-1254/chrome-mac/headless_shell'))
          return true
        },
      },
      never,
    )
    expect(path).toContain('playwright/chromium_headless_shell-1254')
    expect(commands).toHaveLength(1)
    expect(commands[0]).toMatch(/PLAYWRIGHT_BROWSERS_PATH=.*cli\.js install chromium-headless-shell$/)
    expect(lines).toEqual(['No Chromium on this machine: getting one from Playwright’s download …'])
  })

  it('comes from npm’s registry, for the machines that it has one for', async () => {
    const commands: string[] = []
    const run: ChromiumDownloadContext['run'] = async (command) => {
      commands.push(command.join(' '))
      return false
    }
    const machine = { platform: 'linux', arch: 'x64' }
    await expect(findOrDownloadChromium(options(), { ...closed(), machine, run }, never)).rejects.toThrow(
      'none could be fetched',
    )
    expect(commands).toEqual([
      expect.stringMatching(/^npm install --prefix .*cache\/npm .*@sparticuz\/chromium@[\d.]+$/),
    ])
    commands.length = 0
    await expect(findOrDownloadChromium(options(), { ...closed(), run }, never)).rejects.toThrow(
      'none could be fetched',
    )
    expect(commands).toEqual([])
  })

  it('comes from Debian’s packages, for root on a Debian', async () => {
    writeFileSync(join(folder, 'os-release'), 'PRETTY_NAME="Ubuntu 24.04"\nID=ubuntu\nID_LIKE=debian\n')
    const system = join(home, 'Applications/Chromium.app/Contents/MacOS/Chromium')
    mkdirSync(dirname(system), { recursive: true })
    const log = join(folder, 'log')
    script(
      join(folder, 'apt-get'),
      `echo "$@" >> ${log}\ncase "$*" in *install*) printf '#!/bin/sh\\necho Chromium 158.0.1\\n' > "${system}"; chmod 755 "${system}";; esac`,
    )
    const { run: _run, ...sources } = closed()
    await expect(findOrDownloadChromium(options(), sources, never)).rejects.toThrow('none could be fetched')
    expect((await findOrDownloadChromium(options(), { ...sources, isRoot: true }, never)).path).toBe(system)
    expect(readFileSync(log, 'utf8')).toMatch(/^-qq update\n.*install chromium-headless-shell\n$/)
  })

  it('is reported with what to do, when no source is available or all fail', async () => {
    await expect(findOrDownloadChromium(options(), closed(), never)).rejects.toThrow(
      /apt install chromium-headless-shell.*ORB_CHROMIUM/,
    )
    const failing = { ...closed(), reaches: async () => true }
    await expect(findOrDownloadChromium(options(), failing, never)).rejects.toThrow('none could be fetched')
    await expect(findOrDownloadChromium(options(join(folder, 'none')), failing, never)).rejects.toThrow(
      'ORB_CHROMIUM names',
    )
  })
})
