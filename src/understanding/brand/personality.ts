// Derives tone, energy and audience from colours, corners, fonts and wording. The terms are those of the API.
import type { ComputedStyle } from '../../base/computed-style.ts'
import { isDark, isVivid, shadeOf } from './colour.ts'
import type { Palette } from './palette.ts'

export const TONES = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'] as const
export const ENERGIES = ['low', 'medium', 'high'] as const

export interface Personality {
  personality: { tone: (typeof TONES)[number]; energy: (typeof ENERGIES)[number]; targetAudience: string }
  tone: { voice: string; emojiUsage: string }
}

const AUDIENCES: readonly (readonly [string, RegExp])[] = [
  ['developers', /\b(?:api|sdk|developer|github|deploy|open source|command line|npm|docs|repository)\b/gi],
  ['businesses', /\b(?:enterprise|teams?|business|customers|solutions?|platform|workflow|demo|roi|b2b|companies)\b/gi],
  ['shoppers', /\b(?:add to cart|basket|shop|sale|free shipping|delivery|new arrivals|gift|returns)\b/gi],
  ['patients', /\b(?:patients?|clinic|doctor|health|treatment|appointment)\b/gi],
  ['students', /\b(?:students?|course|learn|university|lesson|school)\b/gi],
  ['readers', /\b(?:article|news|read more|editor|opinion|subscribe|story|stories)\b/gi],
  ['guests', /\b(?:menu|reservation|book a table|restaurant|rooms?|stay|hotel)\b/gi],
]

export function personalityOf(style: ComputedStyle, colors: Palette): Personality {
  const { words, types } = style
  const strength = colors.primary ? shadeOf(colors.primary).saturation : 0
  const heading = types.h1 ?? types.h2
  const serif = /(?:^|,)serif|georgia|times|garamond|playfair|merriweather|lora|baskerville/i.test(
    (heading?.fonts ?? []).join(','),
  )
  const round = Number.parseFloat(style.buttons[0]?.radius ?? '0')
  const vivid = [colors.primary, colors.secondary, colors.accent].filter((colour) => colour && isVivid(colour)).length
  const lively = words.exclamations / Math.max(40, words.count) > 0.01 || words.emojis > 3
  const large = (heading?.size ?? 0) >= 56 && (heading?.weight ?? 400) >= 700
  const tone =
    lively && (round >= 16 || vivid >= 3)
      ? 'playful'
      : large
        ? 'bold'
        : serif
          ? 'traditional'
          : vivid === 0
            ? 'minimalist'
            : round >= 8 || isDark(colors.background)
              ? 'modern'
              : 'professional'
  const force = (lively ? 1 : 0) + (strength > 0.7 ? 1 : 0) + (large ? 1 : 0) + (vivid >= 3 ? 1 : 0)
  return {
    personality: {
      tone,
      energy: force >= 3 ? 'high' : force >= 1 ? 'medium' : 'low',
      targetAudience: audienceOf(words.sample),
    },
    tone: {
      voice: lively ? 'friendly' : serif ? 'formal' : 'neutral',
      emojiUsage: words.emojis === 0 ? 'none' : words.emojis > 10 ? 'frequent' : 'occasional',
    },
  }
}

function audienceOf(sample: string): string {
  const counted = AUDIENCES.map(([name, pattern]) => ({ name, count: sample.match(pattern)?.length ?? 0 }))
  const best = counted.sort((a, b) => b.count - a.count)[0]
  return best && best.count >= 2 ? best.name : 'general public'
}
