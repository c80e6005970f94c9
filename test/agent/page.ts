// How a page of the agents' web looks: a frame, and facts in the forms that sites state them in.

export type Value = string | number

/** One page, with what it truly states: by the names that schemas use. */
export interface WebPage {
  path: string
  html: string
  facts?: Readonly<Record<string, Value>>
  items?: readonly Readonly<Record<string, Value>>[]
  status?: number
}

export const link = (href: string, text: string): string => `<a href="${href}">${text}</a>`

export function framed(
  site: { name: string; root: string; menu: readonly [string, string][] },
  title: string,
  body: string,
): string {
  const menu = site.menu.map(([path, text]) => link(`${site.root}${path}`, text)).join(' ')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} – ${site.name}</title></head><body><header><p>${site.name}</p><nav>${menu}</nav></header><main><h1>${title}</h1>${body}</main><footer><p>© ${site.name}</p>${link(`${site.root}privacy`, 'Privacy')}</footer></body></html>`
}

export type Form = 'dl' | 'table' | 'lines' | 'prose' | 'data'
export const FORMS: readonly Form[] = ['dl', 'table', 'lines', 'prose', 'data']

/** Facts with the label a reader sees, and for prose the sentence that says it. */
export interface Fact {
  label: string
  value: Value
  sentence: string
  /** Its name in schema.org's words, where it has one. */
  property?: string
}

export function stated(form: Form, about: string, facts: readonly Fact[]): string {
  const rows = (each: (fact: Fact) => string) => facts.map(each).join('')
  if (form === 'dl') return `<dl>${rows(({ label, value }) => `<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
  if (form === 'table')
    return `<table>${rows(({ label, value }) => `<tr><th>${label}</th><td>${value}</td></tr>`)}</table>`
  if (form === 'lines') return rows(({ label, value }) => `<p><strong>${label}:</strong> ${value}</p>`)
  const prose = `<p>${facts.map(({ sentence }) => sentence).join(' ')}</p>`
  if (form === 'prose') return prose
  const data = Object.fromEntries(facts.flatMap(({ property, value }) => (property ? [[property, value]] : [])))
  const json = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Organization', name: about, ...data })
  return `<script type="application/ld+json">${json}</script>${prose}`
}

const FILLER = [
  'The workshop stands where the old road meets the river, and most of the work is still done by hand.',
  'Visitors are welcome on most days, though it is wise to write beforehand in the winter months.',
  'A small team looks after everything, from the first drawing to the last coat of oil.',
  'Over the years the range has grown slowly, one good thing at a time.',
  'Letters are read by people, and answered by the same people within a few days.',
  'In spring the yard is open to schools, who may try their hand at the simpler tasks.',
]
export const filler = (at: number, paragraphs = 2): string =>
  Array.from({ length: paragraphs }, (_, n) => `<p>${FILLER[(at + n) % FILLER.length]}</p>`).join('')
