// `orb` as people and scripts use it, against a running service: commands from the schemas, jobs watched, exit codes.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deriveOperations } from '../../src/capabilities/derive-operations.ts'
import { capabilities } from '../../src/capabilities/index.ts'
import { toKebabCase } from '../../src/capabilities/operation.ts'
import { closedPort, emptyFolder, type Json, launch, runToEnd, TEST_KEY } from './service.ts'
import { shared } from './shared.ts'

const folder = mkdtempSync(join(tmpdir(), 'orb-cli-'))

const page = (title: string, body: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1>${body}</main>`
const html =
  (text: string, ms = 0) =>
  ({ response }: { response: import('node:http').ServerResponse }) => {
    setTimeout(() => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(text)
    }, ms)
  }
const PAGES = 6
/** The last page comes when it is resolved. */
let lastPage = Promise.resolve()
const linked = {
  '/linked': html(page('Start', Array.from({ length: PAGES }, (_, at) => `<a href="/linked/${at}">p</a>`).join(' '))),
  ...Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => [`/linked/${at}`, html(page(`Page ${at}`, '<p>Words of it.</p>'), 150)]),
  ),
  [`/linked/${PAGES - 1}`]: (scene: Parameters<ReturnType<typeof html>>[0]) =>
    void lastPage.then(() => html(page('Last', '<p>Words of it.</p>'))(scene)),
  '/linked/odd': html(page('Odd \u001b[31mred\u001b[0m', '<p>Words.</p>')),
}
const { site, service } = shared(linked)

/** With the address and key of the service, as a user would have set them. */
const orb = (...args: string[]) => runToEnd({ ORB_URL: service.url, ORB_API_KEY: service.key }, args)

describe('commands from the schemas', () => {
  it('scrape prints the page, and with --json the answer', async () => {
    const plain = await orb('scrape', `${site.url}/article`)
    expect(plain.code).toBe(0)
    expect(plain.out).toMatch(/^# /m)
    const { out } = await orb('scrape', `${site.url}/article`, '--formats', 'markdown,links', '--json')
    expect(JSON.parse(out)).toMatchObject({ success: true, data: { metadata: { statusCode: 200 } } })
    expect(Array.isArray(JSON.parse(out).data.links)).toBe(true)
  })

  it('runs the command that a typed request means, and names it', async () => {
    const read = await orb(`get the links of ${site.url}/linked`, '--json')
    expect(read.code, read.err).toBe(0)
    expect(JSON.parse(read.out).data.links).toContain(`${site.url}/linked/0`)
    expect(read.err).toMatch(/^Links: orb scrape --url=.*\nOr /m)
    const nothing = await orb('do', ' ')
    expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('a URL, or a verb') })
  })

  it('teaches an extractor by a page and a file of its values, and reads with it', async () => {
    const file = join(folder, 'values.json')
    writeFileSync(file, JSON.stringify({ title: 'Page 1' }))
    const taught = await orb('extractor', 'teach', `${site.url}/linked/1`, '--data', file, '--name', 'pages', '--json')
    expect(taught.code, taught.err).toBe(0)
    const formats = JSON.stringify([{ type: 'json', extractor: 'pages' }])
    const read = await orb('scrape', `${site.url}/linked/2`, '--formats', formats, '--json')
    expect(JSON.parse(read.out).data.json, read.err).toEqual({ title: 'Page 2' })
    expect((await orb('extractor', 'teach', site.url, '--data', join(folder, 'none.json'))).code).toBe(2)
    const { program } = JSON.parse((await orb('extractor', 'show', 'pages', '--json')).out).data
    writeFileSync(file, JSON.stringify(program))
    const edited = await orb('extractor', 'edit', 'pages', '--program', `@${file}`, '--json')
    expect(JSON.parse(edited.out).data, edited.err).toMatchObject({ version: 2, made: 'edited' })
    expect((await orb('extractor', 'teach', '--program', `@${file}`, '--name', 'copy', '--json')).code).toBe(0)
    const tested = await orb('extractor', 'test', 'copy', `${site.url}/linked/3`, '--json')
    expect(JSON.parse(tested.out).data, tested.err).toMatchObject([{ json: { title: 'Page 3' } }])
    expect((await orb('extractor', 'list')).out).toMatch(/copy[\s\S]*pages/)
    const picked = await orb('extractor', 'teach', 'https://shop.example/p/1', '--pick')
    expect(picked.out, picked.err).toMatch(/#code=[\w-]+\/extractors\/new\?url=https%3A%2F%2Fshop\.example%2Fp%2F1\n$/)
    expect((await orb('extractor', 'teach', '--pick')).code).toBe(2)
  })

  it('takes flags of every kind: lists, numbers, switches, parts of an object, files of JSON', async () => {
    const steps = join(folder, 'formats.json')
    writeFileSync(
      steps,
      JSON.stringify([{ type: 'attributes', selectors: [{ selector: 'h1', attribute: 'id' }] }, 'html']),
    )
    const { out, code } = await orb(
      'scrape',
      `${site.url}/headers?x=1`,
      '--formats',
      `@${steps}`,
      '--formats=rawHtml',
      '--no-only-main-content',
      '--headers.x-orb-test',
      'yes',
      '--location.country=de',
      '--timeout',
      '60000',
      '--json',
    )
    expect(code, out).toBe(0)
    expect(Object.keys(JSON.parse(out).data)).toEqual(expect.arrayContaining(['attributes', 'html', 'rawHtml']))
  })

  it('prints all that was made as data when it is more than one text', async () => {
    const plan = JSON.parse((await orb('crawl', 'plan', `${site.url}/linked`)).out)
    expect(plan.data.visit.map(({ url }: { url: string }) => url)).toContain(`${site.url}/linked/1`)
    const wanted = '["markdown",{"type":"json","prompt":"the title"}]'
    const { data } = JSON.parse((await orb('scrape', `${site.url}/article`, '--formats', wanted)).out)
    expect(data).toMatchObject({ markdown: expect.stringMatching(/^# /m), json: expect.anything() })
  })

  it('map prints addresses, one a line', async () => {
    const { out, code } = await orb('map', `${site.url}/linked`, '--no-filter-by-path', '--sitemap', 'skip')
    expect(code).toBe(0)
    expect(out.trim().split('\n')).toContain(`${site.url}/linked/0`)
  })

  it('search prints hits that people can read, their pages with --scrape, and the answer with --json', async () => {
    await service.sdk.scrape(`${site.url}/article`)
    let { out, code } = await orb('search', 'tide tables', '--own', 'true')
    for (const end = Date.now() + 60_000; !out.includes('/article') && Date.now() < end; )
      ({ out, code } = await orb('search', 'tide tables', '--own', 'true'))
    expect(code).toBe(0)
    const [title, address, passage] = out.split('\n')
    expect(title).toMatch(/^1\. \S/)
    expect(address?.trim()).toBe(`${site.url}/article`)
    expect(passage).toMatch(/tide/i)
    expect(out).not.toMatch(/[{}]/)
    const pages = await orb('search', 'tide tables', '--own', 'true', '--scrape', '--limit', '1')
    expect(pages.out).toMatch(/^# /m)
    const whole = JSON.parse((await orb('search', 'tide tables', '--own', 'true', '--json')).out)
    expect(whole.data.web[0]).toMatchObject({ url: `${site.url}/article`, position: 1 })
    expect(whole.data.web[0]).not.toHaveProperty('markdown')
  })

  it('parse sends a file', async () => {
    const file = join(folder, 'note.html')
    writeFileSync(file, page('A note', '<p>From the disk of the caller.</p>'))
    const { out, code } = await orb('parse', file)
    expect(code).toBe(0)
    expect(out).toContain('From the disk of the caller.')
    const missing = await orb('parse', join(folder, 'none.pdf'))
    expect(missing).toMatchObject({ code: 2 })
    expect(missing.err).toMatch(/none\.pdf cannot be read \(ENOENT\)/)
  })

  it('--output writes the text to a file', async () => {
    const file = join(folder, 'page.md')
    expect(await orb('scrape', `${site.url}/article`, '-o', file)).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(file, 'utf8')).toMatch(/^# /m)
  })

  it('every operation has a name of its own, and no flag of ours hides one of the schema', () => {
    const operations = deriveOperations(capabilities)
    const names = operations.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const operation of operations)
      for (const own of ['json', 'output', 'service', 'key', 'detach', 'help'])
        expect(Object.keys(operation.inputs().properties).map(toKebabCase), operation.name).not.toContain(own)
  })
})

describe('jobs', () => {
  it('a crawl is watched to its end: a line for each page, then how it went', async () => {
    const { out, err, code } = await orb('crawl', `${site.url}/linked`, '--crawl-entire-domain', '--limit', '4')
    expect(code, err).toBe(0)
    expect(out.trim().split('\n')).toHaveLength(4)
    expect(out).toContain(`200  ${site.url}/linked  Start`)
    expect(err).toMatch(/completed, 4 of 4 pages, 4 credits/)
  })

  it('--json gives one document a line and the job last; --output a file for each', async () => {
    const target = join(folder, 'pages')
    const { out, code } = await orb('batch', `${site.url}/linked/0`, `${site.url}/linked/odd`, '--json', '-o', target)
    expect(code).toBe(0)
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(3)
    expect(lines.at(-1)).toMatchObject({ status: 'completed', total: 2 })
    expect(readdirSync(target).sort()).toEqual([
      expect.stringMatching(/^00001-127\.0\.0\.1-\d+-linked-.*\.md$/),
      expect.stringMatching(/^00002-127\.0\.0\.1-\d+-linked-.*\.md$/),
    ])
  })

  it('can be started, left with Ctrl-C and taken up again', async () => {
    const options = ['--include-paths', 'linked/\\d+', '--crawl-entire-domain', '--sitemap', 'skip']
    let release = () => {}
    lastPage = new Promise((resolve) => (release = resolve))
    const started = await orb('crawl', `${site.url}/linked`, ...options, '--detach')
    const { id } = JSON.parse(started.out) as { id: string }
    const { child, output } = launch({ ORB_URL: service.url, ORB_API_KEY: service.key }, ['crawl', 'watch', id])
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    while (!output.out.includes('200')) await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(output.err).toContain(`orb crawl watch ${id}`)
    release()
    const again = await orb('crawl', 'watch', id)
    expect(again.code).toBe(0)
    expect(again.out.trim().split('\n')).toHaveLength(PAGES)
  })

  it('what a page calls itself cannot steer the terminal', async () => {
    const { out } = await orb('batch', `${site.url}/linked/odd`)
    expect(out).not.toContain('\u001b')
  })

  it('a job that was cancelled ends with 1', async () => {
    const started = await orb('crawl', `${site.url}/linked`, '--crawl-entire-domain', '--delay', '5', '--detach')
    const { id } = JSON.parse(started.out) as { id: string }
    expect((await orb('crawl', 'cancel', id)).code).toBe(0)
    expect(await orb('crawl', 'watch', id)).toMatchObject({ code: 1, err: expect.stringMatching(/^cancelled/) })
  })
})

describe('what goes wrong', () => {
  it('is told in the words of the service, with 1', async () => {
    expect(await orb('scrape', 'ftp://example.com')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Invalid URL/),
    })
    const refused = await orb('scrape', 'ftp://example.com', '--json')
    expect(JSON.parse(refused.out)).toMatchObject({ success: false })
    const keyless = await runToEnd({ ORB_URL: service.url, ORB_DATA_DIR: emptyFolder() }, ['crawl', 'active'])
    expect(keyless).toMatchObject({ code: 1, err: expect.stringMatching(/Unauthorized[\s\S]*--key/) })
  })

  it('a command line that is wrong is 2, and nothing is sent', async () => {
    for (const [args, sentence] of [
      [['scrape'], /<url> is missing/],
      [['scrape', site.url, 'more'], /unexpected argument: more/],
      [['scrape', site.url, '--dance'], /no flag --dance/],
      [['webhooks', 'dance'], /choose one of these:[\s\S]*orb webhooks secret/],
    ] as const)
      expect(await orb(...args), args.join(' ')).toMatchObject({ code: 2, err: expect.stringMatching(sentence) })
  })

  it('a service that does not answer is 3', async () => {
    const { code, err } = await runToEnd({ ORB_URL: `http://127.0.0.1:${await closedPort()}` }, ['crawl', 'active'])
    expect(code).toBe(3)
    expect(err).toMatch(/No service responds at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)/)
  })

  it('the key of the data folder is sent to this machine and nowhere else', async () => {
    const shown: (string | undefined)[] = []
    const listener = http.createServer((request, response) => {
      shown.push(request.headers.authorization)
      response.end('{"success":true}')
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const dataDir = emptyFolder()
    writeFileSync(join(dataDir, 'first-key'), 'fc-11111111111111111111111111111111\n')
    // The second leads to the same place, but is not an address of this machine alone.
    for (const host of ['127.0.0.1', '0.0.0.0'])
      expect(
        await runToEnd({ ORB_DATA_DIR: dataDir, ORB_URL: `http://${host}:${port}` }, ['crawl', 'active']),
      ).toMatchObject({
        code: 0,
      })
    listener.close()
    expect(shown).toEqual(['Bearer fc-11111111111111111111111111111111', undefined])
  })
})

describe('commands beside the service', () => {
  const beside = (...args: string[]) => runToEnd({ ORB_DATA_DIR: service.dataDir }, args)

  it('say the same as data with --json, failures too', async () => {
    const { out } = await beside('teams', 'create', 'lab', '--plan', 'free', '--credits', '5', '--json')
    expect(JSON.parse(out)).toMatchObject({
      name: 'lab',
      plan: 'free',
      credits: { granted: 5 },
      key: expect.stringMatching(/^fc-/),
    })
    const made = JSON.parse((await beside('keys', 'create', 'lab', 'k', '--formats', 'markdown', '--json')).out)
    expect(made).toMatchObject({ team: 'lab', name: 'k', formats: ['markdown'], state: 'valid' })
    const { keys } = JSON.parse((await beside('keys', '--json')).out) as { keys: { id: string; team: string }[] }
    expect(keys.filter(({ team }) => team === 'lab')).toHaveLength(2)
    expect(JSON.parse((await beside('keys', 'revoke', made.id, '--json')).out)).toEqual({ id: made.id, revoked: true })
    const refused = await beside('keys', 'revoke', made.id, '--json')
    expect(refused).toMatchObject({ code: 1, err: '' })
    expect(JSON.parse(refused.out)).toMatchObject({
      success: false,
      error: expect.stringContaining('already revoked'),
    })
  })

  it('of keys ask the service that ORB_URL names, and make no data folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orb-keys-'))
    const env = { ORB_URL: service.url, ORB_API_KEY: TEST_KEY, ORB_DATA_DIR: join(folder, 'data') }
    const away = async (...args: string[]) => JSON.parse((await runToEnd(env, [...args, '--json'])).out) as Json
    const made = await away('keys', 'create', 'default', 'from afar')
    expect(made).toMatchObject({ key: expect.stringMatching(/^fc-/), name: 'from afar', state: 'valid' })
    const ids = async () => (await away('keys')).keys.map(({ id, state }: Json) => `${id} ${state}`)
    expect(await ids()).toContain(`${made.id} valid`)
    expect(await away('keys', 'revoke', made.id)).toEqual({ id: made.id, revoked: true })
    expect(await ids()).toContain(`${made.id} revoked`)
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuse what the API would refuse, before anything is done', async () => {
    for (const [args, sentence] of [
      [['keys', 'create', 'default', 'k', '--formats', 'dance'], /formats\.0: must be one of/],
      [['keys', 'create', 'default'], /name a team: default/],
      [['teams', 'change', 'default'], /name what to change: --plan/],
      [['teams', 'create', 'x', '--ip-allow', 'nowhere'], /ipAllow\.0: /],
      [['keys', 'dance'], /there is no `keys dance`/],
    ] as const)
      expect(await beside(...args), args.join(' ')).toMatchObject({ code: 2, err: expect.stringMatching(sentence) })
  })
})

describe('doctor', () => {
  it('finds a well service well', async () => {
    const { port } = new URL(service.url)
    const env = { ORB_DATA_DIR: service.dataDir, ORB_PORT: port, ORB_API_KEY: service.key }
    const { out, code } = await runToEnd(env, ['doctor', '--json'])
    const { well, findings } = JSON.parse(out) as { well: boolean; findings: { name: string; state: string }[] }
    expect(findings.filter(({ state }) => state === 'broken')).toEqual([])
    expect({ well, code }).toEqual({ well: true, code: 0 })
    for (const name of ['node', 'data folder', 'disk', 'database', 'OCR', 'port', 'service', 'key'])
      expect(findings.find((finding) => finding.name === name)?.state, `${name}: ${out}`).toBe('ok')
  })

  it('says what is broken and how to mend it', async () => {
    const dataDir = emptyFolder()
    writeFileSync(join(dataDir, 'orb.db'), 'no database')
    const stranger = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await new Promise((resolve) => stranger.once('listening', resolve))
    const { port } = stranger.address() as { port: number }
    const env = {
      ORB_DATA_DIR: dataDir,
      ORB_PORT: String(port),
      ORB_CHROMIUM: '/nowhere/chromium',
      ORB_URL: service.url,
      ORB_API_KEY: 'fc-00000000000000000000000000000000',
    }
    const { out, code } = await runToEnd(env, ['doctor'])
    stranger.close()
    expect(code).toBe(1)
    expect(out).toMatch(/✗ database .*orb\.db/)
    expect(out).toMatch(new RegExp(`✗ port .*${port} on 127.0.0.1 is in use by another program\\n.*→ .*ORB_PORT`))
    expect(out).toMatch(/– browser .*ORB_CHROMIUM names \/nowhere\/chromium/)
    expect(out).toMatch(/✗ key .*is not accepted/)
    const settings = await runToEnd({ ORB_PORT: 'many' }, ['doctor'])
    expect(settings).toMatchObject({ code: 1, out: expect.stringMatching(/✗ settings .*ORB_PORT/) })
  })
})

describe('completion', () => {
  const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0
  const inBash = (script: string, words: readonly string[]) =>
    `source ${script}; COMP_WORDS=(orb ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _orb; echo "\${COMPREPLY[@]}"`
  /** What stands before the offer, when the last word is completed in a real shell. */
  const lines = {
    bash: inBash,
    // As zsh itself runs completions that were written for bash.
    zsh: (script: string, words: readonly string[]) =>
      `autoload -Uz compinit && compinit -u -D; try() { emulate -L sh; setopt kshglob noshglob braceexpand; ${inBash(script, words)}; }; try`,
    fish: (script: string, words: readonly string[]) => `source ${script}; complete -C 'orb ${words.join(' ')}'`,
  } as const

  it.for(['bash', 'zsh', 'fish'] as const)(
    'knows commands, what follows them, and flags in %s',
    async (shell, { skip }) => {
      const script = join(folder, `orb.${shell}`)
      writeFileSync(script, (await orb('completion', shell)).out)
      expect(readFileSync(script, 'utf8')).toContain('scrape')
      if (!has(shell)) skip(`${shell} is not installed here`)
      const complete = (...words: string[]) => {
        const out = execFileSync(shell, ['-c', lines[shell](script, words)], { encoding: 'utf8' })
        // Behind a tab fish tells what each is for. Zsh picks what fits from the offer itself.
        const offered = out.split('\n').flatMap((line) => (line.split('\t', 1)[0] ?? '').split(' '))
        return offered.filter((word) => word !== '' && word.startsWith(words.at(-1) ?? ''))
      }
      expect(complete('scr')).toEqual(['scrape'])
      expect(complete('crawl', 'w')).toEqual(['watch'])
      expect(complete('keys', 'cr')).toEqual(['create'])
      expect(complete('crawl', 'https://example.com', '--incl')).toEqual(['--include-paths'])
      expect(complete('scrape', '--no-block')).toEqual(['--no-block-ads'])
    },
  )

  it('knows PowerShell too, and no other', async () => {
    const { out } = await orb('completion', 'powershell')
    expect(out).toMatch(/'keys' = '[^']*\bcreate\b/)
    expect((await orb('completion', 'cmd')).code).toBe(2)
  })
})
