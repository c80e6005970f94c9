// Judges a capture: the page, a block or challenge page, or an empty shell that needs a browser.
import type { Capture, EngineAbility } from '../base/visit-and-capture-types.ts'
import { findEmptyAppShellEvidence } from './detect-empty-app-shell.ts'

type PageVerdict = { ok: true } | { ok: false; because: 'blocked' | 'shell'; evidence: string; want?: EngineAbility }

interface Sign {
  vendor: string
  /** Statuses to which the sign applies; absent: any. */
  statuses?: readonly number[]
  header?: (headers: Capture['headers']) => boolean
  text?: readonly RegExp[]
  /** A form on a real page may contain the same widget, so limit the word count. */
  maxWords?: number
}

const REFUSALS = [401, 403, 405, 406, 429, 503] as const

// Each sign tells a challenge page from an article about one: a vendor's own header, script or form.
const CHALLENGE_PAGE_SIGNS: readonly Sign[] = [
  { vendor: 'Cloudflare', header: (headers) => headers['cf-mitigated'] === 'challenge' },
  {
    vendor: 'Cloudflare',
    text: [
      /_cf_chl_opt|cdn-cgi\/challenge-platform\/[^"']*orchestrate/i,
      /<title>\s*(just a moment|attention required|please wait|one moment)/i,
    ],
  },
  {
    vendor: 'Cloudflare',
    statuses: REFUSALS,
    text: [/challenge-error-text|checking your browser/i, /<title>\s*(just a moment|one moment|please wait)/i],
  },
  { vendor: 'Cloudflare', statuses: REFUSALS, text: [/cf-error-details|cf-wrapper/i, /cloudflare ray id/i] },
  { vendor: 'DataDome', text: [/(geo|ct|interstitial)\.captcha-delivery\.com/i, /\bdd\s*=\s*\{/] },
  {
    vendor: 'DataDome',
    statuses: REFUSALS,
    header: (headers) => headers['x-datadome'] === 'protected' || headers['x-dd-b'] !== undefined,
  },
  { vendor: 'HUMAN', text: [/px-captcha/i, /_pxAppId|captcha\.px-cdn\.net|captcha\.px-cloud\.net/i] },
  {
    vendor: 'Akamai',
    statuses: REFUSALS,
    text: [/<title>\s*access denied/i, /reference(\s|&#32;)*(#|&#35;)|errors(\.|&#46;)edgesuite/i],
  },
  {
    vendor: 'Akamai',
    text: [/sec-if-cpt-container|\/_sec\/cp_challenge/i, /<title>\s*(challenge validation|\s*<\/title>)/i],
  },
  { vendor: 'Imperva', text: [/_Incapsula_Resource/i, /incapsula incident id|request unsuccessful|main-iframe/i] },
  { vendor: 'AWS WAF', header: (headers) => /^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? '') },
  {
    vendor: 'AWS WAF',
    statuses: [202, 405, 403],
    text: [/awsWafCookieDomainList|token\.awswaf\.com/i, /AwsWafIntegration|captcha-container/i],
  },
  {
    vendor: 'Kasada',
    statuses: [403, 429],
    header: (headers) => headers['x-kpsdk-ct'] !== undefined || headers['x-kpsdk-r'] !== undefined,
  },
  { vendor: 'Vercel', header: (headers) => headers['x-vercel-mitigated'] === 'challenge' },
  { vendor: 'Sucuri', statuses: REFUSALS, text: [/sucuri website firewall/i, /access denied/i] },
  {
    vendor: 'DDoS-Guard',
    statuses: REFUSALS,
    header: (headers) => (headers.server ?? '').toLowerCase() === 'ddos-guard',
  },
  {
    vendor: 'a robot check',
    text: [
      /<title>[^<]{0,40}(are you (a )?(human|robot)|robot check|bot verification|human verification|captcha|pardon our interruption|verify you are human)/i,
      /captcha|robot|unusual (traffic|activity)|automated/i,
    ],
  },
  {
    vendor: 'a robot check',
    maxWords: 60,
    text: [/class="?(g-recaptcha|h-captcha|cf-turnstile)\b/i, /\b(robot|human|security check|unusual traffic)\b/i],
  },
]

/** Challenge pages are small; the largest seen has about 30 kB. */
const MAX_CHALLENGE_BYTES = 40 * 1024

export async function judgeCapture(capture: Capture): Promise<PageVerdict> {
  const blocker = blockedBy(capture)
  if (blocker)
    return {
      ok: false,
      because: 'blocked',
      evidence: `${blocker} blocked the page (status ${capture.status})`,
      want: 'rendered',
    }
  return shellVerdict(capture)
}

function blockedBy({ status, headers, body }: Capture): string | undefined {
  let text: string | undefined
  for (const sign of CHALLENGE_PAGE_SIGNS) {
    if (sign.statuses && !sign.statuses.includes(status)) continue
    if (sign.header && !sign.header(headers)) continue
    if (sign.text) {
      if (body.byteLength > MAX_CHALLENGE_BYTES) continue
      text ??= asAscii(body)
      if (!sign.text.every((mark) => mark.test(text as string))) continue
      if (sign.maxWords && countWords(text.toLowerCase(), sign.maxWords + 1) > sign.maxWords) continue
    }
    return sign.vendor
  }
  return undefined
}

async function shellVerdict({ status, headers, body }: Capture): Promise<PageVerdict> {
  if (status >= 400 || !/html/i.test(headers['content-type'] ?? 'text/html')) return { ok: true }
  const evidence = await findEmptyAppShellEvidence(asAscii(body.subarray(0, SHELL_SCAN_BYTES)))
  return evidence ? { ok: false, because: 'shell', evidence, want: 'rendered' } : { ok: true }
}

/** A page without content in its first 400 kB is rendered by scripts. */
const SHELL_SCAN_BYTES = 400_000

const SILENT_TAG = /^<(script|style|noscript|template|head|title|svg)\b/

/** Words outside tags and silent elements, counted up to `enough`, in one pass to bound the time on hostile input. */
function countWords(text: string, enough: number): number {
  let words = 0
  let at = 0
  while (at < text.length && words < enough) {
    const tag = text.indexOf('<', at)
    const end = tag === -1 ? text.length : tag
    for (const _ of text.slice(at, Math.min(end, at + 2000)).matchAll(/\S{2,}/g)) words++
    if (tag === -1) break
    const silent = text.startsWith('<!--', tag) ? '-->' : closerOf(SILENT_TAG.exec(text.slice(tag, tag + 12))?.[1])
    const close = text.indexOf(silent, tag)
    if (close === -1) break
    at = close + silent.length
  }
  return words
}

const closerOf = (silentTag: string | undefined): string => (silentTag ? `</${silentTag}` : '>')

/** The marks are ASCII, so the charset does not matter; Latin-1 is cheap. */
const asAscii = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
