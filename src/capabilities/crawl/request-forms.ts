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
      'crawl*',
      'spider',
      'whole site',
      'whole website',
      'entire site',
      'entire website',
      'full site',
      'all pages',
      'all the pages',
      'every page',
      'all of',
      'everything on',
      'everything under',
      'ganze website',
      'ganze seite',
      'ganze* webseite',
      'alle seiten',
      'tout le site',
      'toutes les pages',
      'todo el sitio',
      'todas las paginas',
    ],
    body: ({ urls }) => ({ url: urls[0] ?? '', limit: LIMIT, scrapeOptions: { formats: ['markdown'] } }),
  },
  {
    ...crawl,
    name: 'download',
    places: {},
    label: 'Download the files',
    why: 'the documents that this page links to',
    phrases: [
      'speicher*',
      'enregistre*',
      'download*',
      'all pdfs',
      'the pdfs',
      'pdf files',
      'save … pdf*',
      'get … pdfs',
      'herunterlad*',
      'lade … herunter',
      'telecharge*',
      'descarga*',
    ],
    body: ({ urls }) => ({
      url: urls[0] ?? '',
      limit: LIMIT,
      includePaths: ['\\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|zip)$'],
      maxDiscoveryDepth: 1,
      sitemap: 'skip',
      scrapeOptions: { formats: ['markdown', 'rawBase64'] },
    }),
  },
]
