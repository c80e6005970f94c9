// Derives tone and energy of a brand from computed styles. The target audience needs a model, so it is not set here.
import type { ComputedStyle } from '../../base/computed-style.ts'
import { isVividColour } from './colour.ts'
import type { Palette } from './derive-palette.ts'

export const BRAND_TONES = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'] as const
export const BRAND_ENERGIES = ['low', 'medium', 'high'] as const

export interface Personality {
  personality: { tone: (typeof BRAND_TONES)[number]; energy: (typeof BRAND_ENERGIES)[number]; targetAudience: string }
  tone: { voice: string; emojiUsage: string }
}

export function derivePersonality({ words, types, buttons }: ComputedStyle, colors: Palette): Personality {
  const heading = types.h1 ?? types.h2
  const isSerif = heading?.fonts.includes('serif') === true
  const isRound = Number.parseFloat(buttons[0]?.radius ?? '0') >= 8
  const isLarge = (heading?.size ?? 0) >= 56
  const isLively = words.exclamations / Math.max(40, words.count) > 0.01 || words.emojis > 3
  const vivid = [colors.primary, colors.secondary, colors.accent].filter(
    (colour) => colour && isVividColour(colour),
  ).length
  const plain = vivid === 0 ? 'minimalist' : isRound ? 'modern' : 'professional'
  const tone = isLively ? 'playful' : isLarge ? 'bold' : isSerif ? 'traditional' : plain
  const force = Number(isLively) + Number(isLarge) + vivid
  const emojiUsage = words.emojis === 0 ? 'none' : words.emojis > 10 ? 'frequent' : 'occasional'
  return {
    personality: {
      tone,
      energy: force >= 3 ? 'high' : force >= 1 ? 'medium' : 'low',
      targetAudience: 'general public',
    },
    tone: { voice: isLively ? 'friendly' : isSerif ? 'formal' : 'neutral', emojiUsage },
  }
}
