import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bucketOptionsOf, ConfigError, isLoopback, readConfig, settingFields, writeConfigTable } from './config.ts'

describe('configuration', () => {
  it('has the defaults that the docs name', () => {
    expect(readConfig({})).toMatchObject({
      port: 3002,
      host: '127.0.0.1',
      dataDir: './data',
      auth: 'on',
      allowPrivate: [],
    })
  })

  it('has every name of the product', () => {
    const names = Object.values(settingFields).map(({ env }) => env)
    expect(names).toEqual(
      expect.arrayContaining(
        'PORT HOST DATA_DIR DATABASE_URL API_KEY AUTH ALLOW_PRIVATE DNS_SERVERS PUBLIC_URL CHROMIUM BROWSER_ENDPOINTS LLM_URL LLM_MODEL LLM_KEY SEARXNG_URL BRAVE_KEY SERPER_KEY SMTP_URL PROXIES_BASIC PROXIES_ENHANCED CONCURRENCY'
          .split(' ')
          .map((name) => `ORB_${name}`),
      ),
    )
  })

  it('reads lists and trims them', () => {
    expect(readConfig({ ORB_ALLOW_PRIVATE: ' 10.0.0.0/8, wiki:80 ,' }).allowPrivate).toEqual(['10.0.0.0/8', 'wiki:80'])
  })

  it('takes an empty value for none', () => {
    expect(readConfig({ ORB_PORT: '', ORB_API_KEY: '' })).toMatchObject({ port: 3002, apiKey: undefined })
  })

  it('names everything that is wrong at once', () => {
    expect(() => readConfig({ ORB_PORT: '99999', ORB_API_KEY: 'short', ORB_TYPO: '1' })).toThrow(ConfigError)
    expect(() => readConfig({ ORB_PORT: '99999', ORB_API_KEY: 'short', ORB_TYPO: '1' })).toThrow(
      /ORB_PORT[\s\S]*ORB_API_KEY[\s\S]*ORB_TYPO/,
    )
  })

  it('refuses to switch keys off for a machine that others can reach', () => {
    expect(() => readConfig({ ORB_AUTH: 'off', ORB_HOST: '0.0.0.0' })).toThrow(/loopback/)
    expect(readConfig({ ORB_AUTH: 'off', ORB_HOST: '::1' }).auth).toBe('off')
    expect(isLoopback('127.255.0.1')).toBe(true)
  })

  it('sends remote browsers through the service, so it must know where they reach it', () => {
    const far = { ORB_BROWSER_ENDPOINTS: 'http://10.0.0.7:9222' }
    expect(() => readConfig(far)).toThrow(/ORB_EGRESS_ADDRESS: must be set .*10\.0\.0\.7:9222/)
    expect(readConfig({ ...far, ORB_EGRESS_ADDRESS: '10.0.0.5:3128' }).egressAddress).toBe('10.0.0.5:3128')
    expect(readConfig({ ORB_BROWSER_ENDPOINTS: 'ws://[::1]:9222/devtools' }).browserEndpoints).toHaveLength(1)
    expect(() => readConfig({ ORB_BROWSER_ENDPOINTS: '10.0.0.7' })).toThrow(/ORB_BROWSER_ENDPOINTS: must be a comma/)
    expect(() => readConfig({ ORB_EGRESS_ADDRESS: 'http://a:1' })).toThrow(/ORB_EGRESS_ADDRESS: must look like/)
  })

  it('cannot be changed afterwards', () => {
    expect(() => Object.assign(readConfig({}), { port: 1 })).toThrow()
  })

  it('wants all that a bucket needs, or nothing of it', () => {
    expect(() => readConfig({ ORB_S3_BUCKET: 'x' })).toThrow(/ORB_S3_ENDPOINT, ORB_S3_ACCESS_KEY, ORB_S3_SECRET_KEY: a/)
    expect(bucketOptionsOf(readConfig({}))).toBeUndefined()
  })

  it('trusts issuers only when it knows its own address, which assertions must be meant for', () => {
    const trusting = { ORB_TRUSTED_ISSUERS: 'https://login.example.org' }
    expect(() => readConfig(trusting)).toThrow(/needs ORB_PUBLIC_URL/)
    expect(readConfig({ ...trusting, ORB_PUBLIC_URL: 'https://orb.example' }).trustedIssuers).toHaveLength(1)
    expect(() => readConfig({ ORB_TRUSTED_ISSUERS: 'login.example.org' })).toThrow(/must be URLs/)
  })

  it('answers without a key in private networks only', () => {
    expect(readConfig({ ORB_KEYLESS: '172.16.0.0/12, fd00::/8' }).keyless).toHaveLength(2)
    for (const wide of ['0.0.0.0/0', '172.16.0.0/8', '8.8.8.8', 'example.org'])
      expect(() => readConfig({ ORB_KEYLESS: wide })).toThrow(/must be private addresses/)
  })

  it('is what docs/configuration.md says', () => {
    expect(readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')).toContain(writeConfigTable())
  })
})
