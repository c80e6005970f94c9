import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { computeBlockFeatures } from './block-features.ts'
import { chooseBlocks, dropDuplicateBlocks } from './choose-blocks.ts'
import { findTeasers } from './find-teasers.ts'
import { flattenPage } from './flatten-page.ts'
import { PAGE_KINDS } from './predict-page-kind.ts'

const nothing = { index: new Map<number, number>(), weights: new Float32Array(0), bias: PAGE_KINDS.map(() => 0) }
const open = (html: string) => {
  const outline = flattenPage(parseDocument(html))
  return { outline, reading: computeBlockFeatures(outline, new Map(), nothing, undefined) }
}
const words = (count: number, word = 'word') => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ')

describe('choosing blocks', () => {
  it('keeps what is likely and cuts what is not', () => {
    const { outline, reading } = open(`<p>${words(40)}</p><p>${words(40)}</p><p>${words(40)}</p>`)
    expect([...chooseBlocks(outline, reading, Float32Array.of(0.9, 0.1, 0.8))]).toEqual([1, 0, 1])
  })
  it('keeps doubtful blocks on a page where all are doubtful', () => {
    const { outline, reading } = open(`<p>${words(40)}</p><p>${words(40)}</p><p>${words(40)}</p>`)
    expect([...chooseBlocks(outline, reading, Float32Array.of(0.3, 0.3, 0.02))]).toEqual([1, 1, 0])
  })
  it('keeps one block at least', () => {
    const { outline, reading } = open('<p>one</p><p>!!!</p>')
    expect(chooseBlocks(outline, reading, Float32Array.of(0, 0)).includes(1)).toBe(true)
  })
  it('does not let menus, footers, dialogs and what is out of sight in where all is doubtful', () => {
    const part = (open: string, close: string) => `${open}<p>${words(40)}</p>${close}`
    const { outline, reading } = open(
      part('', '') +
        part('<nav>', '</nav>') +
        part('<footer>', '</footer>') +
        part('<div role="dialog" aria-modal="true">', '</div>') +
        part('<div class="box hide">', '</div>') +
        part('<div class="hide-on-mobile">', '</div>'),
    )
    expect([...chooseBlocks(outline, reading, new Float32Array(6).fill(0.3))]).toEqual([1, 0, 0, 0, 0, 1])
  })
  it('doubts headers, but for their main heading', () => {
    const { outline, reading } = open(`<header><h1>${words(9)}</h1><p>${words(40)}</p></header><p>${words(90)}</p>`)
    expect([...chooseBlocks(outline, reading, Float32Array.of(0.6, 0.6, 0.9))]).toEqual([1, 0, 1])
  })
  it('takes a sentence that is all link, and words beside a picture, for no part of a story', () => {
    const { outline, reading } = open(
      `<p>${words(90)}</p><p><a href="/b">${words(9)}</a></p><div class="photo">${words(9)}</div><p>${words(9)}</p>`,
    )
    const story = { ...reading, kind: Float32Array.from(PAGE_KINDS, (kind) => (kind === 'article' ? 1 : 0)) }
    expect([...chooseBlocks(outline, story, Float32Array.of(0.9, 0.6, 0.6, 0.6))]).toEqual([1, 0, 0, 1])
  })
  it('keeps a sentence that leads to another site, and a heading of the story that is a link', () => {
    const link = (href: string) => `<a href="${href}">${words(9)}</a>`
    const html = `<div><p>${words(90)}</p><p>${link('https://b.example/')}</p><h2>${link('/c')}</h2><p>${words(90)}</p></div>`
    const { outline, reading } = open(html)
    const story = { ...reading, kind: Float32Array.from(PAGE_KINDS, (kind) => (kind === 'article' ? 1 : 0)) }
    const teasers = findTeasers(outline, story, 'https://a.example/story')
    expect([...chooseBlocks(outline, story, Float32Array.of(0.9, 0.6, 0.6, 0.9), teasers)]).toEqual([1, 1, 1, 1])
  })
  it('doubts short texts that every card repeats, but for headings', () => {
    const card = (i: number) => `<li><h3>Lamp</h3><p>${words(5, `lamp${i}x`)}</p><b>Save this lamp</b></li>`
    const { outline, reading } = open(`<ul>${Array.from({ length: 5 }, (_, i) => card(i + 1)).join('')}</ul>`)
    const keep = chooseBlocks(outline, reading, new Float32Array(outline.blocks.length).fill(0.5))
    expect([...keep]).toEqual(outline.blocks.map((_, i) => (i % 3 === 2 ? 0 : 1)))
  })
  it('trusts comments less where the page is no forum', () => {
    const html = `<p>${words(90)}</p><div class="comments"><p>${words(40, 'reply')}</p></div>`
    const { outline, reading } = open(html)
    expect([...chooseBlocks(outline, reading, Float32Array.of(0.9, 0.55))]).toEqual([1, 0])
  })
})

describe('copies', () => {
  it('keeps the first of two equal texts, however they are spaced', () => {
    const { outline } = open(`<p>${words(12)}</p><p>between</p><p>  ${words(12).replaceAll(' ', '\n')}</p>`)
    const keep = Uint8Array.of(1, 1, 1)
    expect([...dropDuplicateBlocks(outline, keep)]).toEqual([2])
    expect([...keep]).toEqual([1, 1, 0])
  })
  it('leaves short texts, code and table cells alone', () => {
    const { outline } = open(`<p>Yes.</p><p>Yes.</p><pre>${words(12)}</pre><pre>${words(12)}</pre>`)
    expect(dropDuplicateBlocks(outline, Uint8Array.of(1, 1, 1, 1)).size).toBe(0)
  })
})
