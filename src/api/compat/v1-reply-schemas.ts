// Reply schemas of v1, where they differ from v2.
import { z } from 'zod'
import { creditReply, tokenReply } from '../../capabilities/account/schema.ts'
import { mapReply } from '../../capabilities/map/schema.ts'
import { searchReply } from '../../capabilities/search/schema.ts'
import { documentSchema } from '../../scrape/document-schema.ts'

export const scrapeReplySchemaV1 = z.object({
  success: z.literal(true),
  data: documentSchema
    .extend({ extract: z.unknown().optional().describe('The field `json` of version 2.') })
    .meta({ id: 'DocumentV1' }),
  warning: z.string().optional(),
})

export const mapReplySchemaV1 = mapReply.extend({ links: z.array(z.string()) })

export const searchReplySchemaV1 = searchReply.extend({
  data: z
    .array(z.looseObject({ url: z.string(), title: z.string() }))
    .describe('What was found, with the page when formats were named.'),
})

const underscoreIds = (reply: z.ZodObject): z.ZodObject => {
  const { data } = reply.shape as { data: z.ZodObject }
  const named = Object.entries(data.shape).map(([name, schema]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    schema as z.ZodType,
  ])
  return reply.extend({ data: z.object(Object.fromEntries(named)) })
}

export const creditsReplySchemaV1 = underscoreIds(creditReply)
export const tokenUsageReplySchemaV1 = underscoreIds(tokenReply)
