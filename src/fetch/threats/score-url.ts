// Risk of a URL by its text alone, 0 to 100: a small trained model plus rules. scripts/train-threat.mjs writes
// model.json.

import { parse } from 'tldts'
import { once } from '../../base/values.ts'
import { explainLookAlikeHost } from './look-alike.ts'
import packed from './model.json' with { type: 'json' }
import { WELL_KNOWN_DOMAINS } from './threat-words.ts'
import { computeUrlFeatures, URL_FEATURE_BUCKET_COUNT } from './url-features.ts'

export interface UrlRisk {
  score: number
  reasons: string[]
}

interface LinearModel {
  pieces: string
  unit: number
  bias: number
}

interface ThreatModel {
  /** Linear models over the whole URL, its host and its path; the trees combine them. */
  whole: LinearModel & { dense: number[]; mean: number[]; scale: number[] }
  host: LinearModel
  path: LinearModel
  trees: { depth: number; bias: number; feature: string; threshold: string; leaf: string }
  /** The model's output that 1 % of legitimate addresses exceed; subtracted, so that 0 means this rate of false alarms. */
  edge: number
}

const LOOK_ALIKE = 90
const USER_TRICK = 95
const BARE_HOME = 70
/** Maps the edge to risk 75, the default threshold of policies. */
const LN3 = Math.log(3)
/** User-hosted content under a well-known domain. */
const USER_CONTENT_HOSTS = /^(?:sites|docs|drive|forms|storage)\.google|amazonaws|sharepoint|\.blob\.core/

const model = once(() => openThreatModel(packed))

export function scoreUrlRisk(address: string, rawScore = (text: string): number => model()(text)): UrlRisk {
  const url = new URL(address)
  const reasons: string[] = []
  let score = 0
  const raise = (to: number, because: string) => {
    if (to > score) score = to
    reasons.push(because)
  }
  if (url.username.includes('.') || /^(?:www\.|https?)/.test(url.username))
    raise(USER_TRICK, 'a name that looks like a host is before the @')
  const pretends = explainLookAlikeHost(url.hostname)
  if (pretends) raise(LOOK_ALIKE, pretends)
  const { domain, isIp } = parse(url.hostname)
  if (WELL_KNOWN_DOMAINS.has(domain ?? '') && !USER_CONTENT_HOSTS.test(url.hostname)) return { score, reasons }
  const resemblance = Math.round(100 / (1 + Math.exp(-rawScore(address) - LN3)))
  const isHome = url.pathname === '/' && url.search === '' && url.hostname.replace(/^www\./, '') === domain
  // A home page URL has too little text to be refused by the model alone.
  const seen = isHome ? Math.min(resemblance, BARE_HOME) : resemblance
  if (seen >= 50) raise(seen, 'its address looks like those of fraudulent pages')
  else score = Math.max(score, seen)
  if (isIp && /login|sign-?in|verify|account|secure|bank|\.(?:exe|sh|apk|scr|msi|bin)\b/i.test(url.pathname))
    raise(85, 'it asks for trust without a name')
  return { score, reasons }
}

function openThreatModel({ whole, host, path, trees, edge }: ThreatModel) {
  const ofWhole = openLinear(whole)
  const [ofHost, ofPath] = [openLinear(host), openLinear(path)]
  const { dense, mean, scale } = whole
  const { depth } = trees
  const inner = (1 << depth) - 1
  const feature = new Uint8Array(bytesOf(trees.feature))
  const threshold = new Float32Array(bytesOf(trees.threshold))
  const leaf = new Float32Array(bytesOf(trees.leaf))
  return (address: string): number => {
    const facts = computeUrlFeatures(address)
    let linear = ofWhole([...new Set([...facts.ofHost, ...facts.ofPath])])
    facts.dense.forEach((value, at) => {
      linear += (dense[at]! * (value - mean[at]!)) / scale[at]!
    })
    const values = [...facts.dense, linear, ofHost(facts.ofHost), ofPath(facts.ofPath)]
    let sum = trees.bias
    for (let tree = 0; tree * inner < feature.length; tree++) {
      let node = 0
      for (let level = 0; level < depth; level++)
        node = 2 * node + (values[feature[tree * inner + node]!]! > threshold[tree * inner + node]! ? 2 : 1)
      sum += leaf[tree * (inner + 1) + node - inner]!
    }
    return sum - edge
  }
}

function openLinear({ pieces, unit, bias }: LinearModel): (found: readonly number[]) => number {
  const weights = new Int8Array(bytesOf(pieces))
  return (found) => {
    const share = unit / Math.sqrt(found.length || 1)
    return found.reduce((sum, piece) => sum + weights[piece & (URL_FEATURE_BUCKET_COUNT - 1)]! * share, bias)
  }
}

function bytesOf(base64: string): ArrayBuffer {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}
