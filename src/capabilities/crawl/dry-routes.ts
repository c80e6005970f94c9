// The HTTP routes of dry runs and of prompts turned into options. Neither starts or charges anything.
import { formatsOfPages } from '../../teams/restrictions.ts'
import { defineCapability } from '../capability.ts'
import { needs, route } from './needs.ts'
import { planCrawl } from './plan.ts'
import { crawlWords } from './prompt-to-options.ts'
import { planBody, planReply, previewBody, previewReply } from './schema.ts'

const postPlan = route({
  method: 'POST',
  path: '/v2/crawl/plan',
  summary: 'What a crawl would visit or drop, and why, without scraping',
  tag: 'Crawl',
  bucket: 'map',
  body: planBody,
  example: { url: 'https://example.com', limit: 100 },
  reply: planReply,
  async handle(services, { body }, { signal }) {
    const { data, warning } = await planCrawl(services, body, signal)
    return { success: true, data, ...(warning ? { warning } : {}) }
  },
})

const postPreview = route({
  method: 'POST',
  path: '/v2/crawl/params-preview',
  summary: 'Crawl options from words',
  tag: 'Crawl',
  bucket: 'jobStatus',
  body: previewBody,
  example: { url: 'https://example.com', prompt: 'Only the blog, at most 50 pages' },
  reply: previewReply,
  async handle({ llm }, { body }, { signal }) {
    const { options, warning } = await crawlWords(llm, body.prompt, body.url, signal)
    return { success: true, data: { url: body.url, ...options }, ...(warning ? { warning } : {}) }
  },
})

export const crawlPlan = defineCapability({
  name: 'crawl plan',
  right: 'use',
  needs,
  group: 'crawl',
  formats: formatsOfPages(['markdown']),
  routes: [postPlan, postPreview],
})
