import { describe, expect, it } from 'vitest'
import { controlsOf } from './controls.ts'
import { parseTree } from './tree.ts'

const controls = (html: string) => controlsOf(parseTree(html).tree)

describe('what can be pressed on a page', () => {
  it('is named as people read it, each once, and nothing that cannot be pressed', () => {
    const html = `<button> Load
      more </button><button>Load more</button><input type="submit" value="Send"><details><summary>Opening hours</summary>x</details>
      <span role="button" aria-label="Show phone number">☎</span><button disabled>Gone</button><button hidden>Unseen</button>
      <a href="/x">A link</a><button>${'long '.repeat(40)}</button><button></button>`
    expect(controls(html).buttons).toEqual(['Load more', 'Send', 'Opening hours', 'Show phone number'])
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
