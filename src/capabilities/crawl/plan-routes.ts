// The HTTP routes of dry runs and of prompts turned into options. Neither starts or charges anything.
import { makeScrapeOptionsFormatsReader } from '../../teams/key-restrictions.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute } from '../route.ts'
import { planCrawl } from './plan-crawl.ts'
import { crawlOptionsFromPrompt } from './prompt-to-options.ts'
import { crawlPlanBody, crawlPlanReply, promptPreviewBody, promptPreviewReply } from './schema.ts'

const postPlan = defineRoute({
  method: 'POST',
  path: '/v2/crawl/plan',
  summary: 'Pages a crawl would visit or drop, with reasons, without scraping',
  bucket: 'map',
  body: crawlPlanBody,
  example: { url: 'https://example.com', limit: 100 },
  reply: crawlPlanReply,
  async handle(services, { body }, { signal }) {
    const { data, warning } = await planCrawl(services, body, signal)
    return { success: true, data, ...(warning ? { warning } : {}) }
  },
})

const postPreview = defineRoute({
  method: 'POST',
  path: '/v2/crawl/params-preview',
  summary: 'Crawl options from words',
  bucket: 'jobStatus',
  body: promptPreviewBody,
  example: { url: 'https://example.com', prompt: 'Only the blog, at most 50 pages' },
  reply: promptPreviewReply,
  async handle({ llm }, { body }, { signal }) {
    const { options, warning } = await crawlOptionsFromPrompt(llm, body.prompt, body.url, signal)
    return { success: true, data: { url: body.url, ...options }, ...(warning ? { warning } : {}) }
  },
})

export const crawlPlanCapability = defineCapability({
  name: 'crawl plan',
  tag: 'Crawl',
  right: 'use',
  group: 'crawl',
  formats: makeScrapeOptionsFormatsReader(['markdown']),
  routes: [postPlan, postPreview],
})
