// /llms.txt: a one-page API description for language models.

import type { Capability } from '../capabilities/capability.ts'
import { deriveOperations } from '../capabilities/derive-operations.ts'

export function writeLlmsTxt(capabilities: readonly Capability[], base: string): string {
  const rows = deriveOperations(capabilities)
    .filter(({ isAccount }) => !isAccount)
    .map(({ method, path, takesBody, summary, inputs }) => {
      const { required } = inputs()
      const needs =
        takesBody && required.length > 0 ? ` Needs ${required.map((name) => `\`${name}\``).join(', ')}.` : ''
      return `- \`${method} ${path}\`: ${summary}.${needs}`
    })
  return [
    '# Orbweaver',
    '> A self-hosted web data service: give it an address, get clean markdown, html, links and metadata as JSON.',
    `Every request carries \`Authorization: Bearer <key>\`; a key begins with \`fc-\`. Request and response bodies are JSON. A failure has \`success: false\` and \`error\`, which states what was wrong, where, and what is expected.`,
    `The shortest call: \`GET ${base}/r/https://example.com\` returns the page as markdown. The usual one:`,
    ['```', `POST ${base}/v2/scrape`, '{"url": "https://example.com", "formats": ["markdown", "links"]}', '```'].join(
      '\n',
    ),
    'A crawl or a batch returns an id at once; request its status until `status` is no longer `scraping`, and follow `next` while there is one. A file on the web is scraped like a page; one of your own is sent to `/v2/parse` as multipart with a `file` part.',
    'A 429 states in `Retry-After` when to retry. A page that blocks robots is an error, not content, and costs nothing.',
    '## Calls',
    rows.join('\n'),
    '## More',
    [
      `- [OpenAPI](${base}/openapi.json): every option, with its type and meaning`,
      `- [The same, to read and try](${base}/docs)`,
      `- Model Context Protocol: \`POST ${base}/mcp\` with the same key, or \`orb mcp\` on standard input and output`,
      `- Clients written for the \`firecrawl\` API work when pointed at ${base}`,
    ].join('\n'),
    '',
  ].join('\n\n')
}
