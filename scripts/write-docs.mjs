// A step of the build: the pages of docs/ as HTML beside the compiled service, with an index to search them by. The
// service serves them at /docs as they are, and needs no renderer.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Marked } from 'marked'
import { root } from './setup.mjs'

const from = join(root, 'docs')
const to = join(root, 'dist', 'docs')

/** GitHub's way to make an anchor of a heading. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]+>|&[a-z]+;/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign])

/** The folder of the page that is being rendered. */
let folder = ''

/** Links between pages lose their ending, a page in a folder has the folder's name before its own; pictures lie beside them. */
const linked = (href) => {
  const [, path, anchor = ''] = /^([\w./-]+)\.md(#.*)?$/.exec(href) ?? []
  if (path) return `/docs/${posix.join(folder, path).replace('/', '-')}${anchor}`
  if (/^[\w-]+\.(?:png|gif|svg|json)$/.test(href)) return `/docs/${href}`
  return href
}

const plain = (text) => text.replace(/[`*]/g, '')

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(plain(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      return `<a href="${escaped(linked(href))}">${this.parser.parseInline(tokens)}</a>`
    },
    image({ href, text }) {
      return `<img src="${escaped(linked(href))}" alt="${escaped(text)}" loading="lazy">`
    },
    // What is written in HTML in a page of ours is an anchor or a note to its writers.
    html: ({ text }) => (/^<a id="[\w-]+"><\/a>\s*$/.test(text) ? text : ''),
  },
})

const MAX_SECTION = 1200

/** The page, its title, and its sections with the words below each heading. */
function rendered(name, text) {
  const tokens = marked.lexer(text)
  const sections = []
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ id: slug(plain(token.text)), heading: plain(token.text), text: '' })
    else if (sections.length > 0 && token.raw && token.type !== 'html') sections.at(-1).text += ` ${token.raw}`
  }
  return { html: marked.parser(tokens), title: sections[0]?.heading ?? name, sections }
}

mkdirSync(to, { recursive: true })
const pages = {}
const search = []
const files = readdirSync(from, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => posix.join(parentPath.slice(from.length + 1), name))
for (const path of files) {
  folder = posix.dirname(path)
  const file = path.replace('/', '-')
  if (/\.(png|gif|svg)$/.test(file)) copyFileSync(join(from, path), join(to, file))
  if (!file.endsWith('.md')) continue
  const name = file.slice(0, -3)
  const { html, title, sections } = rendered(name, readFileSync(join(from, path), 'utf8'))
  writeFileSync(join(to, `${name}.html`), html)
  pages[name] = title
  for (const { id, heading, text: words } of sections) {
    const text = words
      .replace(/[`*|#\-\s]+/g, ' ')
      .trim()
      .slice(0, MAX_SECTION)
    search.push({ page: name, id, title, heading, text })
  }
}
copyFileSync(join(from, 'contents.json'), join(to, 'contents.json'))
writeFileSync(join(to, 'pages.json'), JSON.stringify(pages))
writeFileSync(join(to, 'search.json'), JSON.stringify(search))
