// Icon, style and search of the docs. The search uses an index written by the build and ranks heading matches first.

// Inside the page: a browser that finds no icon there requests /favicon.ico, which is a 404.
export const DOCS_ICON = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#0f766e" stroke-width="2"><path d="M16 2v28M4 9l24 14M28 9 4 23"/><path d="m16 7 8 4.5v9L16 25l-8-4.5v-9z"/></svg>',
)}">`

export const DOCS_STYLE = `:root { color-scheme: light dark; --paper: #fbfaf8; --card: #fff; --ink: #1c2322; --soft: #4d5856; --line: #e2dfd8; --link: #0f6b63; --code: #f3f1ed; --mark: #e3f0ee; }
:root.dark { --paper: #141918; --card: #1b2120; --ink: #e9eeec; --soft: #b4bfbc; --line: #2e3735; --link: #5cc9bc; --code: #0d1211; --mark: #1f3330; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 0.25rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 1.5rem; padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--card); }
.brand { font-weight: 600; text-decoration: none; color: var(--ink); }
header form { position: relative; flex: 1 1 14rem; max-width: 28rem; }
header label span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
header input { width: 100%; padding: 0.45rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--paper); color: inherit; font: inherit; }
header nav { display: flex; gap: 1.25rem; font-size: 0.95rem; }
header nav a { text-decoration: none; }
#found { position: absolute; z-index: 2; top: calc(100% + 0.25rem); left: 0; right: 0; max-height: 70vh; overflow: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 12%); }
#found a { display: block; padding: 0.5rem 0.75rem; color: inherit; text-decoration: none; }
#found a:hover, #found a:focus, #found a[aria-selected="true"] { background: var(--mark); }
#found small { display: block; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#found p { margin: 0; padding: 0.5rem 0.75rem; color: var(--soft); }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2rem; max-width: 74rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
.menu summary { display: none; }
.menu h2 { margin: 1.25rem 0 0.25rem; font-size: 0.8rem; font-weight: 600; color: var(--soft); }
.menu ul { margin: 0; padding: 0; list-style: none; }
.menu a { display: block; padding: 0.2rem 0.5rem; margin-left: -0.5rem; border-radius: 0.35rem; color: inherit; text-decoration: none; }
.menu a:hover { background: var(--mark); }
.menu a[aria-current] { background: var(--mark); color: var(--link); font-weight: 600; }
main { min-width: 0; max-width: 50rem; }
main h1 { margin-top: 0; font-size: 1.9rem; line-height: 1.2; }
main h2 { margin-top: 2.25rem; font-size: 1.3rem; }
main h3 { margin-top: 1.75rem; font-size: 1.05rem; }
main h2:target, main h3:target { background: var(--mark); }
main img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
code { padding: 0.1em 0.3em; border-radius: 0.3rem; background: var(--code); font-size: 0.9em; overflow-wrap: anywhere; }
pre { padding: 0.85rem 1rem; border-radius: 0.5rem; background: var(--code); overflow-x: auto; line-height: 1.5; }
.code { position: relative; }
.code button { position: absolute; top: 0.4rem; right: 0.4rem; padding: 0.1rem 0.55rem; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--card); color: var(--soft); font: 0.8rem/1.5 system-ui, sans-serif; cursor: pointer; }
.code button:hover { color: var(--link); border-color: var(--link); }
pre code { padding: 0; background: none; overflow-wrap: normal; }
table { display: block; max-width: 100%; overflow-x: auto; border-collapse: collapse; font-size: 0.93rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
@media (max-width: 52rem) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem; padding-top: 0.75rem; }
  .menu summary::after { content: ' ▾'; }
  .menu summary { display: block; padding: 0.5rem 0; font-weight: 600; cursor: pointer; }
}
`

export const DOCS_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => {
  const theme = localStorage.getItem('orb-theme') ?? (dark.matches ? 'dark' : 'light')
  document.documentElement.classList.toggle('dark', theme === 'dark')
}
paint()
dark.addEventListener('change', paint)
const pages = document.querySelector('.menu details')
if (matchMedia('(max-width: 52rem)').matches) pages.open = false
for (const block of document.querySelectorAll('pre, table')) block.tabIndex = 0
const COPIED_MS = 1500
// Browsers have no clipboard for pages of other machines without TLS.
for (const block of navigator.clipboard ? document.querySelectorAll('pre') : []) {
  const frame = document.createElement('div')
  frame.className = 'code'
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.innerText)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), COPIED_MS)
  })
  block.replaceWith(frame)
  frame.append(block, button)
}

const root = document.currentScript.src.replace(/[/]docs[/][^/]*$/, '')
const box = document.getElementById('search')
const found = document.getElementById('found')
let index
const load = async () => (index ??= await (await fetch(root + '/docs/search.json')).json())
const wordsOf = (text) => text.toLowerCase().match(/[\\p{L}\\p{N}_-]+/gu) ?? []
const inside = /^(?:internals-|architecture|measured)/
const score = ({ page, title, heading, text }, words) =>
  (inside.test(page) ? -4 : 0) + words.reduce((sum, word) => {
    const inHeading = heading.toLowerCase().includes(word)
    const inTitle = title.toLowerCase().includes(word)
    const inText = text.toLowerCase().includes(word)
    return inHeading || inTitle || inText ? sum + (inHeading ? 5 : 0) + (inTitle ? 3 : 0) + (inText ? 1 : 0) : sum - 4
  }, 0)
const draw = async () => {
  const words = wordsOf(box.value)
  found.hidden = words.length === 0
  if (words.length === 0) return
  const best = (await load())
    .map((entry) => ({ entry, points: score(entry, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 12)
  found.replaceChildren(
    ...best.map(({ entry: { page, id, title, heading, text } }) => {
      const link = document.createElement('a')
      link.href = root + '/docs/' + page + '#' + id
      link.setAttribute('role', 'option')
      link.append(heading === title ? title : title + ' › ' + heading)
      const small = document.createElement('small')
      small.textContent = text.slice(0, 120)
      link.append(small)
      return link
    }),
  )
  if (best.length === 0) {
    const none = document.createElement('p')
    none.textContent = 'Nothing found.'
    found.append(none)
  }
}
box.addEventListener('input', draw)
box.form.addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
document.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === '/' && document.activeElement.tagName !== 'INPUT') {
    event.preventDefault()
    box.focus()
  }
  if (event.key === 'Escape') found.hidden = true
  if (found.hidden || links.length === 0 || !['ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  links[(at + (event.key === 'ArrowDown' ? 1 : links.length - 1)) % links.length].focus()
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('header form')) found.hidden = true
})
`
