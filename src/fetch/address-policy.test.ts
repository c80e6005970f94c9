import { describe, expect, it } from 'vitest'
import { makeAddressPolicy } from './address-policy.ts'

const refusal = /not on the public web/

describe('addresses of the public web', () => {
  // As an answer of the name server: the check that stands before every connection.
  const check = (address: string) => makeAddressPolicy([]).checkAnswers('site.example', 443, [address])

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:0:4136:e378::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'nonsense',
    '',
  ])('do not include %s', (address) => {
    expect(() => check(address)).toThrow(refusal)
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '198.17.0.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('include %s', (address) => {
    expect(check(address)).toBe('public')
  })
})

describe('addressPolicy', () => {
  it('refuses loopback names before any look-up, with and without the root dot', () => {
    const policy = makeAddressPolicy(['127.0.0.0/8'])
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', 'a.b.localhost.']) {
      expect(() => policy.checkHost(host, 80)).toThrow(refusal)
    }
    expect(() => policy.checkHost('localhost.example.com', 80)).not.toThrow()
  })

  it('refuses a mixed answer as a whole', () => {
    const policy = makeAddressPolicy([])
    expect(() => policy.checkAnswers('a.example', 80, ['8.8.8.8', '10.0.0.1'])).toThrow(refusal)
    expect(() => policy.checkAnswers('a.example', 80, ['10.0.0.1', '8.8.8.8'])).toThrow(refusal)
    expect(policy.checkAnswers('a.example', 80, ['8.8.8.8', '1.1.1.1'])).toBe('public')
  })

  it('never says what a name resolved to', () => {
    const policy = makeAddressPolicy([])
    expect(() => policy.checkAnswers('a.example', 80, ['10.11.12.13'])).toThrow(
      expect.objectContaining({ kind: 'refused_address', message: expect.not.stringContaining('10.11') }),
    )
  })

  it('allows a block for every host and port', () => {
    const policy = makeAddressPolicy(['10.0.0.0/8', 'fd00::/8'])
    expect(policy.checkAnswers('wiki.corp', 8080, ['10.1.2.3'])).toEqual({ rule: '10.0.0.0/8' })
    expect(policy.checkAnswers('wiki.corp', 80, ['::ffff:10.1.2.3'])).toEqual({ rule: '10.0.0.0/8' })
    expect(policy.checkAnswers('wiki.corp', 80, ['fd00::1'])).toEqual({ rule: 'fd00::/8' })
    expect(() => policy.checkAnswers('wiki.corp', 80, ['192.168.0.1'])).toThrow(refusal)
  })

  it('allows an address with a port on that port only', () => {
    const policy = makeAddressPolicy(['127.0.0.1:4000', '[::1]:4000'])
    expect(() => policy.checkHost('127.0.0.1', 4000)).not.toThrow()
    expect(() => policy.checkHost('[::1]', 4000)).not.toThrow()
    expect(() => policy.checkHost('[::ffff:127.0.0.1]', 4000)).not.toThrow()
    expect(() => policy.checkHost('127.0.0.1', 4001)).toThrow(refusal)
    expect(() => policy.checkHost('127.0.0.2', 4000)).toThrow(refusal)
    expect(() => policy.checkHost('[::1]', 80)).toThrow(refusal)
  })

  it('allows a named host, whatever it resolves to, and no other host at the same address', () => {
    const policy = makeAddressPolicy(['Wiki.Corp', 'build.corp:8443', 'localhost'])
    expect(policy.checkAnswers('wiki.corp.', 80, ['10.1.2.3'])).toEqual({ rule: 'Wiki.Corp' })
    expect(() => policy.checkAnswers('other.corp', 80, ['10.1.2.3'])).toThrow(refusal)
    expect(() => policy.checkAnswers('a.wiki.corp', 80, ['10.1.2.3'])).toThrow(refusal)
    expect(policy.checkAnswers('build.corp', 8443, ['10.1.2.4'])).toEqual({ rule: 'build.corp:8443' })
    expect(() => policy.checkAnswers('build.corp', 443, ['10.1.2.4'])).toThrow(refusal)
    expect(() => policy.checkHost('localhost', 80)).not.toThrow()
    expect(() => policy.checkHost('127.0.0.1', 80)).toThrow(refusal)
  })

  it.each(['10.0.0.0/33', 'a b', 'http://wiki', 'wiki:99999', '[wiki]:80', '::1/129', '10.0.0.0/x'])(
    'does not start with the entry %j',
    (entry) => {
      expect(() => makeAddressPolicy([entry])).toThrow(/ORB_ALLOW_PRIVATE/)
    },
  )
})
