// POST /v2/verify: whether a page says certain words, by the versions that the time machine stores. No page is visited.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isoTime } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { pageKeyOf } from '../../base/url-key.ts'
import { hasWords, makeWordFinder } from '../../llm/find-quotes.ts'
import { clientShape, webUrlSchema } from '../../scrape/scrape-options.ts'
import { MAX_KEPT_TEXT } from '../../search/build-segments.ts'
import { searchStore } from '../../search/store/index.ts'
import { compareTextVersions } from '../../understanding/changes/compare-texts.ts'
import type { RouteCall, Services, ServicesWith } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { pageText, readVersion, timeOf, type VersionText } from './earlier-page-versions.ts'

/** Versions that are searched for the words, newest first. */
const MAX_SEARCHED = 50
const CUT_WARNING = `Only the first ${MAX_KEPT_TEXT} characters of a page are stored.`
const CONTEXT_CHARS = 200
const MAX_QUOTE_CHARS = 5000

const words = z
  .string()
  .min(1)
  .max(MAX_QUOTE_CHARS)
  .refine(hasWords, { error: 'has no words', params: { named: true } })

export const verifyBody = z
  .strictObject({
    url: webUrlSchema,
    quote: words.optional().describe('Words that the page should contain.'),
    claim: words.optional().describe('A statement that the page should support. Needs a language model.'),
    at: z
      .string()
      .max(40)
      .optional()
      .describe('The version of this time: 2026-05-01 (its end) or 2026-05-01T12:00Z. The newest by default.'),
    ...clientShape,
  })
  .refine(({ quote, claim }) => (quote === undefined) !== (claim === undefined), {
    error: 'give either `quote` or `claim`',
    params: { named: true },
  })
  .describe('Words to find in a page that was read before.')

const version = z.object({
  since: z.string().describe('When this text was first seen.'),
  seenAt: z.string().describe('When it was last seen.'),
  link: z.string().describe('The archived text.'),
  bytes: z.int(),
  sha256: z.string().describe('SHA-256 of the bytes at `link`.'),
})

export const verifyReply = successReply({
  data: z.object({
    url: z.string(),
    verdict: z
      .enum(['found', 'changed', 'not_there', 'contradicted', 'unclear'])
      .describe(
        '`found`: this version has the words, or supports the claim. `changed`: another version has them. `not_there`: none has. For a claim also `contradicted`, and `unclear` if the model quotes no words of the page. `unclear` also where the stored text is incomplete.',
      ),
    version: version.describe('The version of `at`, or the newest.'),
    quote: z.string().optional().describe('The words as the page has them; of a claim, those that decide it.'),
    span: z
      .object({ start: z.int(), end: z.int() })
      .optional()
      .describe('Where the words are in the archived text, in UTF-16 code units.'),
    verbatim: z.boolean().optional().describe('False: the same words, with other case, punctuation or markup.'),
    context: z.string().optional().describe('The words with their context.'),
    foundIn: version.optional().describe('For `changed`: the newest version with the words.'),
    changedOn: z.string().optional().describe('When the first version without the words was seen.'),
    diff: z.string().optional().describe('For `changed`: the changes at that time.'),
    warning: z.string().optional(),
  }),
})

type VerifyRequest = z.output<typeof verifyBody>
type Verified = z.output<typeof verifyReply>['data']

export async function verifyCitation(
  services: ServicesWith<'catchUpIndex'>,
  { url, quote, claim, at }: VerifyRequest,
  call: RouteCall,
): Promise<Verified> {
  call.note({ target: url })
  await services.catchUpIndex(call.caller.teamId, call.signal)
  const wanted = await readVersion(services, url, timeOf(at ?? 'now', services.clock.now()), call)
  if (!wanted)
    throw new Problem('not_found', {
      because: `no version of ${url} ${at ? `was seen before ${at}` : 'is stored'}; scrape the page first`,
    })
  const known = { url, version: describeVersion(url, wanted, call) }
  if (claim !== undefined) return { ...known, ...(await judgeClaim(services, claim, url, wanted, call)) }
  const here = foundIn(wanted, quote!)
  if (here) return { ...known, verdict: 'found', ...here }
  return { ...known, ...(await findElsewhere(services, url, quote!, call)) }
}

/** The newest other version that has the words, and when they were removed. */
async function findElsewhere(
  services: Services,
  url: string,
  quote: string,
  call: RouteCall,
): Promise<Pick<Verified, 'verdict'> & Partial<Verified>> {
  const { store } = services
  const all = await searchStore(store).versions.list(call.caller.teamId, pageKeyOf(url), MAX_SEARCHED)
  let later: VersionText | undefined
  let hasCut = false
  for (const { since } of all) {
    call.signal.throwIfAborted()
    const one = await readVersion(services, url, since, call)
    if (!one) continue
    const found = foundIn(one, quote)
    if (found) {
      const version = describeVersion(url, one, call)
      if (!later) return { verdict: 'changed', ...found, foundIn: version }
      const { diff } = compareTextVersions(pageText(one.text), pageText(later.text))
      return { verdict: 'changed', ...found, foundIn: version, changedOn: isoTime(later.since), diff }
    }
    later = one
    hasCut ||= isCut(one)
  }
  const warnings = [
    ...(all.length === MAX_SEARCHED ? [`Only the newest ${MAX_SEARCHED} versions were searched.`] : []),
    ...(hasCut ? [CUT_WARNING] : []),
  ]
  return {
    verdict: hasCut ? 'unclear' : 'not_there',
    ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}),
  }
}

const isCut = ({ text }: VersionText): boolean => text.length > MAX_KEPT_TEXT

function foundIn({ text }: VersionText, quote: string) {
  const found = makeWordFinder(text)(quote)
  if (!found) return undefined
  const { from: start, to: end, isVerbatim: verbatim } = found
  const context = text.slice(Math.max(0, start - CONTEXT_CHARS), end + CONTEXT_CHARS)
  return { quote: text.slice(start, end), span: { start, end }, verbatim, context }
}

const CLAIM_SCHEMA = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['supported', 'contradicted', 'not said'] },
    quote: { type: 'string', description: 'the words of the page that decide it, copied' },
  },
  required: ['verdict'],
}
const VERDICTS = { supported: 'found', contradicted: 'contradicted', 'not said': 'not_there' } as const

async function judgeClaim(
  { llm }: Services,
  claim: string,
  url: string,
  wanted: VersionText,
  { signal }: RouteCall,
): Promise<Pick<Verified, 'verdict'> & Partial<Verified>> {
  if (llm.by !== 'model') throw new Problem('conflict', { instead: 'No language model is set: give `quote`.' })
  const { text, seenAt } = wanted
  const prompt = `Does the page support this statement? ${JSON.stringify(claim)}`
  const source = { url, visited: isoTime(seenAt) }
  const ask = { text: () => text, schema: CLAIM_SCHEMA, prompt, source, found: null }
  const { value, by, warnings } = await llm.extract(ask, signal)
  const warning = warnings.length > 0 ? { warning: warnings.join(' ') } : {}
  const { verdict, quote } = (value ?? {}) as { verdict?: keyof typeof VERDICTS; quote?: unknown }
  if (by !== 'model' || verdict === undefined || !Object.hasOwn(VERDICTS, verdict))
    return { verdict: 'unclear', ...warning }
  const found = typeof quote === 'string' && hasWords(quote) ? foundIn(wanted, quote) : undefined
  // A verdict without words of the page is an opinion.
  if (!found && verdict !== 'not said') return { verdict: 'unclear', ...warning }
  if (verdict === 'not said' && isCut(wanted))
    return { verdict: 'unclear', warning: [...warnings, CUT_WARNING].join(' ') }
  return { verdict: VERDICTS[verdict], ...(verdict === 'not said' ? {} : found), ...warning }
}

function describeVersion(url: string, { text, since, seenAt }: VersionText, { baseUrl }: RouteCall) {
  const bytes = Buffer.from(text)
  return {
    since: isoTime(since),
    seenAt: isoTime(seenAt),
    link: `${baseUrl}/r/${url}@${isoTime(since)}`,
    bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}
