import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../test/cost.ts'
import { detectPageKind } from './detect-page-kind.ts'
import { parseTree } from './parse-tree.ts'

const URL_ = 'https://www.boats.example/harbour/plan'
const kindOf = (body: string, head = '') =>
  detectPageKind(parseTree(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`).tree, URL_)?.pageKind
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')

describe('a page without content of its own', () => {
  it.each([
    ['login', '<form><h1>Sign in</h1><input name=e><input type="password"><button>Go</button></form>'],
    ['login', '<p>Sign up to read on</p><form><input type=email><input type=PASSWORD></form>'],
    ['parked', '<h1>boats.example</h1><a href="https://market.example/for-sale/boats.example">Buy this domain</a>'],
    ['parked', '<h1>www.boats.example</h1><p>Diese Domain wird vom Inhaber zum Kauf angeboten.</p>'],
    ['parked', '<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>'],
    ['parked', '<div id=main></div><iframe src="//www.sedoparking.com/search"></iframe>'],
    ['not_found', '<h1>Page not found</h1><p>Try the <a href="/">home page</a>.</p>'],
    ['not_found', '<h1>Hoppla!</h1><title>404 – Boats</title>'],
    ['not_found', '<h1>404: Seite nicht gefunden</h1>'],
    ['not_found', '<h1>页面不存在</h1>'],
    ['not_found', '<h1>Sorry, this boat is no longer available</h1><p>See other boats.</p>'],
    ['not_found', '<h1>Cette annonce n’est plus disponible</h1>'],
    [
      'wall',
      '<h1>The tide</h1><p>It rose.</p><div><p>Keep reading with a subscription</p><button>Subscribe now</button></div>',
    ],
    ['consent', `<div role=dialog><p>Cookies: ${words(60)}</p><button>OK</button></div><div id=app></div>`],
    ['consent', `<div class="cookie-banner"><p>${words(60)}</p><button>OK</button></div><div id=app></div>`],
    [
      'javascript',
      '<div id=app></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=a.js></script>',
    ],
    ['javascript', '<p>Please activate JavaScript in your browser.</p><script>go()</script>'],
  ])('is named %s', (kind, body) => expect(kindOf(body)).toBe(kind))
})

describe('a page with content', () => {
  it.each([
    ['a short note', '<h1>Plan</h1><p>The harbour is closed on Monday.</p>'],
    ['a log-in in its header', `<header><form><input type=password></form></header><p>${words(30)}</p>`],
    ['a dialog before it', `<div id=consent>${words(80)}<button>OK</button></div><p>${words(30)}</p>`],
    ['an article about an error', `<h1>Error 404 and how to fix it</h1><p>${words(200)}</p>`],
    ['a car', '<title>Peugeot 404 – Cars</title><h1>Peugeot 404</h1><p>Built from 1960.</p>'],
    [
      'a share link',
      '<p>Read it.</p><a href="https://social.example/offer?u=https://www.boats.example/harbour/plan">Share</a>',
    ],
    ['a lesson', '<h1>JavaScript</h1><a href=/1>Values</a><a href=/2>Functions</a><script src=a.js></script>'],
    ['Chinese text', `<title>404</title><p>${'港口'.repeat(100)}</p>`],
    ['no text', ''],
  ])('is not named: %s', (_name, body) => expect(kindOf(body)).toBeUndefined())

  it('is not named in any page of the fixtures', () => {
    const folder = join(import.meta.dirname, '../../test/fixtures/pages')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
    const named = files.filter((file) => detectPageKind(parseTree(readFileSync(join(folder, file), 'utf8')).tree, URL_))
    expect([files.length > 30, named]).toEqual([true, []])
  })

  it('is known after work in proportion to its length', () => {
    expectLinear(40_000, (n) => kindOf(`${'<div class=cookie>'.repeat(n / 40)}${'<i>'.repeat(n)}`))
    expectLinear(40_000, (n) => kindOf(`<h1>${'404 - '.repeat(n)}</h1><p>${'javascript '.repeat(n)}</p>`))
  })
})
