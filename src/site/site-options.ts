// Options of crawl and map that choose pages. Defaults differ between the two, so there are none here.
import { z } from 'zod'
import { compilePathPattern } from '../base/path-pattern.ts'
import { Problem } from '../base/problem.ts'
import { botIdentity } from '../fetch/bot-identity.ts'

/** Compiling costs up to 10 µs a character; a longer text is data, not a choice of paths. */
const MAX_PATTERN_CHARS = 50_000

const pathPatterns = z
  .array(z.string().min(1).max(MAX_PATTERN_CHARS))
  .max(1000)
  .superRefine((patterns, context) => {
    const addIssue = (message: string, path: number[] = []) =>
      context.addIssue({ code: 'custom', message, path, params: { named: true } })
    const total = patterns.reduce((sum, pattern) => sum + pattern.length, 0)
    if (total > MAX_PATTERN_CHARS)
      return addIssue(`the patterns are longer than ${MAX_PATTERN_CHARS} characters together`)
    for (const [at, source] of patterns.entries()) {
      const compiled = compilePathPattern(source)
      if ('wrong' in compiled) addIssue(compiled.wrong, [at])
    }
  })

export const siteOptionFields = {
  includePaths: pathPatterns
    .optional()
    .describe(
      'Regular expressions (RE2 syntax) on the path: only pages that match one. `blog/.*` needs no leading slash.',
    ),
  excludePaths: pathPatterns
    .optional()
    .describe(
      'Regular expressions (RE2 syntax) on the path: pages that match one are left out; wins over all other options.',
    ),
  regexOnFullURL: z.boolean().optional().describe('Match the patterns against the whole URL.'),
  maxDiscoveryDepth: z
    .int()
    .min(0)
    .optional()
    .describe('Maximum number of links from the start; the start and all sitemap pages are 0.'),
  sitemap: z
    .enum(['skip', 'include', 'only'])
    .optional()
    .describe('`only`: pages of the sitemap and the start page; links are not followed.')
    .meta({ default: 'include' }),
  ignoreQueryParameters: z.boolean().optional().describe('URLs that differ only in their query are one page.'),
  deduplicateSimilarURLs: z
    .boolean()
    .optional()
    .describe(
      'URLs that differ only in www, http or https, slashes, index pages, tracking or session parameters are one page.',
    ),
  crawlEntireDomain: z.boolean().optional().describe('Also pages that are not below the path of the start URL.'),
  allowExternalLinks: z.boolean().optional().describe('Also linked pages of other sites, one link deep.'),
  allowSubdomains: z.boolean().optional().describe('Also the other subdomains of the same domain.'),
  ignoreRobotsTxt: z.boolean().optional().describe('Visit what robots.txt forbids; the operator must allow it.'),
  robotsUserAgent: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,100}$/, { error: 'is not a product name for robots.txt, such as ExampleBot' })
    .max(100)
    .optional()
    .describe('The name whose rules in robots.txt are followed; the operator must allow it.'),
  delay: z
    .number()
    .gt(0, { error: 'must be more than 0; leave it out for no delay' })
    .max(60, { error: 'The delay parameter is measured in seconds and cannot exceed 60 seconds.' })
    .optional()
    .describe('Seconds between pages; forces one page at a time.'),
}

interface RobotsChoice {
  ignoreRobotsTxt?: boolean | undefined
  robotsUserAgent?: string | undefined
}

/** Only the operator can allow ignoring robots.txt or using another agent name. A named bot has only its own. */
export function assertMayOverrideRobots({ ignoreRobotsTxt, robotsUserAgent }: RobotsChoice, allowed: boolean): void {
  const bot = botIdentity()
  if (bot && robotsUserAgent !== undefined && robotsUserAgent.toLowerCase() !== bot.name.toLowerCase())
    throw new Problem('forbidden', { because: `robots.txt is read with the name that is sent, ${bot.name}` })
  if (allowed || (!ignoreRobotsTxt && robotsUserAgent === undefined)) return
  const field = ignoreRobotsTxt ? 'ignoreRobotsTxt' : 'robotsUserAgent'
  throw new Problem('forbidden', {
    because: `\`${field}\` is not allowed here; the operator can allow it with ORB_ROBOTS_CHOICE=on`,
  })
}
