// Companies of the agents' web: facts spread over about, team and contact pages, with an archived copy that says what was
// once true, a page about another firm of almost the same name, and dead links.
import { type Fact, FORMS, filler, framed, link, stated, type WebPage } from './page.ts'
import { between, city, companyName, person, phone, type Rng, slug } from './words.ts'

export interface Company {
  name: string
  root: string
  facts: Record<'founder' | 'founded' | 'email' | 'ceo' | 'headquarters' | 'phone' | 'employees', string | number>
  pages: WebPage[]
}

const fact = (label: string, value: string | number, sentence: string, property?: string): Fact => ({
  label,
  value,
  sentence,
  ...(property ? { property } : {}),
})

export function companyAt(at: number, rng: Rng): Company {
  const name = companyName(at)
  const root = `/c/${slug(name)}/`
  const founded = between(rng, 1850, 2015)
  const [founder, ceo, formerCeo] = [person(rng), person(rng), person(rng)]
  const facts = {
    founder,
    founded,
    email: `post@${slug(name)}.example`,
    ceo,
    headquarters: city(rng),
    phone: phone(rng),
    employees: between(rng, 12, 900),
  }
  const site = {
    name,
    root,
    menu: [
      ['', 'Home'],
      at % 2 ? ['about', 'About us'] : ['about', 'Our story'],
      at % 3 ? ['contact', 'Contact'] : ['contact', 'Get in touch'],
      ['people', at % 2 ? 'Team' : 'Leadership'],
      ['news', 'News'],
    ] as [string, string][],
  }
  const form = FORMS[at % FORMS.length]!
  const page = (path: string, title: string, body: string, states: Partial<Company['facts']> = {}): WebPage => ({
    path: root + path,
    html: framed(site, title, body),
    facts: states as Record<string, string | number>,
  })
  const story = [
    fact('Founder', founder, `${name} was founded by ${founder}.`, 'founder'),
    fact('Founded', founded, `The company was founded in ${founded}.`, 'foundingDate'),
    fact('Employees', facts.employees, `Today it has ${facts.employees} employees.`, 'numberOfEmployees'),
  ]
  const reach = [
    fact(at % 2 ? 'E-mail' : 'Email', facts.email, `Write to ${facts.email}.`, 'email'),
    fact('Phone', facts.phone, `Call ${facts.phone}.`, 'telephone'),
    fact('Headquarters', facts.headquarters, `The headquarters are in ${facts.headquarters}.`),
  ]
  const lead = [fact(at % 2 ? 'CEO' : 'Chief executive', ceo, `${ceo} is the chief executive (CEO) of ${name}.`)]
  const news = Array.from({ length: 6 }, (_, n) =>
    page(
      `news/${n + 1}`,
      `News from the yard, part ${n + 1}`,
      `${filler(at + n, 3)}<p>${link(`${root}news`, 'All news')}</p>`,
    ),
  )
  const { employees, founder: by, founded: when, email, phone: call, headquarters } = facts
  return {
    name,
    root,
    facts,
    pages: [
      page(
        '',
        name,
        `${filler(at)}<p>${link(`${root}about`, 'Read our story')} ${link(`${root}careers`, 'Careers')} ${link(`${root}lost`, 'Old catalogue')}</p>`,
      ),
      page(
        'about',
        `About ${name}`,
        `${filler(at + 1)}${stated(form, name, story)}<p>${link(`${root}archive/2015`, 'This page in 2015')}</p>`,
        { founder: by, founded: when, employees },
      ),
      page('contact', `Contact ${name}`, `${stated(form, name, reach)}${filler(at + 2, 1)}`, {
        email,
        phone: call,
        headquarters,
      }),
      page('people', `The people of ${name}`, `${stated(form, name, lead)}${filler(at + 3)}`, { ceo }),
      page(
        'news',
        'News',
        `<ul>${news.map(({ path }, n) => `<li>${link(path, `News from the yard, part ${n + 1}`)}</li>`).join('')}</ul>`,
      ),
      ...news,
      page(
        'archive/2015',
        `About ${name} (archived copy from 2015)`,
        `<p>This is an archived copy. It is kept for reference and is not up to date.</p>${stated(form, name, [fact('CEO', formerCeo, `In 2015 ${formerCeo} was the chief executive.`)])}`,
      ),
      page('careers', 'Careers', `<p>There are no open positions at the moment.</p>${filler(at)}`),
      page('privacy', 'Privacy', '<p>We keep nothing that we do not need.</p>'),
    ],
  }
}
