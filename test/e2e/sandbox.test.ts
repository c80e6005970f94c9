// Hostile code in a session: what it tries, and that nothing comes of it. Each row is a program of its own.
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ground } from './ground.ts'
import type { Json } from './service.ts'

const { service } = ground()
const hasWalls = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].some((path) => existsSync(path))

describe.runIf(hasWalls)('hostile code', () => {
  let id = ''
  let other: Json
  const run = async (language: string, code: string, timeout = 20): Promise<Json> =>
    (await service.call('POST', `/v2/interact/${id}/execute`, { code, language, timeout })).json
  beforeAll(async () => {
    id = (await service.call('POST', '/v2/interact', {})).json.id
    other = (await service.call('POST', '/v2/interact', {})).json
  })
  afterAll(async () => {
    for (const one of [id, other?.id]) await service.call('DELETE', `/v2/interact/${one}`)
  })

  it.each([
    ['the data folder', () => `ls ${service.dataDir}`, /No such file/],
    ['the users of the machine', () => 'cat /etc/passwd /etc/shadow', /No such file/],
    ['the home of root', () => 'ls /root /home', /No such file|^session\n?$/m],
    ['other processes', () => `ls -d /proc/${service.pid} && cat /proc/${service.pid}/environ`, /No such file/],
    ['killing the service', () => `kill -9 ${service.pid}`, /No such process/],
    ['killing everything it sees', () => 'kill -9 -1; echo still', /./],
    ['writing outside', () => 'touch /usr/x /orb/kit/x /orb/session/x /x', /Read-only|Permission denied/],
    [
      'a disk full of files',
      () => 'dd if=/dev/zero of=/tmp/big bs=1M count=500; rm -f /tmp/big',
      /too large|No space|limit exceeded/,
    ],
    [
      'many small files',
      () => 'for i in 1 2 3; do head -c 60M /dev/zero > /tmp/f$i || true; done; rm /tmp/f*',
      /No space/,
    ],
    ['a link to what lies outside', () => 'ln -s /etc/passwd /tmp/l; cat /tmp/l', /No such file/],
    ['raw devices', () => 'ls /dev/vda /dev/sda /dev/mem', /No such file/],
    ['mounting', () => 'mount -t proc proc /tmp', /denied|must be superuser|not permitted/],
    ['another namespace', () => 'unshare -U true', /failed|denied|not permitted/],
    ['becoming root', () => 'su -c id; sudo id', /not found|failure|denied|cannot|must|not exist/i],
  ])('%s', async (_name, code, said) => {
    const { stderr, stdout } = await run('bash', code())
    expect(`${stderr}${stdout}`).toMatch(said)
    expect((await service.call('GET', '/v2/health/liveness')).status).toBe(200)
  })

  it('has no network: neither the service, nor another session, nor metadata, nor names', async () => {
    const port = new URL(service.url).port
    const tries = `const net = require('node:net'), dns = require('node:dns').promises
      const dial = (host, port) => new Promise((done) => net.connect({ host, port, timeout: 1500 })
        .on('connect', () => done('open')).on('error', (e) => done(e.code)).on('timeout', () => done('timeout')))
      const found = await Promise.all([dial('127.0.0.1', ${port}), dial('169.254.169.254', 80), dial('1.1.1.1', 53)])
      found.concat(await dns.resolve('example.com').then(() => 'resolved', (e) => e.code))`
    const { result } = await run('node', tries)
    expect(JSON.parse(result)).toEqual([
      'ECONNREFUSED',
      'ENETUNREACH',
      'ENETUNREACH',
      expect.not.stringMatching('resolved'),
    ])
    const reached = await run(
      'node',
      `await require('playwright-core').chromium.connectOverCDP('${other.cdpUrl}').then(() => 'in', () => 'out')`,
    )
    expect(reached.result).toBe('out')
  })

  it('sees an empty environment and its own processes only', async () => {
    const { result } = await run(
      'node',
      '({ names: Object.keys(process.env).sort(), seen: require("fs").readdirSync("/proc").filter((n) => /^\\d+$/.test(n)).length })',
    )
    const { names, seen } = JSON.parse(result)
    expect(names.join(' ')).not.toMatch(/ORB_|KEY|TOKEN|SECRET/)
    expect(seen).toBeLessThan(6)
  })

  it.each([
    ['a fork bomb', 'bash', ':(){ :|:& };:; sleep 30', 3],
    ['an endless loop in native code', 'node', 'Buffer.alloc(1e8).fill("a").toString().match(/(a+)+b/)', 2],
    ['a loop in Python', 'python', 'while True: pass', 2],
    ['memory without end', 'python', 'x = []\nwhile True: x.append(bytearray(10_000_000))', 20],
    ['a process that lets nobody end it', 'bash', "trap '' TERM INT HUP; while :; do :; done", 2],
  ])('%s is ended from outside, and the session goes on', async (_name, language, code, timeout) => {
    const ended = await run(language, code, timeout)
    expect(ended.killed || ended.exitCode !== 0).toBe(true)
    expect((await run(language, language === 'bash' ? 'echo 2' : '1 + 1')).exitCode).toBe(0)
  })

  it('a gigabyte of output is cut, not kept', async () => {
    const flood = await run('bash', 'head -c 1000000000 /dev/zero | tr "\\0" x', 60)
    expect(flood.truncated).toBe(true)
    expect(flood.stdout.length).toBeLessThanOrEqual(1024 * 1024)
  })
})
