// The only reader of the environment: one table of name, schema and help. `orb help config` and docs/configuration.md
// are printed from it. Values are checked once, frozen, and handed down in slices.
import { z } from 'zod'
import { planNames } from './teams/plans.ts'

interface Field<S extends z.ZodType = z.ZodType> {
  env: string
  schema: S
  /** How the default is shown to people. */
  shown: string
  help: string
  /** The part of the product that reads it, when that part is not in this build yet. */
  awaits?: string
}

const field = <S extends z.ZodType>(
  env: string,
  schema: S,
  shown: string,
  help: string,
  awaits?: string,
): Field<S> => ({
  env,
  schema,
  shown,
  help,
  ...(awaits ? { awaits } : {}),
})

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
const text = z.string().min(1).optional()
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address, such as https://data.example.org' })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()

export const fields = {
  port: field('ORB_PORT', whole(0, 65_535).default(3002), '3002', 'Port to listen on; 0 takes a free one.'),
  host: field('ORB_HOST', z.string().min(1).default('127.0.0.1'), '127.0.0.1', 'Address to listen on.'),
  dataDir: field(
    'ORB_DATA_DIR',
    z.string().min(1).default('./data'),
    './data',
    'Folder for all the service remembers.',
  ),
  databaseUrl: field(
    'ORB_DATABASE_URL',
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must look like postgres://user:password@host:5432/name')
      .optional(),
    'unset',
    'postgres://… keeps everything in PostgreSQL instead of the SQLite file in the data folder.',
  ),
  secretKeyFile: field(
    'ORB_SECRET_KEY_FILE',
    z.string().min(1).optional(),
    'unset',
    'File with the key that seals stored secrets; made when it is missing. Unset: `secret-key` in the data folder, and with PostgreSQL none. Machines on one PostgreSQL share it.',
  ),
  apiKey: field(
    'ORB_API_KEY',
    z
      .string()
      .regex(/^fc-[0-9a-f]{32}$/, 'must be `fc-` and 32 hexadecimal digits, because released clients check that form')
      .optional(),
    'unset',
    'A key for the default team, created at start. Unset: one is made on first start, kept in the data folder, printed.',
  ),
  auth: field(
    'ORB_AUTH',
    z.enum(['on', 'off']).default('on'),
    'on',
    '`off`: every request is the default team. For local use; refuses to listen beyond loopback.',
  ),
  zoo: field(
    'ORB_ZOO',
    z.enum(['on', 'off']).default('on'),
    'on',
    'A small site to try things on, at `/zoo` and on a port of its own on this machine. `off`: none.',
  ),
  zooPort: field(
    'ORB_ZOO_PORT',
    whole(0, 65_535).optional(),
    '3003 beside port 3002, else any free one',
    'The port of the zoo, on 127.0.0.1. A taken one is replaced by a free one.',
  ),
  allowPrivate: field(
    'ORB_ALLOW_PRIVATE',
    list,
    'unset',
    'Comma list of hosts, CIDRs or host:port that may be visited although they are not on the public web.',
  ),
  allowPrivateFor: field(
    'ORB_ALLOW_PRIVATE_FOR',
    z.enum(['keys', 'everyone']).default('keys'),
    'keys',
    'Who may visit those: `keys` with the right `private` and the operator’s own, or `everyone`.',
  ),
  dnsServers: field(
    'ORB_DNS_SERVERS',
    list,
    "the system's",
    'Comma list of resolvers to ask, as address or address:port.',
  ),
  publicUrl: field('ORB_PUBLIC_URL', webAddress, 'unset', 'Base of the links in answers, when behind a proxy.'),
  internalUrl: field(
    'ORB_INTERNAL_URL',
    webAddress,
    'unset',
    'Where other machines of this service (ORB_DATABASE_URL) reach this one, for live sessions whose browser is here.',
  ),
  url: field('ORB_URL', webAddress, 'this machine', 'For commands such as `orb scrape`: where the service is.'),
  trustedProxies: field(
    'ORB_TRUSTED_PROXIES',
    list,
    'unset',
    'Comma list of addresses or CIDRs of reverse proxies; their X-Forwarded-For says where a request comes from.',
  ),
  trustedIssuers: field(
    'ORB_TRUSTED_ISSUERS',
    list.refine((issuers) => issuers.every((issuer) => /^https?:\/\//.test(issuer) && URL.canParse(issuer)), {
      error: 'must be addresses such as https://login.example.org',
    }),
    'unset',
    'Comma list of issuers (https://…) whose identity assertions may register agents at POST /agent/auth. Unset: off.',
  ),
  registrationPlan: field(
    'ORB_REGISTRATION_PLAN',
    z.enum(planNames).default('free'),
    'free',
    'The plan of teams that come about by registration.',
  ),
  registrationDomains: field(
    'ORB_REGISTRATION_DOMAINS',
    list,
    'unset',
    'Comma list of e-mail domains that may register. Unset: every domain that a trusted issuer vouches for.',
  ),
  checkReplies: field(
    'ORB_CHECK_REPLIES',
    z.enum(['on', 'off']).default('off'),
    'off',
    'For tests and developers: `on` holds every answer against its declared schema; one that differs is a 500.',
  ),
  auditDays: field('ORB_AUDIT_DAYS', whole(1, 3650).default(365), '365', 'How long the audit log is kept.'),
  concurrency: field(
    'ORB_CONCURRENCY',
    whole(1, 10_000).optional(),
    'from cores and memory',
    'Pages worked on at once. The default heeds the limits of the container.',
  ),
  logLevel: field(
    'ORB_LOG_LEVEL',
    z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'info',
    'How much is logged, as JSON lines on standard error.',
  ),
  cacheMaxMb: field(
    'ORB_CACHE_MAX_MB',
    whole(1, 10_000_000).default(2048),
    '2048',
    'Most megabytes of pages kept in the cache; the least recently used go first.',
  ),
  cacheMaxDays: field('ORB_CACHE_MAX_DAYS', whole(1, 3650).default(730), '730', 'Most days a page stays in the cache.'),
  robotsChoice: field(
    'ORB_ROBOTS_CHOICE',
    z.enum(['on', 'off']).default('off'),
    'off',
    '`on`: callers may pass by robots.txt (`ignoreRobotsTxt`) or choose the name it is read under (`robotsUserAgent`).',
  ),
  drainSeconds: field(
    'ORB_DRAIN_SECONDS',
    whole(0, 600).default(25),
    '25',
    'On SIGTERM or SIGINT: how long requests under way may take to finish.',
  ),
  proxiesBasic: field(
    'ORB_PROXIES_BASIC',
    list,
    'unset',
    'Comma list of http(s) proxies for ordinary visits; `DE=http://…` for visits from that country.',
  ),
  proxiesEnhanced: field('ORB_PROXIES_ENHANCED', list, 'unset', 'The same for the enhanced tier.'),
  chromium: field('ORB_CHROMIUM', text, 'found by itself', 'Path of the Chromium to render pages with.'),
  browserSandbox: field(
    'ORB_BROWSER_SANDBOX',
    z.enum(['auto', 'on', 'off']).default('auto'),
    'auto',
    "Chromium's own sandbox around pages. `auto`: always, except for root in a container, where there is none. `off`: without.",
  ),
  browserEndpoints: field(
    'ORB_BROWSER_ENDPOINTS',
    list.refine(
      (all) => all.every(isEndpoint),
      'must be a comma list such as http://10.0.0.7:9222,ws://10.0.0.8:3000/',
    ),
    'unset',
    'Browsers that run elsewhere, reached over the DevTools protocol (http:// or ws://), to use instead.',
  ),
  maxSessions: field(
    'ORB_MAX_SESSIONS',
    whole(1, 1000).optional(),
    'from memory',
    'Live browser sessions that this machine holds at once.',
  ),
  codeSandbox: field(
    'ORB_CODE_SANDBOX',
    z.enum(['auto', 'bubblewrap', 'user', 'off']).default('auto'),
    'auto',
    'How code of callers in live sessions is shut in. `auto`: by bubblewrap, or else (as root) by a user of its own, Landlock and seccomp, or else not run at all. `off`: never run.',
  ),
  egressAddress: field(
    'ORB_EGRESS_ADDRESS',
    z
      .string()
      .regex(/^(\[[0-9a-f:.]+\]|[^\s/:@[\]]+):[1-9]\d{0,4}$/i, 'must look like 10.0.0.5:3128')
      .optional(),
    'loopback',
    'host:port at which those browsers reach this service as their proxy, their only way to the web. The port is listened on.',
  ),
  llmUrl: field(
    'ORB_LLM_URL',
    webAddress,
    'unset',
    'An OpenAI-compatible endpoint, such as http://localhost:11434/v1. Unset: pages are understood by extraction alone.',
  ),
  llmModel: field('ORB_LLM_MODEL', text, 'unset', 'The model to ask there; needed with ORB_LLM_URL.'),
  llmKey: field('ORB_LLM_KEY', text, 'unset', 'The key for it, when it wants one.'),
  llmContext: field(
    'ORB_LLM_CONTEXT',
    whole(1024, 10_000_000).optional(),
    'as the endpoint says',
    'Tokens that the model reads and writes together. Set it for endpoints that cut long texts in silence, such as Ollama.',
  ),
  snapshotsMaxMb: field(
    'ORB_SNAPSHOTS_MAX_MB',
    whole(1, 10_000_000).default(2048),
    '2048',
    'Most megabytes of earlier looks at pages that `changeTracking` compares with, and as many of earlier versions that `/r/<url>@<date>` shows; the oldest go first.',
  ),
  smtpUrl: field(
    'ORB_SMTP_URL',
    z
      .string()
      .regex(/^smtps?:\/\//, 'must look like smtp://user:password@mail.example.org:587')
      .optional(),
    'unset',
    'Mail server for messages of monitors; unset: what would be sent stands in the log.',
  ),
  mailFrom: field(
    'ORB_MAIL_FROM',
    z.string().min(3).default('Orbweaver <orbweaver@localhost>'),
    'Orbweaver <orbweaver@localhost>',
    'Sender of those mails.',
  ),
  monitorMinMinutes: field(
    'ORB_MONITOR_MIN_MINUTES',
    whole(1, 1440).default(5),
    '5',
    'Smallest minutes between two looks of a monitor.',
  ),
  monitorConfirmMs: field(
    'ORB_MONITOR_CONFIRM_MS',
    whole(0, 60_000).default(3000),
    '3000',
    'Milliseconds after which a page that changed is looked at again, before the change counts.',
  ),
  diffFormat: field(
    'ORB_DIFF_FORMAT',
    z.enum(['string', 'object']).default('string'),
    'string',
    'How `changeTracking.diff` is returned: `string`, or `object` with its text and its parsed form.',
  ),
  threatProtection: field(
    'ORB_THREAT_PROTECTION',
    z.enum(['off', 'available', 'enforced']).default('available'),
    'available',
    '`available`: teams and requests may switch it on. `enforced`: it holds for everyone. `off`: nobody may ask for it.',
  ),
  threatLists: field(
    'ORB_THREAT_LISTS',
    list,
    'unset',
    'Comma list of reputation lists, files or http(s) addresses: hosts files, RPZ zones, domains, URLhaus CSV, OpenPhish.',
  ),
  threatRefreshMinutes: field(
    'ORB_THREAT_REFRESH_MINUTES',
    whole(1, 100_000).default(60),
    '60',
    'How often those lists are fetched, or read again when their file has changed.',
  ),
  threatRefused: field('ORB_THREAT_REFUSED', list, 'unset', 'Comma list of domains that nobody may visit.'),
  threatDryRun: field(
    'ORB_THREAT_DRY_RUN',
    z.enum(['on', 'off']).default('off'),
    'off',
    '`on`: threat protection refuses nothing; what it would refuse is logged and counted.',
  ),
  mediaMaxMb: field(
    'ORB_MEDIA_MAX_MB',
    whole(1, 100_000).default(2048),
    '2048',
    'Most megabytes fetched for one `audio` or `video`; of a stream the best variant that fits is taken.',
  ),
  ffmpeg: field(
    'ORB_FFMPEG',
    text,
    'unset',
    'Path of an ffmpeg to encode audio with, and for files that the built-in libraries cannot read. Nothing needs it.',
  ),
  searchProviders: field(
    'ORB_SEARCH_PROVIDERS',
    list,
    'all',
    'Comma list of search providers to ask besides our own index; `none`: the open web is never asked. See docs/search.md.',
  ),
  searchCommon: field(
    'ORB_SEARCH_COMMON',
    list,
    'unset',
    'Comma list of hosts whose pages every team finds, whoever fetched them; `*`: all. Otherwise teams find their own only.',
  ),
  searchMemoryMb: field(
    'ORB_SEARCH_MEMORY_MB',
    whole(16, 100_000).default(256),
    '256',
    'Most megabytes of the search index held in memory.',
  ),
  searchBases: field(
    'ORB_SEARCH_BASES',
    list.refine(
      (all) => all.every((item) => /^[a-z0-9-]+=https?:\/\/\S+$/.test(item)),
      'must be a comma list such as wikipedia=https://mirror.example.org',
    ),
    'unset',
    'Comma list of name=address: where a provider is asked instead of its usual address.',
  ),
  openSearchUrl: field(
    'ORB_OPENSEARCH_URL',
    webAddress,
    'unset',
    'An OpenSearch server that holds the index of what was fetched, in place of our own.',
  ),
  searxngUrl: field('ORB_SEARXNG_URL', webAddress, 'unset', 'A SearXNG instance for web search.'),
  braveKey: field('ORB_BRAVE_KEY', text, 'unset', 'A Brave Search key.'),
  serperKey: field('ORB_SERPER_KEY', text, 'unset', 'A Serper key.'),
  tavilyKey: field('ORB_TAVILY_KEY', text, 'unset', 'A Tavily key.'),
  exaKey: field('ORB_EXA_KEY', text, 'unset', 'An Exa key.'),
  googleKey: field('ORB_GOOGLE_KEY', text, 'unset', 'A key for Google Programmable Search; needs ORB_GOOGLE_CX.'),
  googleCx: field('ORB_GOOGLE_CX', text, 'unset', 'The id of the search engine there.'),
  s3Endpoint: field('ORB_S3_ENDPOINT', webAddress, 'unset', 'An S3-compatible endpoint for blobs.', 'S3 blobs'),
  s3Bucket: field('ORB_S3_BUCKET', text, 'unset', 'The bucket there.', 'S3 blobs'),
  s3AccessKey: field('ORB_S3_ACCESS_KEY', text, 'unset', 'The access key for it.', 'S3 blobs'),
  s3SecretKey: field('ORB_S3_SECRET_KEY', text, 'unset', 'The secret key for it.', 'S3 blobs'),
} satisfies Record<string, Field>

type Fields = typeof fields
export type Config = { readonly [K in keyof Fields]: z.output<Fields[K]['schema']> }

/** A configuration that cannot be used; the message lists everything that is wrong, one line each. */
export class ConfigError extends Error {}

/** Where temporary files go from now on: ours, those of libraries, and those of programs that are started. */
export function setTemporary(folder: string): void {
  process.env.TMPDIR = folder
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { env: variable, schema }] of Object.entries<Field>(fields)) {
    const given = env[variable]
    const parsed = schema.safeParse(given === '' ? undefined : given)
    if (parsed.success) values[name] = parsed.data
    else wrong.push(`${variable}: ${parsed.error.issues[0]?.message ?? 'is not valid'} (got ${JSON.stringify(given)})`)
  }
  const known = new Set(Object.values<Field>(fields).map((row) => row.env))
  for (const variable of Object.keys(env)) {
    if (/^ORB_[A-Z]/.test(variable) && !variable.startsWith('ORB_TEST_') && !known.has(variable))
      wrong.push(`${variable}: no such setting; see \`npx orbweaver help config\``)
  }
  const config = values as Config
  if (config.auth === 'off' && !isLoopback(config.host))
    wrong.push(`ORB_AUTH: \`off\` is for local use only, and ORB_HOST ${config.host} is not a loopback address`)
  // Without it the audience of an assertion would be whatever Host header a request came with.
  if (config.trustedIssuers?.length > 0 && config.publicUrl === undefined)
    wrong.push('ORB_TRUSTED_ISSUERS: needs ORB_PUBLIC_URL, the audience that assertions must be meant for')
  if ((config.llmUrl === undefined) !== (config.llmModel === undefined))
    wrong.push('ORB_LLM_URL and ORB_LLM_MODEL: one needs the other')
  // What failed its own check is not in the table, and said already.
  const remote = config.browserEndpoints?.find((endpoint) => !isLoopback(new URL(endpoint).hostname))
  if (remote !== undefined && config.egressAddress === undefined)
    wrong.push(
      `ORB_EGRESS_ADDRESS: must be set to host:port of this service as ${new URL(remote).host} (ORB_BROWSER_ENDPOINTS) reaches it: remote browsers may visit the web through it only`,
    )
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return Object.freeze(config)
}

function isEndpoint(text: string): boolean {
  try {
    return /^(https?|wss?):$/.test(new URL(text).protocol)
  } catch {
    return false
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Only this machine reaches it, and no proxy stands before it: who is here can be told from who is elsewhere. */
export const isLocalOnly = ({ host, publicUrl, trustedProxies }: Config): boolean =>
  isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0

/** Settings that were given although the part that reads them is not in this build. */
export function idleSettings(env: NodeJS.ProcessEnv = process.env): { variable: string; awaits: string }[] {
  return Object.values<Field>(fields).flatMap((row) =>
    row.awaits && env[row.env] ? [{ variable: row.env, awaits: row.awaits }] : [],
  )
}

/** The table as markdown, for docs/configuration.md and `orb help config`. */
export function configTable(): string {
  const rows = Object.values<Field>(fields).map(
    ({ env, shown, help, awaits }) => `| \`${env}\` | ${shown} | ${help}${awaits ? ` *(Awaits: ${awaits}.)*` : ''} |`,
  )
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

/** Every setting with its meaning, commented out: a file to copy and fill in. */
export function configExample(): string {
  const blocks = Object.values<Field>(fields).map(({ env, shown, help }) => {
    const value = ['unset', 'found by itself', 'this machine'].includes(shown) || /\s/.test(shown) ? '' : shown
    return `# ${help.replaceAll('`', '')} Default: ${shown}.\n#${env}=${value}`
  })
  return ['# Settings of Orbweaver. Made by `npm run docs` from src/config.ts.', ...blocks].join('\n\n')
}
