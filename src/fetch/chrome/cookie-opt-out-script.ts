// Refuses cookie banners without a reject button, by autoconsent's rules. They load with the first such banner.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type MakeCookieOptOutScript = (url: string) => Promise<string>

/** Most providers take a second; those with the refusal on a second page take four. */
const BUDGET_MS = 5000
const RETRIES = 2

export function openCookieOptOutScripts(): MakeCookieOptOutScript {
  let loading: ReturnType<typeof load> | undefined
  return async (url) => {
    loading ??= load()
    const { script, rulesFor } = await loading
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
  return `(async () => {
  const names = ['autoconsentSendMessage', 'autoconsentReceiveMessage']
  if (names.some((name) => name in window)) return false
  let end
  const result = new Promise((resolve) => { end = resolve })
  window.autoconsentSendMessage = async (message) => {
    if (message.type === 'init')
      setTimeout(() => window.autoconsentReceiveMessage(${JSON.stringify({ type: 'initResp', config, rules: { compact: rules } })}))
    else if (message.type === 'optOutResult') end(message.result)
    else if (message.type === 'autoconsentDone') end(true)
    else if (message.type === 'autoconsentError') end(false)
    else if (message.type === 'report' && message.state?.lifecycle === 'nothingDetected') end(false)
  }
  setTimeout(() => end(false), ${BUDGET_MS})
  ${script}
  const refused = await result
  for (const name of names) delete window[name]
  return !!refused
})()`
}
