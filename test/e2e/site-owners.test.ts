// What owners of sites state about their pages: opt-outs in metadata, and enforced for a team.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Site, startSite } from '../site/site.ts'
import { siteOwnerPages } from '../site/site-owners.ts'
import { type Service, startService } from './service.ts'
import { type Member, newTeam } from './team.ts'

let site: Site
let service: Service
let team: Member
beforeAll(async () => {
  site = await startSite(siteOwnerPages)
  service = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  team = await newTeam(service, 'readers')
})
afterAll(async () => {
  await service?.stop()
  await site?.close()
})

const scrape = (path: string, options: object = {}, call = service.call) =>
  call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, ...options })
const AI = ['ai-input', 'ai-train']

describe('opt-outs without a policy', () => {
  it.each([
    ['/noai', { reservedUses: AI, reservedBy: ['X-Robots-Tag: noai'] }],
    ['/meta', { reservedUses: AI, reservedBy: ['meta robots: noai'] }],
    ['/terms', { reservedUses: AI, tdmPolicy: 'https://example.com/terms' }],
  ])('are in the metadata of %s', async (path, metadata) => {
    expect((await scrape(path)).json.data.metadata).toMatchObject(metadata)
  })

  it('cost no further request, and a page cannot write the fields itself', async () => {
    for (const path of ['/free', '/pretends']) {
      const { metadata } = (await scrape(path)).json.data
      expect(metadata.reservedUses ?? metadata.reservedBy).toBeUndefined()
    }
    expect(site.hits('/.well-known/tdmrep.json')).toBe(0)
  })
})

describe('the policy of a team', () => {
  const set = async (policy: object) =>
    expect((await team.call('PUT', '/v2/team/opt-outs', policy)).status, JSON.stringify(policy)).toBe(200)

  it('is empty at first, and written by its admins', async () => {
    const { json } = await team.call('GET', '/v2/team/opt-outs')
    expect(json.data).toMatchObject({ uses: [], enforce: true, configured: false })
    expect((await team.call('PUT', '/v2/team/opt-outs', { uses: ['resale'] })).status).toBe(400)
  })

  it('refuses reserved pages, cached or not, and says by which statement', async () => {
    await scrape('/noai', { maxAge: 60_000 })
    await set({ uses: ['ai-train'] })
    const visits = site.hits('/mined/a')
    for (const [path, by] of [
      ['/noai', 'X-Robots-Tag: noai'],
      ['/meta', 'meta robots: noai'],
      ['/signal/a', 'Content-Signal in robots.txt'],
      ['/mined/a', '/.well-known/tdmrep.json'],
    ] as const) {
      const { status, json } = await scrape(path, { maxAge: path === '/noai' ? 60_000 : 0 }, team.call)
      expect({ path, status, code: json.code }).toEqual({ path, status: 403, code: 'USE_RESERVED' })
      expect(json.error).toContain(`ai-train (${by})`)
    }
    expect(site.hits('/mined/a')).toBe(visits)
    expect((await scrape('/to-mined', {}, team.call)).json.code).toBe('USE_RESERVED')
    expect((await scrape('/free', {}, team.call)).status).toBe(200)
    expect((await scrape('/mined/a')).status).toBe(200)
  })

  it('of another use lets the page through; without `enforce` it is only reported', async () => {
    await set({ uses: ['search'] })
    expect((await scrape('/signal/a', {}, team.call)).json.data.metadata.reservedUses).toEqual(['ai-train'])
    await set({ uses: ['ai-train'], enforce: false })
    const { json } = await scrape('/mined/a', {}, team.call)
    expect(json.data.metadata).toMatchObject({ reservedUses: AI, reservedBy: ['/.well-known/tdmrep.json'] })
  })
})
