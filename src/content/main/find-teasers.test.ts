import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { computeBlockFeatures } from './block-features.ts'
import { findTeasers } from './find-teasers.ts'
import { flattenPage } from './flatten-page.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'

const nothing = { index: new Map<number, number>(), weights: new Float32Array(0), bias: PAGE_KINDS.map(() => 0) }
function marked(html: string): { rows: string[]; signups: string[] } {
  const outline = flattenPage(parseDocument(`<body>${html}</body>`))
  const url = 'https://news.example/story'
  const { rows, signups } = findTeasers(outline, computeBlockFeatures(outline, new Map(), nothing, url), url)
  const said = outline.blocks.map(({ firstText, endText }) =>
    outline.texts
      .slice(firstText, endText)
      .map(({ data }) => data)
      .join(''),
  )
  return { rows: said.filter((_, i) => rows[i]), signups: said.filter((_, i) => signups[i]) }
}

const story = `<div>${'<p>Вода в гавани поднялась за ночь, и смотрители маяка записали это в книгу, как делали каждую зиму до того.</p>'.repeat(8)}</div>`
const card = (href: string, title: string, picture = '<img src="/p.jpg" alt="">') =>
  `<div class="x1">${picture}<h3><a href="${href}">${title}</a></h3><p>Коротко о том, что было вчера в городе.</p></div>`

describe('teasers of other stories', () => {
  it('are rows of one shape with pictures that lead to other pages of the site, and their heading goes along', () => {
    const { rows } = marked(
      `${story}<div><h2>Ещё</h2>${card('/a', 'Первая новость дня')}${card('/b', 'Вторая новость дня')}</div>`,
    )
    expect(rows).toEqual(['Ещё', 'Первая новость дня', expect.anything(), 'Вторая новость дня', expect.anything()])
  })

  it('are not boxes that lead to other sites, such as those of a review, nor rows without pictures', () => {
    expect(
      marked(
        `${story}<div>${card('https://shop.example/1', 'Lampe A neu')}${card('https://shop.example/2', 'Lampe B neu')}</div>`,
      ).rows,
    ).toEqual([])
    expect(
      marked(`${story}<div>${card('/a', 'Part one of it', '')}${card('/b', 'Part two of it', '')}</div>`).rows,
    ).toEqual([])
  })

  it('are lines of a label and a link to another page of the site', () => {
    const line = (label: string, href: string, after = '') =>
      `<p>${label} <a href="${href}">Как ремонтировали маяк</a>${after}</p>`
    const lines = [
      line('<b>Читайте также:</b>', '/other'),
      line('Источник:', 'https://elsewhere.example/'),
      line('Об этом писали:', '/other', ' и другие газеты города'),
      line('См. статью', '/other'),
    ]
    expect(marked(`<div>${story}${lines.join('')}${story}</div>`).rows).toEqual([
      expect.stringMatching(/^Читайте также:\s*Как ремонтировали маяк$/),
    ])
  })

  it('are not most of a page', () => {
    expect(
      marked(`<div>${Array.from({ length: 8 }, (_, i) => card(`/${i}`, `Новость номер ${i}`)).join('')}</div>`).rows,
    ).toEqual([])
  })
})

describe('boxes that ask for an e-mail address', () => {
  const form = '<form><label>Adresse</label><input type="email" name="e"><button>OK</button></form>'

  it('are the field and the few words around it, in any language', () => {
    const { signups } = marked(
      `<main>${story}<div><div><h3>Verpassen Sie nichts</h3><p>Jeden Morgen das Wichtigste.</p>${form}</div></div>${story}</main>`,
    )
    expect(signups).toEqual(['Verpassen Sie nichts', 'Jeden Morgen das Wichtigste.', 'Adresse'])
  })

  it('are not the list of posts that stands with the field', () => {
    const posts = ['Eins', 'Zwei', 'Drei'].map((name) => `<p><a href="/${name}">${name}</a></p>`).join('')
    expect(marked(`<main>${story}<div>${posts}<div>${form}</div></div></main>`).signups).toEqual(['Adresse'])
  })

  it('are never the title or the text of the page', () => {
    const title = '<head><title>Der Leuchtturm am Hafen</title></head>'
    const page = `${title}<div><h2>Der Leuchtturm am Hafen</h2><p>Wenig Text.</p><div>${form}</div></div>`
    expect(marked(page).signups).toEqual(['Adresse'])
  })
})
