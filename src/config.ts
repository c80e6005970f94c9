// The only reader of the environment: one table of name, schema and help, joined with the settings of capabilities.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { valueOr } from './base/attempt.ts'
import { isPrivateCidrBlock } from './base/cidr-block.ts'
import {
  commaListSchema,
  defineSetting,
  optionalTextSchema,
  type Setting,
  type SettingValues,
  switchSchema,
  webAddressSchema,
  wholeNumberSchema,
} from './base/setting.ts'
import { capabilitySettings } from './capabilities/settings.ts'

/** Ollama, LM Studio, llama.cpp and vLLM as they listen unless told otherwise. */
const LOCAL_MODELS = '127.0.0.1:11434,127.0.0.1:1234,127.0.0.1:8080,127.0.0.1:8000'

/** Two numbers: for tokens that are read, and for those that are written. */
const tokenPrice = z
  .string()
  .regex(/^\d+(?:\.\d+)?\/\d+(?:\.\d+)?$/, 'must look like 0.15/0.60')
  .transform((both) => {
    const [input = 0, output = 0] = both.split('/').map(Number)
    return { input, output }
  })
  .optional()

/** Values may be percent-encoded, as OpenTelemetry has it. */
const pairs = commaListSchema
  .refine((all) => all.every((pair) => /^[\w-]+=[^%]*(%[0-9a-f]{2}[^%]*)*$/i.test(pair)), {
    error: 'must look like name=value,name=value',
  })
  .transform((all) =>
    Object.fromEntries(
      all.map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
    ),
  )

const certificateFileSchema = optionalTextSchema.transform((path, context) => {
  if (path === undefined) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
    context.addIssue('must be a file with certificates in PEM form')
  } catch (error) {
    context.addIssue(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return z.NEVER
})

export const settingFields = {
  port: defineSetting('ORB_PORT', wholeNumberSchema(0, 65_535).default(3002), 'Port to listen on; 0: any free port.'),
  host: defineSetting('ORB_HOST', z.string().min(1).default('127.0.0.1'), 'Address to listen on.'),
  dataDir: defineSetting('ORB_DATA_DIR', z.string().min(1).default('./data'), 'Folder for all data of the service.'),
  databaseUrl: defineSetting(
    'ORB_DATABASE_URL',
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must look like postgres://user:password@host:5432/name')
      .optional(),
    'postgres://… stores everything in PostgreSQL instead of the SQLite file in the data folder.',
  ),
  secretKeyFile: defineSetting(
    'ORB_SECRET_KEY_FILE',
    z.string().min(1).optional(),
    'File with the key that encrypts stored secrets; created if it is missing. Unset: `secret-key` in the data folder, and with PostgreSQL none. Machines on one PostgreSQL share it.',
  ),
  apiKey: defineSetting(
    'ORB_API_KEY',
    z
      .string()
      .regex(/^fc-[0-9a-f]{32}$/, 'must be `fc-` and 32 hexadecimal digits, because released clients check that form')
      .optional(),
    'A key for the default team, created at start. Unset: one is created at the first start, stored in the data folder and printed.',
  ),
  auth: defineSetting(
    'ORB_AUTH',
    switchSchema('on'),
    '`off`: every request is the default team. For local use; refuses to listen beyond loopback.',
  ),
  zoo: defineSetting(
    'ORB_ZOO',
    switchSchema('on'),
    'A small site for examples, at `/zoo` and on a separate port on this machine. `off`: none.',
  ),
  zooPort: defineSetting(
    'ORB_ZOO_PORT',
    wholeNumberSchema(0, 65_535).optional(),
    '3003 for port 3002, otherwise any free port',
    'The port of the zoo, on 127.0.0.1. If it is in use, a free port is used.',
  ),
  allowPrivate: defineSetting(
    'ORB_ALLOW_PRIVATE',
    commaListSchema,
    'Comma list of hosts, CIDRs or host:port that may be visited although they are not on the public web.',
  ),
  allowPrivateFor: defineSetting(
    'ORB_ALLOW_PRIVATE_FOR',
    z.enum(['keys', 'everyone']).default('keys'),
    'Keys that may visit those: `keys` with the right `private` and the operator’s own, or `everyone`.',
  ),
  dnsServers: defineSetting(
    'ORB_DNS_SERVERS',
    commaListSchema,
    "the system's",
    'Comma list of resolvers, as address or address:port.',
  ),
  npmRegistry: defineSetting(
    'ORB_NPM_REGISTRY',
    webAddressSchema,
    'https://registry.npmjs.org',
    'Registry from which `orb ocr add` installs languages, and packages with large native files at their first use (docs/installing.md).',
  ),
  publicUrl: defineSetting(
    'ORB_PUBLIC_URL',
    webAddressSchema,
    'Base of the links in responses, if the service is behind a proxy.',
  ),
  url: defineSetting(
    'ORB_URL',
    webAddressSchema,
    'this machine',
    'For commands such as `orb scrape`: URL of the service.',
  ),
  trustedProxies: defineSetting(
    'ORB_TRUSTED_PROXIES',
    commaListSchema,
    'Comma list of addresses or CIDRs of reverse proxies; their X-Forwarded-For is trusted.',
  ),
  keyless: defineSetting(
    'ORB_KEYLESS',
    commaListSchema.refine((all) => all.every(isPrivateCidrBlock), {
      error: 'must be private addresses or CIDRs, such as 172.16.0.0/12',
    }),
    'Comma list of private networks whose programs may scrape, search, map and parse without a key, as the team `keyless`.',
  ),
  strictBodies: defineSetting(
    'ORB_STRICT_BODIES',
    switchSchema('off'),
    'Refuse option names of earlier API versions, as the reference does, instead of translating them with a warning.',
  ),
  otherApis: defineSetting(
    'ORB_OTHER_APIS',
    commaListSchema.pipe(z.array(z.enum(['tavily', 'searxng']))),
    'Comma list of other APIs to serve: `tavily` (/tavily/search, /tavily/extract), `searxng` (/searxng/search).',
  ),
  checkReplies: defineSetting(
    'ORB_CHECK_REPLIES',
    switchSchema('off'),
    'For tests and developers: `on` validates every response against its declared schema; a mismatch is a 500.',
  ),
  auditDays: defineSetting(
    'ORB_AUDIT_DAYS',
    wholeNumberSchema(1, 3650).default(365),
    'Days for which the audit log is kept.',
  ),
  concurrency: defineSetting(
    'ORB_CONCURRENCY',
    wholeNumberSchema(1, 10_000).optional(),
    'from cores and memory',
    'Maximum number of concurrent pages; idle teams get an eighth more. The default respects the limits of the container.',
  ),
  logLevel: defineSetting(
    'ORB_LOG_LEVEL',
    z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Level of the log, JSON lines on standard error.',
  ),
  cacheMaxMb: defineSetting(
    'ORB_CACHE_MAX_MB',
    wholeNumberSchema(1, 10_000_000).default(2048),
    'Maximum megabytes of cached pages; the least recently used are removed first.',
  ),
  cacheMaxDays: defineSetting(
    'ORB_CACHE_MAX_DAYS',
    wholeNumberSchema(1, 3650).default(730),
    'Maximum days a page stays in the cache.',
  ),
  robotsChoice: defineSetting(
    'ORB_ROBOTS_CHOICE',
    switchSchema('off'),
    '`on`: callers may ignore robots.txt (`ignoreRobotsTxt`) or choose the user agent whose rules apply (`robotsUserAgent`).',
  ),
  drainSeconds: defineSetting(
    'ORB_DRAIN_SECONDS',
    wholeNumberSchema(0, 600).default(25),
    'On SIGTERM or SIGINT: seconds that running requests may take to finish.',
  ),
  proxiesBasic: defineSetting(
    'ORB_PROXIES_BASIC',
    commaListSchema,
    'Comma list of http(s) or socks5 proxies for ordinary visits, such as `socks5://user:password@host:1080`; `DE=http://…` for visits from that country, `team:ID=http://…` for those of one team.',
  ),
  proxiesEnhanced: defineSetting('ORB_PROXIES_ENHANCED', commaListSchema, 'The same for the enhanced tier.'),
  chromium: defineSetting(
    'ORB_CHROMIUM',
    optionalTextSchema,
    'found by itself',
    'Path of the Chromium that renders pages.',
  ),
  browserSandbox: defineSetting(
    'ORB_BROWSER_SANDBOX',
    z.enum(['auto', 'on', 'off']).default('auto'),
    "Chromium's own sandbox around pages. `auto`: always, except for root in a container, where there is none. `off`: without.",
  ),
  browserEndpoints: defineSetting(
    'ORB_BROWSER_ENDPOINTS',
    commaListSchema.refine(
      (all) => all.every(isEndpoint),
      'must be a comma list such as http://10.0.0.7:9222,ws://10.0.0.8:3000/',
    ),
    'Remote browsers to use instead, over the DevTools protocol (http:// or ws://).',
  ),
  maxSessions: defineSetting(
    'ORB_MAX_SESSIONS',
    wholeNumberSchema(1, 1000).optional(),
    'from memory',
    'Maximum number of live browser sessions on this machine.',
  ),
  egressAddress: defineSetting(
    'ORB_EGRESS_ADDRESS',
    z
      .string()
      .regex(/^(\[[0-9a-f:.]+\]|[^\s/:@[\]]+):[1-9]\d{0,4}$/i, 'must look like 10.0.0.5:3128')
      .optional(),
    'loopback',
    'host:port at which those browsers reach this service as their proxy, their only way to the web. The service listens on that port.',
  ),
  llmUrl: defineSetting(
    'ORB_LLM_URL',
    webAddressSchema,
    'An OpenAI-compatible endpoint, such as http://localhost:11434/v1. Unset: data is extracted by rules only.',
  ),
  llmModel: defineSetting('ORB_LLM_MODEL', optionalTextSchema, 'The model; needed with ORB_LLM_URL.'),
  llmKey: defineSetting('ORB_LLM_KEY', optionalTextSchema, 'The key for that endpoint, if it needs one.'),
  embeddingsUrl: defineSetting(
    'ORB_EMBEDDINGS_URL',
    webAddressSchema,
    'An OpenAI-compatible endpoint with /embeddings, for `orb sync --to`. Unset: indexes contain only text.',
  ),
  embeddingsModel: defineSetting('ORB_EMBEDDINGS_MODEL', optionalTextSchema, 'The model that makes the vectors.'),
  embeddingsKey: defineSetting('ORB_EMBEDDINGS_KEY', optionalTextSchema, 'The key for that endpoint, if it needs one.'),
  transcriptionUrl: defineSetting(
    'ORB_TRANSCRIPTION_URL',
    webAddressSchema,
    'An OpenAI-compatible endpoint with /audio/transcriptions, for the format `transcript`. Unset: only pages with captions have one.',
  ),
  transcriptionModel: defineSetting(
    'ORB_TRANSCRIPTION_MODEL',
    optionalTextSchema,
    'The transcription model; required with that endpoint.',
  ),
  transcriptionKey: defineSetting(
    'ORB_TRANSCRIPTION_KEY',
    optionalTextSchema,
    'The key for that endpoint, if it needs one.',
  ),
  llmContext: defineSetting(
    'ORB_LLM_CONTEXT',
    wholeNumberSchema(1024, 10_000_000).optional(),
    'as the endpoint says',
    'Tokens that the model reads and writes in total. Set it for endpoints that silently truncate long texts, such as Ollama.',
  ),
  llmTimeout: defineSetting(
    'ORB_LLM_TIMEOUT',
    wholeNumberSchema(1, 3600).default(120),
    'Seconds that one request to the model may take. The `timeout` of a page is paused meanwhile.',
  ),
  llmSmall: defineSetting(
    'ORB_LLM_SMALL',
    optionalTextSchema,
    'A smaller model of the same endpoint, for reading pages and choosing links; ORB_LLM_MODEL then only writes results.',
  ),
  llmProxy: defineSetting(
    'ORB_LLM_PROXY',
    webAddressSchema,
    'An http(s) proxy for requests to the model and to search providers, such as http://user:secret@10.0.0.5:3128. Pages do not use it.',
  ),
  llmCertificates: defineSetting(
    'ORB_LLM_CA_FILE',
    certificateFileSchema,
    'File of certificates (PEM) that the same requests trust besides the usual ones.',
  ),
  llmPrice: defineSetting(
    'ORB_LLM_PRICE',
    tokenPrice,
    'Price of a million input and output tokens, such as `0.15/0.60`. Costs are then in the explain record and in `tokens` of agent runs.',
  ),
  llmSmallPrice: defineSetting('ORB_LLM_SMALL_PRICE', tokenPrice, 'The same for ORB_LLM_SMALL.'),
  llmLocal: defineSetting(
    'ORB_LLM_LOCAL',
    z
      .string()
      .default(LOCAL_MODELS)
      .transform((text) =>
        text === 'off'
          ? []
          : text
              .split(',')
              .map((place) => place.trim())
              .filter(Boolean),
      ),
    'URLs at which model servers of this machine are detected if ORB_LLM_URL is unset (Ollama, LM Studio, llama.cpp, vLLM); `off`: nowhere.',
  ),
  llmAuto: defineSetting(
    'ORB_LLM_AUTO',
    switchSchema('off'),
    '`on`: a model server that is detected on this machine is used without confirmation.',
  ),
  llmTeams: defineSetting(
    'ORB_LLM_TEAMS',
    switchSchema('off'),
    '`on`: the admins of a team may set a model of their own for it. Its endpoint must be a public address, unless ORB_ALLOW_PRIVATE opens it to them.',
  ),
  snapshotsMaxMb: defineSetting(
    'ORB_SNAPSHOTS_MAX_MB',
    wholeNumberSchema(1, 10_000_000).default(2048),
    'Maximum megabytes of earlier versions of pages for `changeTracking`, and as many for `/r/<url>@<date>`; the oldest are removed first.',
  ),
  diffFormat: defineSetting(
    'ORB_DIFF_FORMAT',
    z.enum(['string', 'object']).default('string'),
    'How `changeTracking.diff` is returned: `string`, or `object` with its text and its parsed form.',
  ),
  threatProtection: defineSetting(
    'ORB_THREAT_PROTECTION',
    z.enum(['off', 'available', 'enforced']).default('available'),
    '`available`: teams and requests may switch it on. `enforced`: it applies to everyone. `off`: it is refused.',
  ),
  threatLists: defineSetting(
    'ORB_THREAT_LISTS',
    commaListSchema,
    'Comma list of reputation lists, files or http(s) URLs: hosts files, RPZ zones, domains, URLhaus CSV, OpenPhish.',
  ),
  threatRefreshMinutes: defineSetting(
    'ORB_THREAT_REFRESH_MINUTES',
    wholeNumberSchema(1, 100_000).default(60),
    'Interval at which the lists are fetched again, or read again if their file has changed.',
  ),
  threatRefused: defineSetting('ORB_THREAT_REFUSED', commaListSchema, 'Comma list of domains that are always refused.'),
  threatNewHostDays: defineSetting(
    'ORB_THREAT_NEW_HOST_DAYS',
    wholeNumberSchema(0, 3650).default(0),
    'Where threat protection applies, refuse hosts that this installation first visited fewer than this many days ago; 0: off.',
  ),
  threatDryRun: defineSetting(
    'ORB_THREAT_DRY_RUN',
    switchSchema('off'),
    '`on`: threat protection refuses nothing; what it would refuse is logged and counted.',
  ),
  mediaMaxMb: defineSetting(
    'ORB_MEDIA_MAX_MB',
    wholeNumberSchema(1, 100_000).default(2048),
    'Maximum megabytes fetched for one `audio` or `video`; for a stream, the best variant within this limit is used.',
  ),
  ffmpeg: defineSetting(
    'ORB_FFMPEG',
    optionalTextSchema,
    'Path of an ffmpeg to encode audio with, and for files that the built-in libraries cannot read. Optional.',
  ),
  mediaExtractor: defineSetting(
    'ORB_MEDIA_EXTRACTOR',
    z
      .string()
      .optional()
      .transform((line) => line?.split(/\s+/).filter(Boolean) ?? []),
    'Your own program that finds media, with its arguments, such as `/usr/bin/yt-dlp -J`. It is used last; docs/media.md.',
  ),
  ...capabilitySettings,
  s3Endpoint: defineSetting(
    'ORB_S3_ENDPOINT',
    webAddressSchema,
    'An S3-compatible endpoint. Screenshots, media, recordings, uploads and large bodies are then stored in a bucket there instead of the data folder or, with `orb serve` and `orb work`, PostgreSQL.',
  ),
  s3Bucket: defineSetting('ORB_S3_BUCKET', optionalTextSchema, 'The bucket there.'),
  s3Region: defineSetting('ORB_S3_REGION', z.string().min(1).default('us-east-1'), 'Its region.'),
  s3AccessKey: defineSetting('ORB_S3_ACCESS_KEY', optionalTextSchema, 'The access key for it.'),
  s3SecretKey: defineSetting('ORB_S3_SECRET_KEY', optionalTextSchema, 'The secret key for it.'),
  s3Style: defineSetting(
    'ORB_S3_STYLE',
    z.enum(['path', 'host']).default('path'),
    'Position of the bucket name: `path` for `endpoint/bucket/…`, `host` for `bucket.endpoint/…`.',
  ),
  s3DirectLinks: defineSetting(
    'ORB_S3_DIRECT_LINKS',
    switchSchema('off'),
    '`on`: links to files redirect to the bucket, signed for five minutes, so that their bytes do not pass through the service. Callers must be able to reach the endpoint.',
  ),
  otlpEndpoint: defineSetting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    webAddressSchema,
    'A collector of OpenTelemetry, such as http://collector:4318. Traces of requests and pages of jobs are sent there, by OTLP over HTTP as JSON.',
  ),
  otlpHeaders: defineSetting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    pairs,
    'Headers for the collector, as `name=value,name=value`.',
  ),
  otelServiceName: defineSetting(
    'OTEL_SERVICE_NAME',
    z.string().min(1).default('orbweaver'),
    'The name of the service in traces.',
  ),
} satisfies Record<string, Setting>

export type Config = SettingValues<typeof settingFields>

export class ConfigError extends Error {}

/** Folder for temporary files of the service, of libraries and of child processes. */
export function setTemporaryFolder(folder: string): void {
  process.env.TMPDIR = folder
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { env: variable, schema }] of Object.entries<Setting>(settingFields)) {
    const given = env[variable]
    const parsed = schema.safeParse(given === '' ? undefined : given)
    if (parsed.success) values[name] = parsed.data
    else wrong.push(`${variable}: ${parsed.error.issues[0]?.message ?? 'is not valid'} (got ${JSON.stringify(given)})`)
  }
  const known = new Set(Object.values<Setting>(settingFields).map((row) => row.env))
  for (const variable of Object.keys(env)) {
    if (/^ORB_[A-Z]/.test(variable) && !variable.startsWith('ORB_TEST_') && !known.has(variable))
      wrong.push(`${variable}: no such setting; see \`npx orbweaver help config\``)
  }
  const config = values as Config
  wrong.push(...contradictionsIn(config))
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return Object.freeze(config)
}

/** A setting that failed its own check is absent here, and was reported already. */
function contradictionsIn(config: Config): string[] {
  const wrong: string[] = []
  if (config.auth === 'off' && !isLoopback(config.host))
    wrong.push(`ORB_AUTH: \`off\` is for local use only, and ORB_HOST ${config.host} is not a loopback address`)
  // Without it the audience of an assertion would be whatever Host header a request came with.
  if (config.trustedIssuers?.length > 0 && config.publicUrl === undefined)
    wrong.push('ORB_TRUSTED_ISSUERS: needs ORB_PUBLIC_URL, the audience that assertions must be meant for')
  const oidc = ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'] as const
  const lacking = [...oidc, 'publicUrl' as const].filter((name) => config[name] === undefined)
  if (oidc.some((name) => config[name] !== undefined) && lacking.length > 0)
    wrong.push(`${lacking.map((name) => settingFields[name].env).join(', ')}: OpenID Connect needs all of these`)
  if (config.oidcIssuer && ![config.oidcDomains, config.oidcGroups, config.oidcAdminGroups].some((one) => one?.length))
    wrong.push('ORB_OIDC_DOMAINS, ORB_OIDC_GROUPS: one must name who may sign in')
  if ((config.llmUrl === undefined) !== (config.llmModel === undefined))
    wrong.push('ORB_LLM_URL and ORB_LLM_MODEL: one needs the other')
  if ((config.transcriptionUrl === undefined) !== (config.transcriptionModel === undefined))
    wrong.push('ORB_TRANSCRIPTION_URL and ORB_TRANSCRIPTION_MODEL: one needs the other')
  const bucket = ['s3Endpoint', 's3Bucket', 's3AccessKey', 's3SecretKey'] as const
  const missing = bucket.filter((name) => config[name] === undefined).map((name) => settingFields[name].env)
  if (missing.length > 0 && missing.length < bucket.length)
    wrong.push(`${missing.join(', ')}: a bucket needs endpoint, bucket, access key and secret key`)
  const remote = config.browserEndpoints?.find((endpoint) => !isLoopback(new URL(endpoint).hostname))
  if (remote !== undefined && config.egressAddress === undefined)
    wrong.push(
      `ORB_EGRESS_ADDRESS: must be set to host:port of this service as ${new URL(remote).host} (ORB_BROWSER_ENDPOINTS) reaches it: remote browsers may visit the web through it only`,
    )
  return wrong
}

const isEndpoint = (text: string): boolean => valueOr(false, () => /^(https?|wss?):$/.test(new URL(text).protocol))

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Reachable from this machine only and without a proxy, so a local caller can be recognised. */
export const listensLocallyOnly = ({ host, publicUrl, trustedProxies }: Config): boolean =>
  isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0

export function bucketOptionsOf({
  s3Endpoint,
  s3Bucket,
  s3AccessKey,
  s3SecretKey,
  s3Region,
  s3Style,
  s3DirectLinks,
}: Config) {
  if (!s3Endpoint || !s3Bucket || !s3AccessKey || !s3SecretKey) return undefined
  return {
    endpoint: s3Endpoint,
    bucket: s3Bucket,
    region: s3Region,
    accessKey: s3AccessKey,
    secretKey: s3SecretKey,
    virtualHost: s3Style === 'host',
    directLinks: s3DirectLinks === 'on',
  }
}

export function writeConfigTable(): string {
  const rows = Object.values<Setting>(settingFields).map(
    ({ env, shown, help }) => `| \`${env}\` | ${shown} | ${help} |`,
  )
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

export function writeConfigExample(): string {
  const blocks = Object.values<Setting>(settingFields).map(({ env, shown, help }) => {
    const value = ['unset', 'found by itself', 'this machine'].includes(shown) || /\s/.test(shown) ? '' : shown
    return `# ${help.replaceAll('`', '')} Default: ${shown}.\n#${env}=${value}`
  })
  return ['# Settings of Orbweaver. Made by `npm run docs` from src/config.ts.', ...blocks].join('\n\n')
}
