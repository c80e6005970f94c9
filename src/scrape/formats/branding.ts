// The branding of a page, by rules over browser measurements; undefined without rendering. A model, if configured,
// describes the personality.
import { z } from 'zod'
import {
  BRAND_ENERGIES,
  BRAND_TONES,
  type BrandFacts,
  deriveBranding,
} from '../../understanding/brand/derive-branding.ts'
import type { SchemaOrgThing } from '../../understanding/facts/read-json-ld.ts'
import { readStructuredData } from '../../understanding/facts/read-structured-data.ts'
import { defineFormat } from './format.ts'
import { outcomeOfModelAnswer } from './format-outcome.ts'

const MAX_CHARS = 6000

const PERSONALITY = {
  type: 'object',
  properties: {
    tone: { enum: BRAND_TONES },
    energy: { enum: BRAND_ENERGIES },
    targetAudience: { type: 'string', description: 'Target audience of the brand, in a few words' },
  },
  required: ['tone', 'energy', 'targetAudience'],
  additionalProperties: false,
}

export const brandingFormat = defineFormat({
  name: 'branding',
  help: 'The brand of the rendered page: colours, fonts, spacing, components, logo and character.',
  reply: z.looseObject({ colorScheme: z.enum(['light', 'dark']) }),
  needs: ['computedStyle', 'markdown', 'llm'],
  options: {
    mode: z
      .enum(['auto', 'fast', 'standard'])
      .optional()
      .describe('Accepted for newer clients; the brand is always measured in full.'),
  },
  read: (page) => selfFacts(readStructuredData(page).things, page.base),
  async produce({ computedStyle, read, markdown, llm }, _options, signal) {
    if (!computedStyle) throw new Error('only a web page rendered by a browser has computed styles')
    const brand = deriveBranding(computedStyle, read)
    if (llm.by === 'extractive') return brand
    const { personality, colors, fonts } = brand
    const answer = await llm.extract(
      {
        schema: PERSONALITY,
        prompt: `Impression that the brand makes. Its colours: ${JSON.stringify(colors)}. Its typefaces: ${JSON.stringify(fonts)}.`,
        text: () => markdown.value().slice(0, MAX_CHARS),
        found: personality,
      },
      signal,
    )
    return outcomeOfModelAnswer(answer, { ...brand, personality: answer.value })
  },
})

function selfFacts(things: readonly SchemaOrgThing[], base: string): BrandFacts {
  const self = things.find((thing) =>
    thing['@type'].some((type) => /Organization|Corporation|Business|Store|Brand|Restaurant/.test(type)),
  )
  const logo = [self?.logo ?? self?.image].flat()[0]
  const address =
    typeof logo === 'string'
      ? logo
      : ((logo as Record<string, unknown> | undefined)?.url ??
        (logo as Record<string, unknown> | undefined)?.contentUrl)
  const name = typeof self?.name === 'string' ? self.name : undefined
  return {
    host: URL.canParse(base) ? new URL(base).hostname : undefined,
    name,
    logo: typeof address === 'string' && URL.canParse(address, base) ? new URL(address, base).href : undefined,
  }
}
