// The branding of the ten pages with known style sheets, through the real service and its browser.
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type Json, type Service, startService } from '../../../e2e/service.ts'
import { type Site, startSite } from '../../../site/site.ts'
import { readCases } from '../cases.ts'
import type { Scores } from '../run.ts'
import { type BrandingCase, scoreBranding } from './score.ts'

export interface BrandRun {
  site: Site
  service: Service
  scores(): Promise<Scores>
  end(): Promise<void>
}

export async function startBrandRun(): Promise<BrandRun> {
  const cases = readCases<BrandingCase>(new URL('own.json', import.meta.url))
  const pages = cases.map(({ id }) => [
    `/brands/${id}`,
    ({ response }: { response: ServerResponse }) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(readFileSync(new URL(`pages/${id}.html`, import.meta.url)))
    },
  ])
  const site = await startSite(Object.fromEntries(pages))
  const service = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  return {
    site,
    service,
    async scores() {
      const scores: [string, ReturnType<typeof scoreBranding>][] = []
      for (const one of cases) {
        const address = `${site.url}/brands/${one.id}`
        const document: Json = await service.sdk.scrape(address, { formats: ['branding'], maxAge: 0 })
        scores.push([one.id, scoreBranding(one, document.branding)])
      }
      return scores
    },
    async end() {
      await service.stop()
      await site.close()
    },
  }
}
