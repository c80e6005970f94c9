// The npm package as a stranger gets it: packed, laid into an empty folder beside nothing but production packages (taken
// from the checkout, so that nothing is fetched), and started by its own command. `npm run platforms` installs it with npm.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programs } from '../../scripts/bundle.mjs'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'orb-package-'))
const installed = join(folder, 'node_modules', 'orbweaver')
let files: string[]

beforeAll(() => {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { filename: string; files: { path: string }[] }[]
  const [tarball] = packed
  files = tarball?.files.map(({ path }) => path) ?? []
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['xzf', join(folder, tarball?.filename ?? ''), '--strip-components=1', '-C', installed])
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  for (const [path, { dev }] of Object.entries(packages)) {
    const isTop = path.lastIndexOf('node_modules/') === 0
    if (!isTop || dev || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): string =>
  execFileSync(process.execPath, [join(installed, 'bin', 'orbweaver.mjs'), ...args], { cwd: folder, encoding: 'utf8' })

describe('the npm package', () => {
  it('holds the built service with its dashboard, and no sources', () => {
    const tops = new Set(files.map((path) => path.split('/')[0]))
    expect([...tops].sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json'])
    expect(files).toContain('dist/dashboard/index.html')
    expect(files).toContain('dist/licences.txt')
    expect(files).toContain('dist/fetch/chrome/page-scripts/serialize-html.js')
    expect(files).toContain('dist/capabilities/interact/inside/python-runner.py')
    expect(files).toEqual(expect.arrayContaining(programs.map((name) => `dist/${name}.js`)))
    expect(files.filter((path) => /\.(?:ts|tsx|map)$/.test(path))).toEqual([])
  })

  it('lists every package that is installed or bundled', () => {
    const { components } = JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8')) as {
      components: { name: string; purl: string; properties: { value: string }[] }[]
    }
    const named = (isBundled: boolean) =>
      components.filter(({ properties: [bundled] }) => bundled?.value === String(isBundled)).map(({ name }) => name)
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(named(false)).toEqual(
      expect.arrayContaining([...Object.keys(dependencies), 'wreq-js', 'node-web-audio-api']),
    )
    expect(named(false)).not.toContain('vitest')
    const licences = readFileSync(join(installed, 'dist/licences.txt'), 'utf8')
    const inside = [...`\n${'-'.repeat(80)}\n\n${licences}`.matchAll(/\n-{80}\n\n(\S+) \d/g)].map(([, name]) => name)
    expect(inside.length).toBeGreaterThan(40)
    expect(named(true)).toEqual(expect.arrayContaining([...inside, 'preact', 'dompurify']))
    expect(components.find(({ name }) => name === 'zod')?.purl).toMatch(/^pkg:npm\/zod@\d+\.\d+\.\d+$/)
  })

  it('is ASCII where it is large, so that V8 stores the code with one byte per character', () => {
    const chunks = files.filter((path) => path.startsWith('dist/chunks/'))
    const large = chunks.map((path) => readFileSync(join(installed, path))).filter(({ length }) => length > 250_000)
    expect(large.length).toBeGreaterThan(3)
    expect(large.filter((code) => code.some((byte) => byte > 127))).toEqual([])
  })

  it('answers commands, and makes no data folder by it', () => {
    expect(run('version')).toMatch(/^Orbweaver \d+\.\d+\.\d+ on Node/)
    expect(() => run('keys')).toThrow(/There is no Orbweaver data in .*data/)
    expect(readdirSync(folder)).not.toContain('data')
  })

  it('starts without a word, scrapes, shows its dashboard and ends when it is told to', async () => {
    const service = spawn(process.execPath, [join(installed, 'bin', 'orbweaver.mjs')], {
      cwd: folder,
      env: { ...process.env, ORB_PORT: '0', ORB_AUTH: 'off', ORB_CHROMIUM: '/nonexistent', ORB_LOG_LEVEL: 'silent' },
    })
    const gone = new Promise<number | null>((done) => service.once('exit', done))
    let said = ''
    const url = await new Promise<string>((found, failed) => {
      service.stdout.on('data', (chunk) => {
        said += chunk
        const [, port] = /http:\/\/localhost:(\d+)/.exec(said) ?? []
        if (port) found(`http://127.0.0.1:${port}`)
      })
      service.stderr.on('data', (chunk) => {
        said += chunk
      })
      service.once('exit', () => failed(new Error(`it ended: ${said}`)))
    })
    try {
      expect(said.startsWith('Orbweaver is starting')).toBe(true)
      const page = await fetch(url, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain('<script')
      const post = async (body: object) => {
        const answer = await fetch(`${url}/v2/parse`, { method: 'POST', body: form(body) })
        return (await answer.json()) as { success: boolean; data?: { markdown?: string } }
      }
      expect((await post({ formats: ['markdown'] })).data?.markdown).toContain('Hello')
    } finally {
      service.kill('SIGTERM')
    }
    expect(await gone).toBe(0)
  })
})

function form(options: object): FormData {
  const data = new FormData()
  data.set('file', new Blob(['<h1>Hello</h1><p>from a file</p>'], { type: 'text/html' }), 'hello.html')
  data.set('options', JSON.stringify(options))
  return data
}
