// Rules of the architecture, held by tests: layers, circles, dead exports, names, packages.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deadExports } from '../../scripts/dead-exports.mjs'
import { brokenLayers, circlesIn } from '../../scripts/layers.mjs'
import { countsOf, quarantineRates, unexpectedSkips } from '../../scripts/test.mjs'
import { soakFilesFor, soakFilesWithin, soakSubjects } from '../../scripts/testing/soak.mjs'
import durations from '../durations.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file}`)

describe('layers', () => {
  it('every import points down, and none goes round in a circle', () => {
    expect(brokenLayers()).toEqual([])
  })

  it('no files of the dashboard or of the tests import each other in a circle', () => {
    expect(['dashboard/src', 'test'].flatMap(circlesIn)).toEqual([])
  })

  /** The first word of every complaint about these files. */
  const complaints = (files: Readonly<Record<string, string>>): string[] => {
    const src = mkdtempSync(join(tmpdir(), 'orb-layers-'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(src, path, '..'), { recursive: true })
      writeFileSync(join(src, path), text)
    }
    const found = brokenLayers(src).map((sentence) => sentence.replace(/ imports .*/, ''))
    rmSync(src, { recursive: true })
    return found.sort()
  }

  it('an import that points up, sideways or to a peer is found', () => {
    expect(
      complaints({
        'base/a.ts': "import { x } from '../store/b.ts'",
        'store/b.ts': "import { x } from '../fetch/c.ts'",
        'fetch/c.ts': "import { x } from '../config.ts'",
        'capabilities/one/d.ts': "import { x } from '../two/e.ts'",
        'capabilities/two/e.ts': "import { x } from '../route.ts'",
        'attic/f.ts': "import { x } from '../base/a.ts'",
      }),
    ).toEqual(['attic/f.ts', 'base/a.ts', 'capabilities/one/d.ts', 'fetch/c.ts', 'store/b.ts'])
  })

  it('so is one inside a large folder, and a folder of it that is in no layer', () => {
    expect(
      complaints({
        'understanding/facts/a.ts': "import { x } from '../extract/b.ts'",
        'understanding/extract/b.ts': "import { x } from '../money.ts'",
        'understanding/shop/c.ts': "import { x } from '../extract/b.ts'",
        'understanding/media/d.ts': "import { x } from '../verify/verify-values.ts'",
        'content/main/e.ts': "import { x } from '../tree.ts'",
        'fetch/chrome/f.ts': "import { x } from './live/g.ts'",
        'fetch/chrome/live/g.ts': "import { x } from '../../egress.ts'",
        'store/migrations/h.ts': "import { x } from '../jobs.ts'",
        'content/attic/i.ts': "import { x } from '../tree.ts'",
      }),
    ).toEqual([
      'content/attic/i.ts',
      'content/main/e.ts',
      'fetch/chrome/f.ts',
      'store/migrations/h.ts',
      'understanding/facts/a.ts',
      'understanding/media/d.ts',
    ])
  })

  it('files that import each other in a circle are found, types or not', () => {
    expect(
      complaints({
        'jobs/a.ts': "import type { X } from './b.ts'",
        'jobs/b.ts': "import { y } from './c.ts'",
        'jobs/c.ts': "import { z } from './a.ts'\nimport { w } from './d.ts'",
        'jobs/d.ts': 'export const w = 1',
      }),
    ).toEqual(['jobs/a.ts, jobs/b.ts, jobs/c.ts: they import each other in a circle'])
  })
})

describe('the count of the suite', () => {
  const listed = { file: 'src/store/a.test.ts', test: 'a race', reason: 'is rare', since: '2026-01-01' }
  const report = (states: Record<string, string>, errors = 0) => ({
    errors: 0,
    files: [
      { file: 'src/store/a.test.ts', errors, tests: Object.entries(states).map(([name, state]) => ({ name, state })) },
      { file: 'src/jobs/queues.test.ts', errors: 0, tests: [{ name: 'one of two processes', state: 'skipped' }] },
    ],
  })

  it('takes a skip for a failure in CI, unless it is on a list', () => {
    const skipped = report({ 'it works': 'passed', 'on Sundays': 'skipped', 'a race': 'skipped' })
    expect(unexpectedSkips(skipped, [listed])).toEqual(['src/store/a.test.ts: on Sundays'])
    expect(countsOf(skipped, [listed])).toEqual({ passed: 1, failed: 0, skipped: 2 })
  })

  it('counts what failed outside of a test, and a run without a report', () => {
    expect(countsOf(report({ 'it works': 'passed', 'it does not': 'failed' }, 1)).failed).toBe(2)
    expect(countsOf(undefined).failed).toBe(1)
  })

  it('has a rate for each quarantined test, and none for one that no file has', () => {
    const reports = ['passed', 'failed', 'passed'].map((state) => report({ 'a race': state }))
    expect(quarantineRates(reports, [listed, { ...listed, test: 'renamed' }])).toMatchObject([
      { runs: 3, passed: 2 },
      { runs: 0, passed: 0 },
    ])
  })
})

describe('limits of time in src', () => {
  /** In scripts that run inside of pages, and in requests that the command line sends. */
  const mayHaveNumbers = [
    'src/fetch/chrome/collect-page-downloads.ts',
    'src/cli/interact-repl.ts',
    'src/api/zoo/zoo-pages.ts',
  ]
  const number = String.raw`[1-9][\d_]{3,}\b`
  const bare = [
    String.raw`\babortAfter\(${number}`,
    String.raw`\btimeout: ${number}`,
    String.raw`\btimeout: Math\.max\(${number}, [^)]*(?:timeLeft|remaining)`,
    String.raw`\b(?:sleep|pause)\(${number}`,
    String.raw`\bsetTimeout\([^\n]*, ${number}\)`,
    String.raw`\bwaitFor\w*\(${number}`,
    'busy_timeout = [1-9]',
  ]
  const waits = new RegExp(bare.join('|'))

  it('have names, so that each has one place and a reason, and none is a floor under what a call has left', () => {
    const found = sources
      .filter((file) => !file.endsWith('.test.ts') && !mayHaveNumbers.includes(file))
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, at) => (waits.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
      )
    expect(found).toEqual([])
  })

  it('are made in one place, which keeps them until they come', () => {
    const found = sources.filter(
      (file) =>
        !/\.test\.tsx?$/.test(file) &&
        file !== 'src/base/abort-after.ts' &&
        readFileSync(join(root, file), 'utf8').includes('AbortSignal.timeout('),
    )
    expect(found).toEqual([])
  })

  /** Files whose waits need no signal of the call, and why. */
  const mayWait: Record<string, RegExp> = {
    'what `withinTime` and deadlines are made of': /^src\/base\/deadline\.ts$/,
    'scripts that run in a page': /collect-page-downloads|scripts-to-serialize/,
    'bounded by the time that the call has left, or ended with its browser':
      /^src\/(?:driving\/(?:page-driver|run-flow)|prompting\/run-prompt-without-model|fetch\/chrome\/(?:wait-for-idle|cdp-tab|encode-video|snapshot\/next-page-watch|live\/live-session))\.ts$/,
    'a moment, after which something is tried or looked at again':
      /^src\/store\/(?:blob-bucket|retry-deadlock|rewrite-postgres-tables|run-sweep|sweep|wait-for-write-lock)\.ts$/,
    'of sessions and their programs, beside all calls':
      /live-view|session-pages|cdp-contexts|virtual-display|sandbox\/(?:cgroup|landlock|runner|output-buffer)|session-downloads/,
    'wake-ups, and connections that end':
      /job-change-notifier|work-queue-in-store|shared-admission|job-websocket|send-problem/,
    'commands, which a person ends': /^src\/cli\//,
  }
  const waitsAlone = (text: string): boolean => {
    const sleep = /import \{ setTimeout as (\w+) \} from 'node:timers\/promises'/.exec(text)?.[1]
    const asleep = new RegExp(`await ${sleep}\\(`)
    return text
      .split('\n')
      .some(
        (line) =>
          (sleep && asleep.test(line) && !/signal/i.test(line)) ||
          /\bsetTimeout\((?:resolve|done|wake|\(\) => (?:resolve|reject))/.test(line),
      )
  }

  it('end with the call: a wait takes its signal, or is one of the few that need none', () => {
    const allowed = Object.values(mayWait)
    const found = sources.filter(
      (file) =>
        !file.endsWith('.test.ts') &&
        waitsAlone(readFileSync(join(root, file), 'utf8')) &&
        !allowed.some((files) => files.test(file)),
    )
    expect(found).toEqual([])
    const imported = "import { setTimeout as sleep } from 'node:timers/promises'\n"
    expect(waitsAlone(`${imported}await sleep(PAUSE_MS)`)).toBe(true)
    expect(waitsAlone('const late = new Promise((resolve) => { timer = setTimeout(resolve, LIMIT_MS) })')).toBe(true)
    expect(waitsAlone(`${imported}await sleep(PAUSE_MS, undefined, { signal })`)).toBe(false)
  })

  it('are found where they have none', () => {
    for (const line of [
      'page.goto(url, { timeout: 30_000 })',
      'await sleep(3000)',
      'setTimeout(() => end(), 10000)',
      'abortAfter(30_000)',
      'timeout: Math.max(1000, driver.timeLeft())',
    ])
      expect([line, waits.test(line)]).toEqual([line, true])
    expect(waits.test('await sleep(PAUSE_MS)')).toBe(false)
  })
})

describe('errors of libraries', () => {
  /** They tell our own texts in the issues of zod from those of zod. */
  const mayMatch = ['src/base/validate-input.ts', 'src/base/validation-messages.ts']
  const matches =
    /\.(?:test|exec|match)\((?:\((?:error|cause) as \w+\)|\w*[eE]rror|\w+)?\.?(?:message|stack)\b|\b(?:message|stack)\.(?:includes|startsWith|endsWith|match|search)\(/

  it('are recognised by type or code: one module for each library matches texts', () => {
    const found = sources.filter(
      (file) =>
        !/\.test\.ts$|-errors\.ts$/.test(file) &&
        !mayMatch.includes(file) &&
        matches.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(found).toEqual([])
    for (const line of [
      '/closed/.test((error as Error).message)',
      '/closed/.test(message)',
      'error.message.includes(text)',
      '/closed/.exec(error.message)',
    ])
      expect([line, matches.test(line)]).toEqual([line, true])
  })
})

describe('the second tier', () => {
  it('lists every file that has tests of it, with sources that exist', () => {
    const files = ['src', 'test'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts'))
        .map((file) => join(folder, file)),
    )
    const uses = /\b(?:isSoak|sampleRows|sampleOfEach|itInSoak|describeInSoak|lookAt|onEachStore)\b/
    const having = files.filter(
      (file) => file.startsWith('test/soak/') || uses.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(having.filter((file) => file !== 'test/house/house.test.ts').sort()).toEqual(
      Object.keys(soakSubjects).sort(),
    )
    expect(
      Object.values(soakSubjects)
        .flat()
        .filter((path) => !existsSync(join(root, path))),
    ).toEqual([])
  })

  it('runs the files that a change concerns', () => {
    expect(soakFilesFor(['CHANGELOG.md', 'src/llm/llm.ts'])).toEqual([])
    expect(soakFilesFor(['src/capabilities/interact/schema.ts'])).toContain('test/e2e/sandbox.test.ts')
    expect(soakFilesFor(['test/soak.ts'])).toEqual(Object.keys(soakSubjects))
  })

  it('keeps to a budget of time in CI, the shortest files first', () => {
    const seconds = { 'soak a': 700, 'soak b': 10, 'soak c': 500 }
    expect(soakFilesWithin(['a', 'b', 'c', 'new'], seconds, 700)).toEqual({ kept: ['b', 'new', 'c'], leftOut: ['a'] })
    expect(soakFilesWithin(Object.keys(soakSubjects), durations).kept.sort()).toEqual(Object.keys(soakSubjects).sort())
  })
})

describe('bars on time', () => {
  it('are held by `npm run prove costs`: a test asserts only deadlines, with the patience of the machine', () => {
    const asserts =
      /expect\((?:[^()]|\([^()]*\))*(?:performance\.now\(\)|Date\.now\(\)|cpuUsage|cpuMs)(?:[^()]|\([^()]*\))*\)\.toBeLess\w*\((?![^\n]*\bpatient\()/
    const tests = ['src', 'test'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts'))
        .map((file) => join(folder, file)),
    )
    expect(tests.filter((file) => asserts.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
    expect(asserts.test(`${'expect'}(performance.now() - started).toBeLessThan(5)`)).toBe(true)
    expect(asserts.test(`${'expect'}(performance.now() - started).toBeLessThan(patient(500))`)).toBe(false)
  })
})

/** The dashboard's page: a build of its own. */
const screens = readdirSync(join(root, 'dashboard/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => `dashboard/src/${file}`)

describe('the dashboard', () => {
  it('takes nothing from the service but the types of its schemas', () => {
    const taken = screens.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/import ([^;]*?) from '((?:\.\.\/)+src\/[^']+)'/g)].map(
        ([, what, path]) => ({ file, what: what?.split(/\s/)[0], path }),
      ),
    )
    expect(taken.length).toBeGreaterThan(0)
    expect(
      taken.filter(({ what, path }) => what !== 'type' || !/src\/capabilities\/[\w-]+\/schema\.ts$/.test(path!)),
    ).toEqual([])
  })
})

describe('the command line', () => {
  it('is ready without loading a package: each command loads what it needs when it runs', () => {
    const seen = new Set<string>()
    const packages: string[] = []
    const open = ['src/cli/index.ts']
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      const imports = readFileSync(join(root, file), 'utf8').matchAll(
        /^(?:import|export)\b(?! type)[^;']*?from '([^']+)'/gm,
      )
      for (const [, target = ''] of imports)
        if (target.startsWith('.')) open.push(join(file, '..', target))
        else if (!target.startsWith('node:')) packages.push(`${file} imports ${target}`)
    }
    expect(seen).toContain('src/cli/key-commands.ts')
    expect(packages).toEqual([])
  })
})

describe('a capability', () => {
  /** Files outside its folder that import it or name its route, its services or its settings. */
  const naming = (name: string): string[] => {
    const names = new RegExp(
      `from '[^']*/${name}/|/v2/${name}\\b|'${name}s?'|\\b${name}s: |(?:\\.|\\{ |, )${name}(?:\\.| \\}|, )`,
    )
    return sources.filter((file) => {
      if (file.endsWith('.test.ts') || file.startsWith(`src/capabilities/${name}/`)) return false
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*/g, '')
      return names.test(code)
    })
  }

  it.each([
    ['monitor', 3],
    ['agent', 4],
    // Eight of them are the tool of an agent and the sockets of sessions; flows are recorded from sessions.
    ['interact', 13],
  ])('%s is named in at most %i files outside its folder', (name, most) => {
    expect(naming(name).length, naming(name).join(' ')).toBeLessThanOrEqual(most)
  })
})

describe('files', () => {
  it('export only what another file imports', () => {
    expect(deadExports()).toEqual([])
  })

  it('open with what they are for', () => {
    const silent = [...sources, ...screens].filter(
      (file) => !file.endsWith('.test.ts') && !/^(#!.*\n)?(\/\/|\/\*\*)/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(silent).toEqual([])
  })

  it('hold no half-done merge', () => {
    const { stdout } = spawnSync('git', ['grep', '-lE', '^(<{7}|>{7}) ', '--', '.'], { cwd: root, encoding: 'utf8' })
    expect(stdout.split('\n').filter(Boolean)).toEqual([])
  })

  it('have names that say something', () => {
    expect(sources.filter((file) => /\/(utils|helpers|lib|services|common|manager|types)(\.ts|\/)/.test(file))).toEqual(
      [],
    )
  })

  it('export no type of a name that another file has taken: a noun has one meaning', () => {
    const files = new Map<string, string[]>()
    for (const file of sources.filter((one) => !one.endsWith('.test.ts'))) {
      const text = readFileSync(join(root, file), 'utf8')
      for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm))
        files.set(name, [...(files.get(name) ?? []), file])
    }
    // Every capability declares under this name what it has of what it needs.
    files.delete('HandlerServices')
    expect([...files].filter(([, all]) => all.length > 1)).toEqual([])
  })

  it('contain SQL in folders named store/ only', () => {
    const readers = sources.filter((file) => /from 'kysely'/.test(readFileSync(join(root, file), 'utf8')))
    expect(readers.length).toBeGreaterThan(0)
    expect(readers.filter((file) => !/\/store\//.test(file))).toEqual([])
  })

  it('only the configuration reads the environment', () => {
    const readers = sources.filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')))
    expect(readers.filter((file) => !/^src\/config(\.test)?\.ts$/.test(file))).toEqual([])
  })
})

describe('packages', () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  /** Names of the packages that the files of a folder import. */
  const imported = (folder: string): string[] => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(tsx?|mjs)$/.test(file),
    )
    const names = files.flatMap((file) => {
      const text = readFileSync(join(root, folder, file), 'utf8')
      return [
        ...text.matchAll(/^(?:import|export)\b[^'\n]*(?:\n[^'\n]*)*?from '([^'.][^']*)'|^import '([^'.][^']*)'/gm),
      ].map(([, from, bare]) => from ?? bare ?? '')
    })
    const packages = names.filter((name) => !name.startsWith('node:') && !name.startsWith('.'))
    return [
      ...new Set(
        packages.map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
      ),
    ]
  }

  it('that the service imports are our own, not somebody else’s: installed by users, or bundled', () => {
    expect(imported('src').filter((name) => !(name in dependencies) && !(name in devDependencies))).toEqual([])
  })

  it('that tests, scripts and benchmarks import are declared', () => {
    for (const folder of ['test', 'scripts', 'bench', 'dashboard'])
      expect(imported(folder).filter((name) => !(name in dependencies) && !(name in devDependencies))).toEqual([])
  })

  it('that are fetched at their first use are loaded then, never with a file', () => {
    const names = Object.keys(peerDependencies).join('|')
    const loads = new RegExp(`^(?:import|export)\\b(?! type)[^;']*?from '(?:${names})'`, 'm')
    expect(sources.filter((file) => loads.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it('are all used', () => {
    // By an import, static or not, or by the path of a file in it.
    const texts = sources.map((file) => readFileSync(join(root, file), 'utf8'))
    const isUsed = (name: string) => texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`))
    expect(Object.keys(dependencies).filter((name) => !isUsed(name))).toEqual([])
  })
})
