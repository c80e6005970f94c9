// What one looks things up in: documentation, public registers by letter, and newspapers.
import { FORMS, filler, framed, link, stated, type WebPage } from './page.ts'
import { between, city, companyName, person, pick, type Rng, siteWord, slug } from './words.ts'

export interface Docs {
  name: string
  root: string
  facts: { version: string; licence: string; defaultPort: number; maintainer: string }
  pages: WebPage[]
}

export function docsAt(at: number, rng: Rng): Docs {
  const name = `${siteWord(at + 9)}DB`
  const root = `/docs/${slug(name)}/`
  const facts = {
    version: `${between(rng, 1, 9)}.${between(rng, 0, 20)}.${between(rng, 0, 9)}`,
    licence: pick(rng, ['MIT', 'Apache-2.0', 'MPL-2.0', 'BSD-3-Clause']),
    defaultPort: between(rng, 3000, 9900),
    maintainer: person(rng),
  }
  const site = {
    name,
    root,
    menu: [
      ['', 'Overview'],
      ['install', 'Install'],
      ['configuration', 'Configuration'],
      ['about', 'About the project'],
    ] as [string, string][],
  }
  const form = FORMS[at % 3]!
  const { version, licence, defaultPort, maintainer } = facts
  const guides = Array.from(
    { length: 55 },
    (_, n): WebPage => ({
      path: `${root}guide/${n + 1}`,
      html: framed(site, `Guide ${n + 1}`, `${filler(n, 3)}<pre><code>connect("localhost", ${1000 + n})</code></pre>`),
    }),
  )
  return {
    name,
    root,
    facts,
    pages: [
      {
        path: root,
        html: framed(
          site,
          `${name} documentation`,
          `${filler(at)}<ul>${guides
            .slice(0, 20)
            .map(({ path }, n) => `<li>${link(path, `Guide ${n + 1}`)}</li>`)
            .join('')}</ul>`,
        ),
      },
      {
        path: `${root}install`,
        html: framed(
          site,
          'Install',
          `${stated(form, name, [{ label: 'Current version', value: version, sentence: `The current version is ${version}.` }])}${filler(at + 1)}`,
        ),
        facts: { version },
      },
      {
        path: `${root}configuration`,
        html: framed(
          site,
          'Configuration',
          `${stated(form, name, [{ label: 'Default port', value: defaultPort, sentence: `The default port is ${defaultPort}.` }])}${filler(at + 2)}`,
        ),
        facts: { defaultPort },
      },
      {
        path: `${root}about`,
        html: framed(
          site,
          'About the project',
          stated(form, name, [
            { label: 'Licence', value: licence, sentence: `The licence is ${licence}.` },
            { label: 'Maintainer', value: maintainer, sentence: `The maintainer is ${maintainer}.` },
          ]),
        ),
        facts: { licence, maintainer },
      },
      ...guides,
      { path: `${root}privacy`, html: framed(site, 'Privacy', '<p>No cookies.</p>') },
    ],
  }
}

export interface Entry {
  name: string
  number: string
  status: string
  owner: string
  path: string
}

export interface Register {
  name: string
  root: string
  entries: Entry[]
  pages: WebPage[]
}

export function registerAt(at: number, rng: Rng, size: number): Register {
  const name = `Register of ${pick(rng, ['Mills', 'Vessels', 'Bridges', 'Wells'])} of ${city(rng)}`
  const root = `/register/${at}-${slug(name)}/`
  const site = {
    name,
    root,
    menu: [
      ['', 'Start'],
      ['letters', 'By letter'],
      ['help', 'Help'],
    ] as [string, string][],
  }
  const entries = Array.from({ length: size }, (_, n): Entry => {
    const called = `${siteWord(n * 7 + at)} ${companyName(n + at * 3).split(' ')[1]} No ${n + 1}`
    return {
      name: called,
      number: `R-${at}${String(1000 + n * 13)}`,
      status: pick(rng, ['active', 'suspended', 'withdrawn']),
      owner: person(rng),
      path: `${root}entry/${n + 1}`,
    }
  })
  const letters = [...new Set(entries.map((entry) => entry.name[0]!))].sort()
  const form = FORMS[at % 3]!
  return {
    name,
    root,
    entries,
    pages: [
      {
        path: root,
        html: framed(site, name, `${filler(at)}<p>${link(`${root}letters`, 'All entries by letter')}</p>`),
      },
      {
        path: `${root}letters`,
        html: framed(
          site,
          'By letter',
          `<ul>${letters.map((letter) => `<li>${link(`${root}letter/${letter.toLowerCase()}`, `Entries with ${letter}`)}</li>`).join('')}</ul>`,
        ),
      },
      { path: `${root}help`, html: framed(site, 'Help', filler(at, 3)) },
      ...letters.map(
        (letter): WebPage => ({
          path: `${root}letter/${letter.toLowerCase()}`,
          html: framed(
            site,
            `Entries with ${letter}`,
            `<ul>${entries
              .filter((entry) => entry.name.startsWith(letter))
              .map((entry) => `<li>${link(entry.path, entry.name)}</li>`)
              .join('')}</ul>`,
          ),
        }),
      ),
      ...entries.map(
        (entry): WebPage => ({
          path: entry.path,
          html: framed(
            site,
            entry.name,
            stated(form, entry.name, [
              { label: 'Number', value: entry.number, sentence: `Its number is ${entry.number}.` },
              { label: 'Status', value: entry.status, sentence: `Its status is ${entry.status}.` },
              { label: 'Owner', value: entry.owner, sentence: `Its owner is ${entry.owner}.` },
            ]),
          ),
          facts: { name: entry.name, number: entry.number, status: entry.status, owner: entry.owner },
        }),
      ),
    ],
  }
}

export interface Article {
  title: string
  author: string
  published: string
  path: string
}

export interface Paper {
  name: string
  root: string
  articles: Article[]
  pages: WebPage[]
}

export function paperAt(at: number, rng: Rng, size: number): Paper {
  const name = `The ${city(rng)} ${pick(rng, ['Courier', 'Herald', 'Post'])}`
  const root = `/paper/${at}-${slug(name)}/`
  const site = {
    name,
    root,
    menu: [
      ['', 'Front page'],
      ['all', 'All articles'],
      ['about', 'About'],
    ] as [string, string][],
  }
  const articles = Array.from(
    { length: size },
    (_, n): Article => ({
      title: `${siteWord(n * 3 + at)} ${pick(rng, ['harbour', 'market', 'bridge', 'station', 'library'])} ${pick(rng, ['reopens', 'is to close', 'wins a prize', 'gets a new roof'])} (${n + 1})`,
      author: person(rng),
      published: `2025-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
      path: `${root}article/${n + 1}`,
    }),
  )
  const item = ({ path, title }: Article) => `<li>${link(path, title)}</li>`
  return {
    name,
    root,
    articles,
    pages: [
      { path: root, html: framed(site, name, `<ul>${articles.slice(0, 20).map(item).join('')}</ul>`) },
      { path: `${root}all`, html: framed(site, 'All articles', `<ul>${articles.map(item).join('')}</ul>`) },
      { path: `${root}about`, html: framed(site, `About ${name}`, filler(at, 3)) },
      ...articles.map(
        (article, n): WebPage => ({
          path: article.path,
          html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${article.title}</title><meta property="article:published_time" content="${article.published}"></head><body><nav>${link(root, name)}</nav><main><article><h1>${article.title}</h1><p class="byline">By ${article.author}</p><time datetime="${article.published}">${article.published}</time>${filler(n, 4)}</article></main></body></html>`,
          facts: { author: article.author, published: article.published },
        }),
      ),
    ],
  }
}
