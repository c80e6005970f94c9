import { describe, expect, it } from 'vitest'
import { listButtonsAndLinks } from './list-buttons-and-links.ts'
import { parseTree } from './parse-tree.ts'

const controls = (html: string) =>
  listButtonsAndLinks(parseTree(html).tree, (href = '') => new URL(href, 'https://reef.example/').href)

describe('what can be pressed on a page', () => {
  it('is named as people read it, each once, and nothing that cannot be pressed', () => {
    const html = `<button> Load
      more </button><button>Load more</button><input type="submit" value="Send"><details><summary>Opening hours</summary>x</details>
      <span role="button" aria-label="Show phone number">☎</span><button disabled>Gone</button><button hidden>Unseen</button>
      <a href="/x">A link</a><button>${'long '.repeat(40)}</button><button></button>`
    expect(controls(html).buttons).toEqual(['Load more', 'Send', 'Opening hours', 'Show phone number'])
  })

  it('leads to states of the page only from tabs, menus and buttons with a part of their own', () => {
    const html = `<nav><button>Boats</button><button type="submit">Go</button><a role="menuitem" href="/x">X</a><a role="menuitem" href="#">Map</a></nav>
      <button>Delete</button><button aria-controls="more">More</button><div role="tab" aria-disabled="true">Old</div>
      <li role="tab">Prices</li><form><div role="tab">Buy</div></form><nav><button>→</button></nav>`
    expect(controls(html).states.map(({ role, name }) => `${role} ${name}`)).toEqual([
      'button Boats',
      'menuitem Map',
      'button More',
      'tab Prices',
    ])
  })

  it.each([
    '<form><button>X</button></form><nav><button>X</button></nav>',
    '<nav><button>X</button></nav><main><button onclick="del()">X</button></main>',
    '<nav><button>X</button></nav><input type="submit" value="X">',
    '<nav><button>X</button></nav><input type="image" alt="X">',
    '<nav><button>X</button></nav><details><summary>X</summary></details>',
    '<nav><button>X</button></nav><form hidden><button><img alt="X"></button></form>',
    '<nav><button>X</button></nav><button title="X"><svg></svg></button>',
    '<form id="f"></form><nav><button form="f">X</button></nav>',
  ])('leads to no state by a name that another kind of button has: %s', (html) => {
    expect(controls(html).states).toEqual([])
  })

  it('leads to states by names that disabled or repeated menu buttons share', () => {
    const html = '<nav hidden><button>X</button><button disabled>X</button></nav><nav><button>X</button></nav>'
    expect(controls(`${html}<form><div role="tab">X</div></form>`).states).toEqual([{ role: 'button', name: 'X' }])
  })

  it.each([
    ['<input type="search">', true],
    ['<input name="q">', true],
    ['<input placeholder="Search the shop">', true],
    ['<div role="searchbox"></div>', true],
    ['<input name="email"><input type="password" name="s">', false],
    ['<p>search</p>', false],
  ])('%s: a search box %s', (html, isThere) => {
    expect(controls(html).search).toBe(isThere)
  })

  it('is bounded, however many there are', () => {
    expect(
      controls(Array.from({ length: 5000 }, (_, n) => `<button>Button ${n}</button>`).join('')).buttons,
    ).toHaveLength(60)
  })
})

describe('the links of a page', () => {
  it('are given as a person sees them: text, place, and what comes next', () => {
    const html = `<header><nav><a href="/about">About us</a></nav></header>
      <main><a href="/reef"><img alt="The outer reef"></a><a href="/reef">More</a>
      <a rel="next" href="/?page=2"><i></i></a><a href="#top">Top</a><a href="mailto:a@b.example">Write</a></main>
      <footer><a href="/imprint" aria-label="Imprint">i</a></footer>`
    expect(controls(html).links).toEqual([
      { url: 'https://reef.example/about', text: 'About us', region: 'menu' },
      { url: 'https://reef.example/reef', text: 'The outer reef More' },
      { url: 'https://reef.example/?page=2', text: 'next page', isNext: true },
      { url: 'https://reef.example/imprint', text: 'Imprint', region: 'footer' },
    ])
  })
})
