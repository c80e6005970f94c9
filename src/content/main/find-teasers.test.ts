import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { computeBlockFeatures } from './block-features.ts'
import { findTeasers } from './find-teasers.ts'
import { flattenPage } from './flatten-page.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'

const nothing = { index: new Map<number, number>(), weights: new Float32Array(0), bias: PAGE_KINDS.map(() => 0) }
function rowsOf(html: string): string[] {
  const outline = flattenPage(parseDocument(`<body>${html}</body>`))
  const url = 'https://news.example/story'
  const { rows } = findTeasers(outline, computeBlockFeatures(outline, new Map(), nothing, url), url)
  const said = outline.blocks.map(({ firstText, endText }) =>
    outline.texts
      .slice(firstText, endText)
      .map(({ data }) => data)
      .join(''),
  )
  return said.filter((_, i) => rows[i])
}

const story = `<div>${'<p>Вода в гавани поднялась за ночь, и смотрители маяка записали это в книгу, как делали каждую зиму до того.</p>'.repeat(8)}</div>`
const card = (href: string, title: string, picture = '<img src="/p.jpg" alt="">') =>
  `<div class="x1">${picture}<h3><a href="${href}">${title}</a></h3><p>Коротко о том, что было вчера в городе.</p></div>`

describe('teasers of other stories', () => {
  it('are rows of one shape with pictures that lead to other pages of the site, and their heading goes along', () => {
    const rows = rowsOf(
      `${story}<div><h2>Ещё</h2>${card('/a', 'Первая новость дня')}${card('/b', 'Вторая новость дня')}</div>`,
    )
    expect(rows).toEqual(['Ещё', 'Первая новость дня', expect.anything(), 'Вторая новость дня', expect.anything()])
  })

  it('are not boxes that lead to other sites, such as those of a review, nor rows without pictures', () => {
    expect(
      rowsOf(
        `${story}<div>${card('https://shop.example/1', 'Lampe A neu')}${card('https://shop.example/2', 'Lampe B neu')}</div>`,
      ),
    ).toEqual([])
    expect(rowsOf(`${story}<div>${card('/a', 'Part one of it', '')}${card('/b', 'Part two of it', '')}</div>`)).toEqual(
      [],
    )
  })

  it('are not most of a page', () => {
    expect(
      rowsOf(`<div>${Array.from({ length: 8 }, (_, i) => card(`/${i}`, `Новость номер ${i}`)).join('')}</div>`),
    ).toEqual([])
  })
})
