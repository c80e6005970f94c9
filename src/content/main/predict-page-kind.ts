// Predicts the page kind from element names, address and metadata with a linear model over tokens.

import { hashWord } from './text-stats.ts'
import { TOKEN_HASH_SALTS } from './token-weights.ts'

export const PAGE_KINDS = ['article', 'documentation', 'service', 'forum', 'collection', 'listing', 'product'] as const

export type PageKindModel = { index: ReadonlyMap<number, number>; weights: Float32Array; bias: readonly number[] }

export function tokensOfUrl(url: string | undefined): number[] {
  if (!url) return []
  const out = new Set<number>()
  const [, host = '', path = ''] = /^[a-z]+:\/\/([^/?#]*)([^?#]*)/i.exec(url.slice(0, 1000)) ?? []
  for (const label of host.split('.').slice(0, -1)) out.add(hashWord(label) ^ TOKEN_HASH_SALTS.address)
  const words = path.split(/[^\p{L}]+/u).filter((w) => w.length > 0 && w.length < 16)
  for (const word of words.slice(0, 20)) out.add(hashWord(`/${word}`) ^ TOKEN_HASH_SALTS.address)
  const parts = path.split('/').filter(Boolean)
  out.add(hashWord(`depth ${Math.min(4, parts.length)}`) ^ TOKEN_HASH_SALTS.address)
  const last = parts.at(-1) ?? ''
  out.add(hashWord(`hyphens ${Math.min(6, last.split('-').length)}`) ^ TOKEN_HASH_SALTS.address)
  if (/\d{4}\/\d{2}/.test(path)) out.add(hashWord('dated') ^ TOKEN_HASH_SALTS.address)
  if (/\d{5}/.test(last)) out.add(hashWord('numbered') ^ TOKEN_HASH_SALTS.address)
  return [...out]
}

export function tokensOfDeclaredKinds(said: number): number[] {
  const out: number[] = []
  for (let bit = 0; bit < 16; bit++) if ((said >> bit) & 1) out.push(hashWord(`said ${bit}`) ^ TOKEN_HASH_SALTS.said)
  return out
}

export function predictPageKind({ index, weights, bias }: PageKindModel, tokens: readonly number[]): Float32Array {
  const sums = new Float32Array(PAGE_KINDS.length)
  for (const token of tokens) {
    const at = index.get(token)
    if (at !== undefined) for (let k = 0; k < sums.length; k++) sums[k]! += weights[at + k]!
  }
  // Without scaling, longer pages would get more extreme probabilities.
  const scale = 1 / Math.sqrt(Math.max(1, tokens.length))
  let top = Number.NEGATIVE_INFINITY
  for (let k = 0; k < sums.length; k++) {
    sums[k] = sums[k]! * scale + (bias[k] ?? 0)
    if (sums[k]! > top) top = sums[k]!
  }
  let total = 0
  for (let k = 0; k < sums.length; k++) {
    sums[k] = Math.exp(sums[k]! - top)
    total += sums[k]!
  }
  for (let k = 0; k < sums.length; k++) sums[k]! /= total
  return sums
}
