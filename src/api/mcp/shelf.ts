// The tools that every agent sees, in words: when to use each and when not, one example, and the few inputs that most
// calls need. A list of tools is read before anything was asked, so it is short; the other options of a tool go into
// `options`, and the other operations are behind `more_tools`. Operations are named as in operations.ts.

/** An input by its short description; '' where its name says enough. An object stands as the schema itself. */
export type ShelfInput = string | Readonly<Record<string, unknown>>

export interface Shelved {
  /** When to use it. */
  use: string
  /** When not, and what instead. */
  not?: string
  example?: Readonly<Record<string, unknown>>
  /** Most used first. Required ones need not be named. */
  inputs?: Readonly<Record<string, ShelfInput>>
}

const FORMATS = {
  type: 'array',
  items: {},
  description:
    'markdown (default), html, links, images, screenshot, summary, branding, product, menu, {"type":"json","schema":{…},"prompt":"…"}, {"type":"question","question":"…"}',
}
const PAGE_OPTIONS = {
  type: 'object',
  description: 'Options of scrape for each page, such as {"formats":["markdown"]}',
}
const LIST = { type: 'array', items: { type: 'string' } }
const OBJECT = { type: 'object' }

const PAGED = { limit: 'Most documents in one answer', skip: 'Documents to pass over' }

export const shelf: Readonly<Record<string, Shelved>> = {
  scrape: {
    use: 'Read one web page whose address you have: its text as markdown, a screenshot, or JSON fields such as price and title by a schema.',
    not: 'several addresses (batch), a whole site (crawl), no address (search)',
    example: { url: 'https://example.com', formats: ['markdown'] },
    inputs: {
      url: '',
      formats: FORMATS,
      onlyMainContent: 'Without navigation and footer; true by default',
      includeTags: 'CSS selectors to keep',
      excludeTags: 'CSS selectors to drop',
      waitFor: 'ms before reading',
      timeout: 'ms for all',
      mobile: '',
      maxAge: 'ms; 0: do not use the cache',
      actions: {
        type: 'array',
        items: OBJECT,
        description: 'Steps first: {"type":"click","selector":"…"}, write, press, scroll, wait',
      },
      location: { type: 'object', description: '{"country":"DE","languages":["de"]}' },
    },
  },
  parse: {
    use: 'Read a file or document (PDF, Word, Excel, image, HTML) to markdown with its tables.',
    not: 'web pages (scrape)',
    example: { url: 'https://example.com/paper.pdf' },
    inputs: {
      formats: { type: 'array', items: {}, description: 'As in scrape' },
      parsers: { type: 'array', items: {}, description: '[{"type":"pdf","mode":"fast|auto|ocr","maxPages":10}]' },
    },
  },
  batch: {
    use: 'Scrape many addresses from a list you already have, as one job. Then ask batch_status.',
    not: 'one page (scrape), addresses unknown (crawl)',
    example: { urls: ['https://example.com/a', 'https://example.com/b'] },
    inputs: { urls: LIST, formats: { type: 'array', items: {}, description: 'As in scrape' }, ignoreInvalidURLs: '' },
  },
  'batch status': { use: 'How far a batch is, and the pages it has scraped.', inputs: PAGED },
  crawl: {
    use: 'Download every page of a website or a section, such as documentation, following its links. Then ask crawl_status.',
    not: 'one page (scrape), only the list of URLs (map)',
    example: { url: 'https://example.com/docs', limit: 50 },
    inputs: {
      url: '',
      limit: 'Most pages. Always set it; 10000 by default',
      includePaths: { ...LIST, description: 'Regular expressions of paths' },
      excludePaths: LIST,
      maxDiscoveryDepth: '',
      crawlEntireDomain: 'Also pages above the start',
      allowSubdomains: '',
      sitemap: '',
      scrapeOptions: PAGE_OPTIONS,
      prompt: 'What to crawl, in words',
    },
  },
  'crawl status': { use: 'Whether a crawl is finished or still running, and its pages.', inputs: PAGED },
  'crawl cancel': { use: 'Stop a running crawl. Its pages stay.' },
  map: {
    use: 'List the URLs a website has, quickly and without reading them; with `search` the one page about a topic comes first.',
    not: 'page content (scrape, crawl)',
    example: { url: 'https://example.com', search: 'refunds' },
    inputs: { url: '', search: 'Order by these words', limit: '', includeSubdomains: '', sitemap: '' },
  },
  search: {
    use: 'Search the web for a topic, news or images when you have no address.',
    not: 'a known page (scrape), research over several steps (agent)',
    example: { query: 'solid state battery 2026', limit: 5 },
    inputs: {
      query: '',
      limit: '',
      sources: { ...LIST, description: 'web, news, images' },
      categories: { ...LIST, description: 'github, research, pdf, developer' },
      includeDomains: LIST,
      excludeDomains: LIST,
      tbs: 'qdr:d|w|m|y: the last day, week…',
      country: '',
      scrapeOptions: { ...PAGE_OPTIONS, description: 'Read each hit too, such as {"formats":["markdown"]}' },
    },
  },
  agent: {
    use: 'Research a question over several websites without known pages: plans, searches, reads, compares and answers with sources, as JSON by a schema. Then ask agent_status.',
    not: 'one page (scrape), a quick lookup (search)',
    example: { prompt: 'Compare the free plans of Acme and Globex' },
    inputs: {
      prompt: '',
      urls: { ...LIST, description: 'Where to begin' },
      schema: { type: 'object', description: 'JSON Schema of the answer' },
      maxCredits: '',
      strictConstrainToURLs: 'Only these pages',
    },
  },
  'agent status': { use: 'Whether the agent has found its answer yet, with its data and sources.' },
  'agent cancel': { use: 'Stop a run of the agent.' },
  interact: {
    use: 'Go on in a page you just scraped: click a button, fill in a form, load more; by `prompt` in words or by `code`.',
    not: 'steps known beforehand (`actions` of scrape), a browser of its own (session_open)',
    example: { jobId: '<scrape_id>', prompt: 'Click "Load more" and list the prices' },
    inputs: { jobId: '`scrape_id` of the scrape', prompt: '', code: 'Playwright; `page` is there', language: '' },
  },
  'interact stop': { use: 'Close the page that interact holds open.' },
  'session open': {
    use: 'Open a browser for a longer task, such as a login; a profile remembers it for next time.',
    not: 'a page you scraped (interact)',
    example: { profile: { name: 'shop' } },
    inputs: { profile: { type: 'object', description: '{"name":"…"}' }, ttl: 'Seconds it lives' },
  },
  'session prompt': { use: 'Do what words say in an open browser session.' },
  'session run': { use: 'Run Playwright code in an open browser session.', inputs: { code: '', language: '' } },
  'session stop': { use: 'Close a browser session.' },
  'monitor create': {
    use: 'Watch pages, a site or a search on a schedule, and be told when something changes, such as a price.',
    not: 'reading once (scrape)',
    example: {
      name: 'Price',
      schedule: { text: 'every 30 minutes' },
      targets: [{ type: 'scrape', urls: ['https://example.com/item'] }],
      goal: 'The price changes',
    },
    inputs: {
      name: '',
      schedule: { type: 'object', description: '{"text":"daily at 9am"} or {"cron":"…"}' },
      targets: { type: 'array', items: OBJECT },
      goal: 'What matters, in words',
      webhook: OBJECT,
      notification: OBJECT,
    },
  },
  'monitor list': { use: 'The monitors there are, with their ids.' },
  'monitor history': { use: 'What changed on the pages that a monitor watches, newest first.', inputs: { limit: '' } },
  'monitor run': { use: 'Let a monitor look now, before its time.' },
  'monitor delete': { use: 'Delete a monitor: stop watching for good.' },
  jobs: {
    use: 'List recent jobs of every kind: crawls, batches, agent runs.',
    inputs: { kind: '', limit: '' },
  },
  'jobs pages': { use: 'Every page a crawl or batch knows: kept, dropped or failed, and why.', inputs: { limit: '' } },
}
