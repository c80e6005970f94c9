// Runs of links are a menu, unless they are a section of the document.
import { expect, it } from 'vitest'
import { parseTree } from '../parse-tree.ts'
import { flattenPage } from './flatten-page.ts'
import { hasBoilerplate } from './has-boilerplate.ts'
import { unpackMainContentModel } from './main-content-model.ts'
import packed from './model.json' with { type: 'json' }
import { scoreAndChooseBlocks } from './score-and-choose-blocks.ts'

const model = unpackMainContentModel(packed)
const links = '<ul><li><a href="/a">Home</a></li><li><a href="/b">Chat</a></li><li><a href="/c">Wiki</a></li></ul>'
const text = '<p>Firmware for the open kettle.</p>'

it.each([
  ['below a heading', `<h1>Kettle</h1>${text}<h2>Links</h2>${links}`, false],
  ['above the text', `${links}<h1>Kettle</h1>${text}`, true],
  ['after the text', `<h1>Kettle</h1>${text}${links}`, true],
])('links %s', (_, html, expected) => {
  const outline = flattenPage(parseTree(html, 'html').tree)
  expect(hasBoilerplate(outline, scoreAndChooseBlocks(outline, undefined, model).reading)).toBe(expected)
})
