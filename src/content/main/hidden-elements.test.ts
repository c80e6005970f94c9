import type { Element } from 'domhandler'
import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { hasHidingAttributes, isHidden } from './hidden-elements.ts'

const element = (html: string): Element => parseDocument(html).children[0] as Element
const long = 'Words that stand in for the plain copy of a page. '.repeat(20)

describe('what is hidden', () => {
  it('is what says so by attribute or style', () => {
    for (const html of [
      '<div hidden>x</div>',
      '<p style="color: red; display : none">x</p>',
      '<p style="visibility:hidden">x</p>',
    ]) {
      expect(hasHidingAttributes(element(html)), html).toBe(true)
      expect(isHidden(element(html)), html).toBe(true)
    }
    for (const html of ['<div>x</div>', '<div hidden="until-found">x</div>', '<p style="display:block">x</p>'])
      expect(hasHidingAttributes(element(html)), html).toBe(false)
  })
  it('is not what a script will move into place', () => {
    expect(isHidden(element('<div hidden id="S:1a">x</div>'))).toBe(false)
    const widths = element('<b><i class="ssr-variant hidden-a">x</i><i class="ssr-variant hidden-b">x</i></b>')
    expect(widths.children.map((one) => isHidden(one as Element))).toEqual([false, true])
    expect(isHidden(element('<div hidden id="Sidebar">x</div>'))).toBe(true)
  })
  it('is not a folded panel', () => {
    for (const html of [
      '<div class="accordion-panel" style="display:none">x</div>',
      '<div role="tabpanel" hidden>x</div>',
      '<div class="faq__answer" style="display: none;">x</div>',
      '<div hidden aria-labelledby="item-3-heading">x</div>',
      '<section role="region" hidden aria-labelledby="drawer-2">x</section>',
    ])
      expect(isHidden(element(html)), html).toBe(false)
    expect(isHidden(element('<div hidden role="dialog" aria-labelledby="t">x</div>'))).toBe(true)
    expect(isHidden(element('<ul style="display:none" aria-labelledby="t">x</ul>'))).toBe(true)
  })
  it('is a noscript with a pixel in it, not one with the page in it', () => {
    expect(isHidden(element('<noscript><img src="pixel.gif"></noscript>'))).toBe(true)
    expect(isHidden(element(`<noscript><div><p>${long}</p></div></noscript>`))).toBe(false)
  })
})
