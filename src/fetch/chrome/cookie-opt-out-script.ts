// Refuses cookie banners without a reject button, by autoconsent's rules. They load with the first such banner.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readPageFunction } from '../../base/page-script.ts'
import { once } from '../../base/values.ts'

export type MakeCookieOptOutScript = (url: string) => Promise<string>

/** Most providers take a second; those with the refusal on a second page take four. */
const BUDGET_MS = 5000
const RETRIES = 2

export function openCookieOptOutScripts(): MakeCookieOptOutScript {
  const loaded = once(load)
  return async (url) => {
    const { script, rulesFor } = await loaded()
    return refuseScript(script, rulesFor(url))
  }
}

async function load() {
  const { filterCompactRules } = await import('@duckduckgo/autoconsent')
  const require = createRequire(import.meta.url)
  const all = require('@duckduckgo/autoconsent/rules/compact-rules.json') as Parameters<typeof filterCompactRules>[0]
  const script = readFileSync(
    join(dirname(require.resolve('@duckduckgo/autoconsent')), 'autoconsent.playwright.js'),
    'utf8',
  )
  return { script, rulesFor: (url: string) => filterCompactRules(all, { url, mainFrame: true }) }
}

const optOut = once(() => readPageFunction(new URL('./page-scripts/opt-out-of-cookies.js', import.meta.url)))

function refuseScript(script: string, rules: unknown): string {
  const config = {
    enabled: true,
    autoAction: 'optOut',
    disabledCmps: [],
    enablePrehide: false,
    enableCosmeticRules: false,
    enableGeneratedRules: true,
    detectRetries: RETRIES,
    isMainWorld: true,
  }
  const init = JSON.stringify({ type: 'initResp', config, rules: { compact: rules } })
  return `${optOut()}(${init}, ${BUDGET_MS}, () => {${script}\n})`
}
