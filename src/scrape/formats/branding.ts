// The brand a page shows. The browser measures the page, rules do the rest; a page that cannot be rendered has none.
import { brandingOf } from '../../content/brand/branding.ts'
import type { SelfFacts } from '../../content/brand/logo.ts'
import type { Thing } from '../../content/facts/facts.ts'
import { defineFormat } from './format.ts'

export const branding = defineFormat({
  name: 'branding',
  help: 'The brand of the rendered page: colours, fonts, spacing, components, logo and character.',
  needs: ['look'],
  options: {},
  read: ({ facts, base }) => selfFacts(facts.things, base),
  produce: ({ look, read }) => {
    if (!look) throw new Error('only a web page that a browser shows has a look')
    return brandingOf(look, read)
  },
})

function selfFacts(things: readonly Thing[], base: string): SelfFacts {
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
    name,
    logo: typeof address === 'string' && URL.canParse(address, base) ? new URL(address, base).href : undefined,
  }
}
