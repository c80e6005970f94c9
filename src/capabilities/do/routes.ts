// POST /v2/do: which capability a typed request means, with the body that would run it. The dashboard's box, `orb "…"` and
// the MCP tool `do` run the first offer; this route runs nothing.

import { z } from 'zod'
import { clientShape } from '../../scrape/scrape-options.ts'
import { defineCapability } from '../capability.ts'
import type { McpToolDescriptions } from '../mcp-tool-descriptions.ts'
import { defineRoute } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { readRequest } from './read-request.ts'

const mcp: McpToolDescriptions = {
  do: {
    use: 'Run a typed request: a verb, a URL and the expected result. Runs the best capability and names the next best.',
    example: { request: 'screenshot of example.com' },
    inputs: { request: '' },
  },
}

const MAX_LENGTH = 20_000

const doBody = z.strictObject({
  request: z.string().max(MAX_LENGTH).describe('What to do, such as `screenshot of example.com`.'),
  ...clientShape,
})

const doReply = successReply({
  kind: z.enum(['nothing', 'address', 'addresses', 'words']),
  urls: z.array(z.string()).describe('The URLs that were found.'),
  words: z.string().describe('The request without its URLs.'),
  offers: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        why: z.string(),
        operation: z.string().describe('The command of `orb` and the tool of MCP.'),
        path: z.string(),
        screen: z.string().optional().describe('The dashboard screen for it.'),
        isQuick: z.boolean().describe('Reads one page or makes one query, so that it may run at once.'),
        body: z.looseObject({}).describe('The body of the request to `path`.'),
      }),
    )
    .describe('What the request can mean, the likeliest first.'),
})

const understand = defineRoute({
  method: 'POST',
  path: '/v2/do',
  command: 'do',
  summary: 'Find the capability for a typed request',
  bucket: 'jobStatus',
  group: 'open',
  body: doBody,
  example: { request: 'screenshot of example.com' },
  reply: doReply,
  async handle({ declared }, { body }) {
    const { kind, urls, words, count, offers } = readRequest(body.request, declared.requestForms)
    const shown = offers.map(({ name, label, why, operation, path, screen, isQuick, body: makeBody }) => ({
      ...{ name, label, why, operation, path, isQuick, ...(screen ? { screen } : {}) },
      body: makeBody({ urls, words, count }),
    }))
    return { success: true, kind, urls, words, offers: shown }
  },
})

export const doCapability = defineCapability({
  name: 'do',
  tag: 'Do',
  right: 'use',
  cliGroup: 'Get pages',
  mcp,
  routes: [understand],
})
