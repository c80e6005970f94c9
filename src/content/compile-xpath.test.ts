// XPath 1.0 over a parsed page: axes, predicates, functions, faults, and the limit on work.
import { describe, expect, it } from 'vitest'
import { compileXPath } from './compile-xpath.ts'
import { parseTree, textOfNode } from './parse-tree.ts'

const tree = parseTree(`<html><body><h1>Boats</h1>
  <ul id="list"><li class="boat new" data-n="1"><a href="/p/1">Petrel</a> <b>12</b></li>
  <li class="boat" data-n="2"><a href="/p/2">Fulmar</a> <b>40</b></li><li>none</li></ul>
  <dl><dt>Crew</dt><dd>3</dd><dt>Price</dt><dd>1 299</dd></dl><p>Berth 4: free</p></body></html>`).tree
const read = (expression: string) =>
  compileXPath(expression)(tree).map((one) => (typeof one === 'string' ? one : textOfNode(one).trim()))

describe('an XPath expression', () => {
  it.each<[string, string[]]>([
    ['/html/body/h1', ['Boats']],
    ['//li[@class="boat"]/a', ['Fulmar']],
    ['//li[contains(concat(" ", @class, " "), " boat ")]//a/@href', ['/p/1', '/p/2']],
    ['//li[last()]', ['none']],
    ['(//a)[2]/text()', ['Fulmar']],
    ['//li[position() < 3]/b[. > 20]', ['40']],
    ['//dt[normalize-space()="Price"]/following-sibling::dd[1]', ['1 299']],
    ['//dd[preceding-sibling::dt[1] = "Crew"]', ['3']],
    ['//b[.="40"]/ancestor::li/@data-n | //h1', ['Boats', '2']],
    ['//a[starts-with(@href, "/p/") and not(../@data-n = 1)]', ['Fulmar']],
    ['substring-after(//p, ": ")', ['free']],
    ['count(//li) * 2 - 1', ['5']],
    ['string(//dd[2])', ['1 299']],
    ['//li[b div 4 = 10 or b mod 5 = 2]/a', ['Petrel', 'Fulmar']],
    ['translate(//h1, "Bo", "C")', ['Cats']],
    ['//ul/descendant::*[self::a or self::b][3]', ['Fulmar']],
    ['//p/preceding::dd[1]', ['1 299']],
    ['//table', []],
  ])('%s', (expression, expected) => {
    expect(read(expression)).toEqual(expected)
  })

  it.each([
    ['//li[', /the end at character 6/],
    ['//li[@class=]', /"\]" at character 13/],
    ['//a/matches(., "x")', /"matches" at character 5/],
    ['ends-with(//a, "x")', /no function ends-with\(\) with 2 arguments, at character 1/],
    ['//a[$x]', /"\$" at character 5/],
    ['', /the end at character 1/],
    ['('.repeat(40), /nested/],
  ])('%s is refused with its place', (expression, fault) => {
    expect(() => compileXPath(expression)).toThrow(fault)
  })

  it('ends at its limit of work', () => {
    const large = parseTree(`<div>${'<p>a<b>b</b></p>'.repeat(3000)}</div>`).tree
    expect(compileXPath('//*[//*[//*[contains(., "none")]]]')(large)).toEqual([])
  })
})
