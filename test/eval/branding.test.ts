// Branding, judged on ten pages with known style sheets, through the real service and its browser.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Json, type Service, startService } from '../e2e/service.ts'
import { type Site, startSite } from '../site/site.ts'
import floors from './branding-floors.json' with { type: 'json' }
import { type BrandingCase, scoreBranding } from './understanding/branding/score.ts'
import { readCases } from './understanding/cases.ts'
import { faults, shares, total } from './understanding/tally.ts'

const set = (name: string) => new URL(`understanding/branding/${name}`, import.meta.url)
const cases = readCases<BrandingCase>(set('own.json'))

let site: Site
let service: Service
beforeAll(async () => {
  const pages = cases.map(({ id }) => [
    `/brands/${id}`,
    ({ response }: { response: import('node:http').ServerResponse }) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(readFileSync(set(`pages/${id}.html`)))
    },
  ])
  site = await startSite(Object.fromEntries(pages))
  service = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

it('colours, fonts, radius and buttons of known style sheets are right', { timeout: 240_000 }, async () => {
  const scores: (readonly [string, ReturnType<typeof scoreBranding>])[] = []
  for (const one of cases) {
    const document: Json = await service.sdk.scrape(`${site.url}/brands/${one.id}`, {
      formats: ['branding'],
      maxAge: 0,
    })
    scores.push([one.id, scoreBranding(one, document.branding)])
  }
  const { right } = shares(total(scores.map(([, score]) => score)))
  expect(right, faults(scores).join('\n')).toBeGreaterThanOrEqual(floors.right)
})
