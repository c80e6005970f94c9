// Typed requests that a crawl answers. The limit is small: pressing Enter must not read ten thousand pages.
import type { RequestForm } from '../request-form.ts'

const crawl = { takes: 'site', operation: 'crawl', path: '/v2/crawl', isQuick: false } as const
const LIMIT = 20

export const requestForms: readonly RequestForm[] = [
  {
    ...crawl,
    name: 'crawl',
    places: { address: 2 },
    label: 'Crawl',
    why: 'every page of the site, up to a limit',
    phrases: [
      'crawl*|spider|mirror',
      'whole|entire|everything',
      'whole|entire|full|complete site|website',
      'download* everything',
      'download* the|all|every site|website|pages',
      'all|every|each page|post|article',
      'all the pages',
      'all of',
      '# pages|posts|articles|entries|products',
      'ganze*',
      'alle seiten',
      'tout le site',
      'toutes les pages',
      'todo el sitio',
      'todas las paginas',
    ],
    body: ({ urls, count = LIMIT }) => ({ url: urls[0] ?? '', limit: count, scrapeOptions: { formats: ['markdown'] } }),
  },
  {
    ...crawl,
    name: 'download',
    places: {},
    label: 'Download the files',
    why: 'the documents that this page links to',
    phrases: [
      'download*',
      'download*|save|get|fetch|grab|collect … pdfs|files|documents|attachments|spreadsheets|xlsx|docx|pptx',
      'all|the|every pdfs|files|documents|attachments',
      'pdf|word|excel|xlsx|docx|csv|zip files',
      'herunterlad*|lade|speicher*',
      'telecharge*|enregistre*',
      'descarga*',
    ],
    body: ({ urls, count = LIMIT }) => ({
      url: urls[0] ?? '',
      limit: count,
      includePaths: ['\\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|zip)$'],
      maxDiscoveryDepth: 1,
      sitemap: 'skip',
      scrapeOptions: { formats: ['markdown', 'rawBase64'] },
    }),
  },
]
