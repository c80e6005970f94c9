// Hostile code in a session: what it tries, and that nothing comes of it. The second tier runs every program in both
// sandboxes: bubblewrap's, and the one without it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSoak, itInSoak, sampleRows } from '../soak.ts'
import { type Json, type Service, startService } from './service.ts'
import { until } from './waiting.ts'

const hasBubblewrap = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].some((path) => existsSync(path))
/** Whether the kernel has Landlock (its version is asked for), Python is there to use it, and users can be lent. */
const LANDLOCK = 'import ctypes; raise SystemExit(0 if ctypes.CDLL(None).syscall(444, None, 0, 1) > 0 else 1)'
const canSandbox = process.getuid?.() === 0 && spawnSync('python3', ['-c', LANDLOCK]).status === 0
/** Memory that counts as nobody's resident memory. */
const refusedMemory: [name: string, python: string][] = [
  ['a file in memory (memfd)', 'import os\nos.memfd_create("x")'],
  [
    'System V shared memory',
    'import ctypes\nif ctypes.CDLL(None).shmget(0, 1 << 28, 0o1600) < 0: raise OSError("refused")',
  ],
  [
    'POSIX shared memory',
    'from multiprocessing import shared_memory\nshared_memory.SharedMemory(create=True, size=1 << 28)',
  ],
  ['a shared anonymous mapping', 'import mmap\nmmap.mmap(-1, 1 << 28)'],
  ['a shared mapping of zeros', 'import mmap, os\nmmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 28)'],
]
/** Families of sockets and calls that are the kernel's own affairs. */
const REFUSED_CALLS = `import ctypes, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
at = 0 if platform.machine() == 'x86_64' else 1
calls = {'keyctl': (250, 219), 'bpf': (321, 280), 'userfaultfd': (323, 282), 'ptrace': (101, 117), 'perf_event_open': (298, 241), 'io_uring_setup': (425, 425)}
open_calls = []
for name, numbers in calls.items():
  ctypes.set_errno(0)
  libc.syscall(numbers[at], 0, 0, 0, 0, 0)
  if ctypes.get_errno() != 13: open_calls.append(name)
for family in (16, 17, 31, 38, 40):
  try: socket.socket(family, socket.SOCK_RAW if family == 17 else socket.SOCK_STREAM if family == 40 else socket.SOCK_DGRAM).close(); open_calls.append(str(family))
  except OSError as error:
    if error.errno != 13: open_calls.append('%s: %s' % (family, error))
open_calls`
const CLOSED = /No such file|Permission denied|cannot access|Operation not permitted/

const programs: [name: string, code: (service: Service) => string, said: RegExp][] = [
  ['the data folder', ({ dataDir }) => `ls ${dataDir}`, CLOSED],
  ['the users of the machine', () => 'cat /etc/passwd', CLOSED],
  ['their passwords', () => 'cat /etc/shadow', CLOSED],
  ['the home of root', () => 'ls /root/', CLOSED],
  ['the files of the service', () => `cat ${import.meta.dirname}/../../package.json`, CLOSED],
  ['the environment of the service', ({ pid }) => `cat /proc/${pid}/environ`, CLOSED],
  ['the memory of the service', ({ pid }) => `head -c 10 /proc/${pid}/mem`, CLOSED],
  ['the folders of other sessions', () => `ls ${tmpdir()}/orb-session-*/`, CLOSED],
  ['killing the service', ({ pid }) => `kill -9 ${pid}`, /No such process|not permitted/],
  ['stopping the service', ({ pid }) => `kill -STOP ${pid}`, /No such process|not permitted/],
  [
    'tracing the service',
    ({ pid }) =>
      `python3 -c "import ctypes; l=ctypes.CDLL(None,use_errno=True); print('traced' if l.ptrace(16, ${pid}, 0, 0) == 0 else 'refused')"`,
    /refused/,
  ],
  [
    'writing outside',
    () => 'touch /usr/x; touch /x; touch /var/tmp/x; touch /dev/shm/x',
    /Read-only|Permission denied|No such file/,
  ],
  [
    'a disk full of one file',
    () => 'dd if=/dev/zero of=$HOME/big bs=1M count=500; rm -f $HOME/big',
    /too large|No space|limit exceeded/,
  ],
  ['a link to what lies outside', () => 'ln -s /etc/passwd $HOME/l; cat $HOME/l', CLOSED],
  [
    'a hard link to what lies outside',
    () => 'ln /etc/shadow $HOME/h',
    /No such file|Permission denied|not permitted|Invalid cross-device/,
  ],
  ['raw devices', () => 'cat /dev/vda /dev/sda /dev/mem', CLOSED],
  ['a device of its own', () => 'mknod $HOME/d b 8 0', /not permitted|Permission denied/],
  ['mounting', () => 'mount -t proc proc $HOME', /denied|must be superuser|not permitted|cannot/],
  ['another namespace', () => 'unshare -U true', /failed|denied|not permitted/],
  ['becoming root', () => 'su -c id; sudo id', /not found|failure|denied|cannot|must|not exist/i],
  ['a higher priority', () => 'nice -n -10 true', /cannot set niceness|denied/i],
  ['more processes than allowed', () => 'ulimit -u 100000', /cannot modify|not permitted/],
  [
    'the kernel’s log and settings',
    () => 'echo 1 > /proc/sys/kernel/panic; dmesg',
    /Read-only|denied|not permitted|No such/,
  ],
]

/** Seconds for code that is ended for another reason, however busy the machine is. */
const PATIENT_S = 80

const sandboxes: [name: string, isHere: boolean][] = [
  ['bubblewrap', hasBubblewrap],
  ['user', canSandbox],
]

describe.each(sampleRows(sandboxes.filter(([, isHere]) => isSoak || isHere)))(
  'hostile code behind the walls: %s',
  (walls, isHere) => {
    describe.runIf(isHere)('where they can stand', () => {
      let service: Service
      let id = ''
      let other: Json
      const run = async (language: string, code: string, timeout = PATIENT_S): Promise<Json> =>
        (await service.call('POST', `/v2/interact/${id}/execute`, { code, language, timeout })).json
      /** What the session beside it prints, from a program that goes on from call to call. */
      const inOther = async (code: string): Promise<Json> =>
        (await service.call('POST', `/v2/interact/${other.id}/execute`, { code, language: 'bash', timeout: 60 })).json
      beforeAll(async () => {
        service = await startService({ env: { ORB_CODE_SANDBOX: walls }, ownProcess: true })
        id = (await service.call('POST', '/v2/interact', { ttl: 3600, activityTtl: 3600 })).json.id
        other = (await service.call('POST', '/v2/interact', { ttl: 3600, activityTtl: 3600 })).json
        await inOther('kept=alive')
      })
      afterAll(() => service?.stop())

      it('runs all three languages, with the browser', async () => {
        expect(await run('node', 'await page.title(); 1 + 1')).toMatchObject({ result: '2', exitCode: 0 })
        expect(await run('python', 'page.goto("about:blank")\npage.url')).toMatchObject({ result: 'about:blank' })
        expect(await run('bash', 'agent-browser get url | tr a-z A-Z')).toMatchObject({ stdout: 'ABOUT:BLANK\n' })
      })

      it('every attempt to reach what lies outside is refused, and the service goes on', async () => {
        const attempts = programs.map(([, code], at) => `echo "attempt ${at}"; ( ${code(service)} ) 2>&1`)
        const { stdout } = await run('bash', attempts.join('\n'))
        const said: string[] = stdout.split(/^attempt \d+\n/m).slice(1)
        for (const [at, [name, , refusal]] of programs.entries()) expect.soft(said[at], name).toMatch(refusal)
        expect((await service.call('GET', '/v2/health/liveness')).status).toBe(200)
      })

      it('killing everything it sees ends nobody else', async () => {
        await run('bash', 'kill -9 -1; echo still')
        expect((await service.call('GET', '/v2/health/liveness')).status).toBe(200)
        // A call that arrives before the end of the program is noticed meets that program.
        await expect.poll(async () => (await run('bash', 'echo again')).stdout).toBe('again\n')
      })

      it('has no network: neither the service, nor another session, nor metadata, nor names', async () => {
        const { port } = new URL(service.url)
        const tries = `const net = require('node:net'), dns = require('node:dns').promises
        const dial = (host, port) => new Promise((done) => net.connect({ host, port, timeout: 30000 })
          .on('connect', () => done('open')).on('error', (e) => done(e.code)).on('timeout', () => done('timeout')))
        const found = await Promise.all([dial('127.0.0.1', ${port}), dial('169.254.169.254', 80), dial('1.1.1.1', 53), dial('127.0.0.1', 5432)])
        found.concat(await dns.resolve('example.com').then(() => 'resolved', (e) => e.code))`
        const { result } = await run('node', tries)
        for (const code of JSON.parse(result))
          expect(code).toMatch(/^(ECONNREFUSED|ENETUNREACH|EACCES|EAI_AGAIN|ENOTFOUND|ESERVFAIL|ETIMEOUT)$/)
        const reached = await run(
          'node',
          `await require('playwright-core').chromium.connectOverCDP('${other.cdpUrl}').then(() => 'in', () => 'out')`,
        )
        expect(reached.result).toBe('out')
        const raw = `import socket\nopened = []\nfor kind in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):\n  for way in (socket.SOCK_STREAM, socket.SOCK_DGRAM):\n    try:\n      s = socket.socket(kind, way); s.settimeout(1); s.connect('/var/run/postgresql/.s.PGSQL.5432' if kind == socket.AF_UNIX else ('2001:db8::1' if kind == socket.AF_INET6 else '10.0.0.1', 80)); opened.append(str(kind) + str(way))\n    except OSError: pass\n'|'.join(opened) or 'none'`
        expect((await run('python', raw)).result).toBe('none')
      })

      it('does not get out through the browser', async () => {
        const visit = (url: string) =>
          `await page.goto(${JSON.stringify(url)}, { timeout: 8000 }).then((r) => r ? String(r.status()) : 'none', (e) => 'refused: ' + e.message.split('\\n')[0])`
        for (const url of [
          `${service.url}/health`,
          'http://169.254.169.254/latest/meta-data/',
          'http://[::1]/',
          'http://10.0.0.1/',
          'file:///etc/passwd',
          'chrome://version',
          'view-source:file:///etc/passwd',
        ]) {
          const { result } = await run('node', visit(url))
          expect(result, url).toMatch(/^refused|^(4|5)\d\d$/)
        }
        const fetched = await run(
          'node',
          `await page.goto('about:blank'); await page.evaluate((url) => fetch(url).then((r) => r.text().then((t) => r.status + ' ' + t.slice(0, 200)), () => 'refused'), '${service.url}/v2/team/activity')`,
        )
        expect(fetched.result).not.toMatch(/"success":true/)
        const talk = await run(
          'node',
          `const talk = await context.newCDPSession(page); const tries = []
         for (const [method, params] of [['Target.getTargets', {}], ['Browser.getBrowserCommandLine', {}], ['SystemInfo.getProcessInfo', {}]])
           tries.push(await browser.newBrowserCDPSession().then((s) => s.send(method, params)).then((r) => JSON.stringify(r), () => 'refused'))
         tries`,
        )
        const [targets, ...others] = JSON.parse(talk.result)
        expect(targets).not.toContain(new URL(other.cdpUrl).pathname)
        expect(others).toEqual(['refused', 'refused'])
      })

      it('sees an empty environment and no other processes', async () => {
        const { result } = await run(
          'node',
          '({ names: Object.keys(process.env).sort(), seen: (() => { try { return require("fs").readdirSync("/proc").filter((n) => /^\\d+$/.test(n)).length } catch { return 0 } })() })',
        )
        const { names, seen } = JSON.parse(result)
        expect(names.join(' ')).not.toMatch(/ORB_|KEY|TOKEN|SECRET/)
        expect(seen).toBeLessThan(6)
      })

      it.each(
        sampleRows<[string, string, string, number, RegExp]>([
          ['a fork bomb', 'bash', 'echo first; :(){ :|:& };:; sleep 90', PATIENT_S, /started more than 128 processes/],
          [
            'an endless loop in native code',
            'node',
            'console.log("first"); Buffer.alloc(1e8).fill("a").toString().match(/(a+)+b/)',
            6,
            /took longer than 6 s/,
          ],
          [
            'memory without end',
            'python',
            'print("first")\nx = []\nwhile True: x.append(bytearray(b"x" * 10_000_000))',
            PATIENT_S,
            /took more than 640 MB/,
          ],
          [
            'memory that V8 does not count',
            'node',
            'console.log("first"); const all = []; for (;;) all.push(new SharedArrayBuffer(2e7)) && new Uint8Array(all.at(-1)).fill(1)',
            PATIENT_S,
            /took more than 640 MB/,
          ],
          [
            'page tables',
            'python',
            'import mmap\nprint("first")\nm = mmap.mmap(-1, 8 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)\nfor at in range(0, 8 << 40, 1 << 21): m[at]',
            PATIENT_S,
            /took more than 640 MB/,
          ],
          [
            'half a million files',
            'python',
            'import os\nprint("first")\nfor i in range(500_000): os.close(os.open(os.environ["HOME"] + "/%d" % i, os.O_CREAT | os.O_WRONLY))',
            PATIENT_S,
            /made more than 20000 files/,
          ],
          [
            'buffers of pipes',
            'python',
            'import os, time\nprint("first")\nfor k in range(4):\n  if os.fork() == 0:\n    try:\n      while True: os.pipe()\n    except OSError: time.sleep(90)\ntime.sleep(90)',
            PATIENT_S,
            /opened more than 1024 files/,
          ],
          [
            '300 MB of output',
            'node',
            'console.log("first"); for (;;) console.log("x".repeat(100_000))',
            PATIENT_S,
            /printed more than/,
          ],
          [
            'memory of many processes',
            'bash',
            'echo first; for i in 1 2 3 4 5 6 7 8; do python3 -c "x=bytes([1])*200_000_000; import time; time.sleep(90)" & done; wait',
            PATIENT_S,
            /took more than 640 MB/,
          ],
          [
            'one in a session of its own',
            'bash',
            'echo first; setsid bash -c "while :; do :; done" & sleep 30',
            6,
            /took longer than 6 s/,
          ],
        ]),
      )(
        '%s is ended, the answer says why, and the session and its neighbour go on',
        async (_name, language, code, timeout, reason) => {
          const [ended, meanwhile] = await Promise.all([run(language, code, timeout), inOther('echo $kept')])
          expect(ended).toMatchObject({ killed: true, error: expect.stringMatching(reason) })
          const neighbour = { exitCode: 0, stdout: 'alive\n', killed: false }
          expect([meanwhile, await inOther('echo $kept')]).toMatchObject([neighbour, neighbour])
          expect(ended.stdout.slice(0, 6)).toBe('first\n')
          const next = await run(
            language,
            language === 'bash' ? 'echo 2' : language === 'node' ? 'console.log(2)' : 'print(2)',
          )
          expect(next).toMatchObject({ exitCode: 0, stdout: '2\n', stderr: '' })
        },
      )

      it('is refused memory that nobody is charged for', async () => {
        const code = `had = []
for name, code in ${JSON.stringify(refusedMemory)}:
  try: exec(code, {}); had.append(name)
  except Exception: pass
had`
        expect((await run('python', code)).result).toBe('[]')
      })

      it('is refused calls and sockets that are not its own affair', async () => {
        expect((await run('python', REFUSED_CALLS)).result).toBe('[]')
      })

      itInSoak('that is left in the background is ended between two calls, and the next call says so', async () => {
        const left = 'python3 -c "import time; x = b\'x\' * 700_000_000; time.sleep(60)" > /dev/null 2>&1 &'
        expect(await run('bash', `kept=1; ${left}`)).toMatchObject({ exitCode: 0 })
        // A call that is under way when the limit is exceeded may still print; it is the one that says so then.
        const told: Json[] = []
        await until(async () => {
          await new Promise((resolve) => setTimeout(resolve, 1500))
          told.push(await run('bash', 'echo "kept: $kept"'))
          return told.at(-1).stderr !== ''
        })
        expect(told.at(-1).stderr).toMatch(/took more than 640 MB/)
        expect(await run('bash', 'echo "kept: $kept"')).toMatchObject({ stdout: 'kept: \n', stderr: '' })
      })

      itInSoak.each([
        ['node', 'for (let i = 0; i < 3000; i++) console.log("line", i)', '"\u0001".repeat(3_000_000)'],
        ['python', 'for i in range(3000): print("line", i)', '"\u0001" * 3_000_000'],
        ['bash', 'for i in $(seq 0 2999); do echo line $i; done', ''],
      ])('loses no line of 3000 in %s, and cuts a long result', async (language, lines, long) => {
        const { stdout } = await run(language, lines)
        expect(stdout).toBe(Array.from({ length: 3000 }, (_, at) => `line ${at}\n`).join(''))
        if (long === '') return
        const { result, truncated } = await run(language, long)
        expect([result.length, truncated]).toEqual([1_000_000, true])
      })

      itInSoak('many files are ended or refused before the disk is full', async () => {
        const code =
          'for i in $(seq 1 40); do head -c 20M /dev/zero > $HOME/f$i || break; sleep 0.05; done; du -sm $HOME | cut -f1'
        const { stdout, stderr, killed } = await run('bash', code, 30)
        expect(killed || /No space/.test(stderr), stdout).toBe(true)
        await run('bash', 'rm -f $HOME/f*')
      })

      it('leaves no process, no folder and no user behind', async () => {
        for (const one of [id, other.id]) await service.call('DELETE', `/v2/interact/${one}`)
        await service.end('SIGTERM')
        await expect.poll(lentUsers).toEqual([])
        // A browser that is just ending may still write to the folder of its service.
        const own = readdirSync(tmpdir()).filter((name) => name.endsWith(`-${service.pid}`))
        const left = own.flatMap((name) => readdirSync(join(tmpdir(), name)))
        expect(left.filter((name) => name.startsWith('orb-session-'))).toEqual([])
      })
    })
  },
)

describe('without walls', () => {
  it('code is refused with the reason, and sessions go on', async () => {
    const service = await startService({ env: { ORB_CODE_SANDBOX: 'off' }, ownProcess: true })
    try {
      const { id } = (await service.call('POST', '/v2/interact', {})).json
      const refused = await service.call('POST', `/v2/interact/${id}/execute`, { code: '1' })
      expect([refused.status, refused.json.error]).toEqual([503, expect.stringMatching(/ORB_CODE_SANDBOX/)])
      expect((await service.call('GET', `/v2/interact/${id}`)).json.status).toBe('active')
    } finally {
      await service.stop()
    }
  })
})

/** Processes of users that only sandboxes are lent; those of other services on this machine are told apart by their parent. */
function lentUsers(): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const status = readFileSync(`/proc/${name}/status`, 'latin1')
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
      // Those that have ended and that nobody collects are no processes any more.
      const isThere = !/^State:\s+Z/m.test(status)
      return isThere && uid >= 40_000 && uid < 60_000 && parent === 1
    } catch {
      return false
    }
  })
}
