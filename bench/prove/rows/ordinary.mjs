// Ordinary addresses of well-known domains that the service does not know by name: none of them should be refused. The
// domains come from outside lists; the model was trained with other paths of the other half of them.
import { isSealed, ordinaryDomains } from '../../../scripts/train/ordinary.mjs'

/** Looked at once, after everything was chosen. */
const FRESH = [
  '/user/activate',
  '/payment/update?id=17',
  '/signin/challenge',
  '/confirm-email',
  '/members/billing.html',
]
const PATHS = ['/', '/about', '/login?next=%2Faccount', '/account/verify', '/search?q=garden+chairs']

export async function ordinaryRows(load) {
  const { scoreUrlRisk: riskOf } = await load('src/fetch/threats/score-url.ts')
  const { FREE_HOSTS, WELL_KNOWN_DOMAINS: WELL_KNOWN } = await load('src/fetch/threats/threat-words.ts')
  const { DEFAULT_THREAT_POLICY } = await load('src/fetch/threats/threat-policy.ts')
  const domains = ordinaryDomains((domain) => WELL_KNOWN.has(domain) || FREE_HOSTS.has(domain))
  if (!domains) {
    console.log('the lists of outside domains could not be fetched: their row is skipped')
    return []
  }
  const isRefused = (url) => riskOf(url).score >= DEFAULT_THREAT_POLICY.riskScoreThreshold
  const refusedOf = (some, paths = PATHS) =>
    paths.map((path) => some.filter((one) => isRefused(`https://${one}${path}`)).length)
  const hostsOf = (sealed) =>
    domains.filter((domain) => isSealed(domain) === sealed).flatMap((domain) => [domain, `www.${domain}`])
  const shareOf = (hosts, paths) => refusedOf(hosts, paths).reduce((sum, one) => sum + one, 0) / (hosts.length * 5)
  const sealed = hostsOf(true)
  const share = shareOf(sealed)
  const byPath = refusedOf(sealed).map((count, at) => `${PATHS[at]} ${count}`)
  return [
    {
      what: `Ordinary URLs refused: ${sealed.length / 2} well-known domains outside that list and outside the training set, with and without www, five paths each (figures of these paths were seen during development)`,
      bar: '≤ 0.5 %',
      measured: `${percent(share)} (of ${sealed.length} each: ${byPath.join(', ')}; five further paths, not seen during development: ${percent(shareOf(sealed, FRESH))}; domains of the training set, other paths: ${percent(shareOf(hostsOf(false)))})`,
      ok: share <= 0.005,
    },
  ]
}

const percent = (share) => `${(share * 100).toFixed(2)} %`
