// Small sites to act on: a shop, a forum, an account behind a login of two pages, a booking calendar, a board with cards
// to drag, a settings element in a shadow root, a form in a frame, a feed without end, files. What a visitor did is kept
// in the browser's local storage as a list of words, for the tests to read.
import type { Page, Pages } from './page.ts'

const LOG = `<script>const log = (word) => localStorage.setItem('log', JSON.stringify([...JSON.parse(localStorage.getItem('log') || '[]'), word]))
const $ = (s, r = document) => r.querySelector(s), $$ = (s, r = document) => [...r.querySelectorAll(s)]</script>`

const show =
  (title: string, body: string | ((url: URL) => string)): Page =>
  ({ response, url }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    const nav =
      '<nav><a href="/interact/shop">Shop</a> <a href="/interact/forum">Forum</a> <a href="/interact/login">Sign in</a></nav>'
    response.end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>body{font:15px sans-serif;margin:16px}[hidden]{display:none!important}</style>${LOG}<body>${nav}<main><h1>${title}</h1>${typeof body === 'string' ? body : body(url)}</main></body></html>`,
    )
  }

export const GOODS: [name: string, price: number, kind: string][] = [
  ['Canvas tent', 189, 'Camping'],
  ['Camp stove', 54, 'Camping'],
  ['Head torch', 32, 'Light'],
  ['Rope 20 m', 27, 'Climbing'],
  ['Chalk bag', 19, 'Climbing'],
  ['Rain jacket', 120, 'Clothing'],
  ['Wool socks', 14, 'Clothing'],
  ['Oil lantern', 41, 'Light'],
  ['Water filter', 66, 'Camping'],
  ['Trail map', 11, 'Paper'],
  ['Climbing shoes', 98, 'Climbing'],
  ['Sun hat', 22, 'Clothing'],
]

const shop = show('Outdoor shop', (url) => {
  const query = url.searchParams.get('q')?.toLowerCase() ?? ''
  const sort = url.searchParams.get('sort') ?? ''
  const found = GOODS.map((good, at) => ({ good, at })).filter(({ good }) => good[0].toLowerCase().includes(query))
  if (sort) found.sort((a, b) => (a.good[1] - b.good[1]) * (sort === 'up' ? 1 : -1))
  const page = Number(url.searchParams.get('page') ?? 1)
  const pages = Math.ceil(found.length / 5)
  const rows = found.slice((page - 1) * 5, page * 5)
  const link = (to: number) => `/interact/shop?q=${query}&sort=${sort}&page=${to}`
  return `<form action="/interact/shop" role="search"><input type="search" name="q" placeholder="Search the shop" value="${query}"><button>Search</button></form>
<label>Sort by <select onchange="log('sort:' + this.value); location = '/interact/shop?sort=' + this.value"><option value="">Featured</option><option value="up" ${sort === 'up' ? 'selected' : ''}>Price: low to high</option><option value="down" ${sort === 'down' ? 'selected' : ''}>Price: high to low</option></select></label>
<table><thead><tr><th>Article</th><th>Kind</th><th>Price</th></tr></thead><tbody>${rows.map(({ good: [name, price, kind], at }) => `<tr><td><a href="/interact/shop/item?id=${at}">${name}</a></td><td>${kind}</td><td>€ ${price}</td></tr>`).join('')}</tbody></table>
<nav class="pagination">Page ${page} of ${pages} ${page < pages ? `<a href="${link(page + 1)}">Next</a>` : ''}</nav><p><a href="/interact/shop/cart">Cart</a></p>`
})

const SORTING_MS = 300
/** The old page lies still while the server sorts. */
const slowlySortedShop: Page = (visit) =>
  void setTimeout(() => shop(visit), visit.url.searchParams.get('sort') ? SORTING_MS : 0)

const item = show('Article', (url) => {
  const [name, price] = GOODS[Number(url.searchParams.get('id'))] ?? GOODS[0]!
  return `<h2>${name}</h2><p>Price: € ${price}</p><label for="s">Size</label> <select id="s"><option>Small</option><option>Medium</option><option>Large</option></select>
<fieldset><legend>Colour</legend><label><input type="radio" name="c" value="Green"> Green</label> <label><input type="radio" name="c" value="Grey"> Grey</label></fieldset>
<label>Quantity <input type="number" id="n" value="1" min="1"></label> <button id="add">Add to cart</button> <button aria-pressed="false" id="w">Save for later</button><p role="status"></p>
<details><summary>Care</summary><p>Wash at 30 degrees.</p></details>
<script>$('#add').onclick = () => { log(['add', ${JSON.stringify(name)}, $('#s').value, $('[name=c]:checked')?.value ?? '', $('#n').value].join(':')); const cart = JSON.parse(localStorage.getItem('cart') || '[]'); cart.push([${JSON.stringify(name)}, ${price}, +$('#n').value]); localStorage.setItem('cart', JSON.stringify(cart)); $('[role=status]').textContent = 'Added to the cart.' }
$('#w').onclick = (e) => { log('later:' + ${JSON.stringify(name)}); e.target.setAttribute('aria-pressed', 'true'); e.target.textContent = 'Saved' }</script>`
})

const cart = show(
  'Cart',
  `<ul id="l"></ul><p>Total: <b id="t"></b></p><label>Voucher <input id="v"></label> <button id="av">Apply voucher</button><p id="m" role="status"></p><a href="/interact/shop/checkout" class="btn">Checkout</a>
<script>const cart = JSON.parse(localStorage.getItem('cart') || '[["Canvas tent",189,1],["Head torch",32,2]]'); let off = 0
const draw = () => { $('#l').innerHTML = cart.map(([n, p, c], i) => '<li><span>' + c + ' × ' + n + '</span> <button data-i="' + i + '">Remove</button></li>').join(''); $('#t').textContent = '€ ' + (cart.reduce((s, [, p, c]) => s + p * c, 0) - off); $$('#l button').forEach((b) => (b.onclick = () => { log('remove:' + cart[+b.dataset.i][0]); cart.splice(+b.dataset.i, 1); draw() })) }
$('#av').onclick = () => { if ($('#v').value === 'SPRING10') { off = 10; log('voucher'); $('#m').textContent = 'Voucher applied.'; draw() } else $('#m').textContent = 'This voucher is not valid.' }; draw()</script>`,
)

const checkout = show(
  'Checkout',
  `<form id="f" novalidate><p><label>Name <input name="name"></label></p><p><label>Street <input name="street"></label></p><p><label>Country <select name="country"><option value="">Choose</option><option>Austria</option><option>Norway</option><option>Spain</option></select></label></p>
<fieldset><legend>Payment</legend><label><input type="radio" name="pay" value="Card"> Card</label> <label><input type="radio" name="pay" value="Invoice"> Invoice</label></fieldset><p><label><input type="checkbox" name="ok"> I accept the terms of sale</label></p><button>Place order</button></form><p id="m" role="status"></p>
<script>$('#f').onsubmit = (e) => { e.preventDefault(); const v = Object.fromEntries(new FormData(e.target)); if (!v.name || !v.street || !v.country || !v.pay || !v.ok) { $('#m').textContent = 'Please fill in all fields.'; return } log('order:' + [v.name, v.street, v.country, v.pay].join(':')); $('main').innerHTML = '<h1>Thank you</h1><p>Order number: 4711</p>' }</script>`,
)

const THREADS = Array.from(
  { length: 14 },
  (_, at) =>
    `${['Leaking tents', 'Best stoves', 'Night hikes', 'Knots', 'Wet boots', 'Bear boxes', 'Maps', 'Huts', 'Snow', 'Rivers', 'Trains', 'Dogs', 'Food', 'First aid'][at]}`,
)

const forum = show('Forum', (url) => {
  const page = Number(url.searchParams.get('page') ?? 1)
  return `<p><a href="/interact/forum/new">New thread</a></p><ul>${THREADS.slice((page - 1) * 5, page * 5)
    .map((name) => `<li><a href="/interact/forum/thread?t=${encodeURIComponent(name)}">${name}</a></li>`)
    .join(
      '',
    )}</ul><nav aria-label="Pages">${page > 1 ? `<a href="?page=${page - 1}">Previous</a>` : ''} ${page < 3 ? `<a href="?page=${page + 1}">Next</a>` : ''}</nav><script>log('page:${page}')</script>`
})

const thread = show(
  'Thread',
  (
    url,
  ) => `<h2>${(url.searchParams.get('t') ?? '').replace(/[<&]/g, '')}</h2>${['Nils', 'Olga', 'Paolo'].map((name) => `<article><b>${name}</b><p>Words by ${name}.</p><button class="like">Like</button> <button class="quote">Quote</button> <button class="report">Report</button></article>`).join('')}
<form id="r"><label>Your answer<br><textarea name="a"></textarea></label><button>Post answer</button></form><p id="m" role="status"></p>
<script>log('thread:' + $('h2').textContent); $$('article').forEach((a) => { const n = $('b', a).textContent; $('.like', a).onclick = (e) => { log('like:' + n); e.target.textContent = 'Liked' }; $('.report', a).onclick = () => { if (confirm('Report this post?')) { log('report:' + n); $('#m').textContent = 'Reported.' } }; $('.quote', a).onclick = () => { $('textarea').value = '> ' + $('p', a).textContent } })
$('#r').onsubmit = (e) => { e.preventDefault(); log('answer:' + $('textarea').value); $('#m').textContent = 'Your answer was posted.' }</script>`,
)

const newThread = show(
  'New thread',
  `<form id="f"><p><label>Title <input name="t"></label></p><p><label>Category <select name="c"><option>General</option><option>Gear</option><option>Places</option></select></label></p><div><span>Text</span><div id="e" contenteditable="true" role="textbox" aria-label="Text" style="border:1px solid;min-height:60px"></div></div><button>Publish</button></form><p role="status"></p>
<script>$('#f').onsubmit = (e) => { e.preventDefault(); const t = e.target.t.value; if (!t) { $('[role=status]').textContent = 'Please enter a title.'; return } log('publish:' + [t, e.target.c.value, $('#e').innerText.trim()].join(':')); $('[role=status]').textContent = 'Published.' }</script>`,
)

const login = show(
  'Sign in',
  `<form action="/interact/login/password"><p><label>E-mail <input type="email" name="u"></label></p><button>Continue</button></form><a href="/interact/login/help">Forgot password?</a>`,
)
const password = show(
  'Password',
  (
    url,
  ) => `<p>Hello ${(url.searchParams.get('u') ?? '').replace(/[<&]/g, '')}</p><form id="f"><p><label>Password <input type="password" name="p"></label></p><button>Sign in</button></form><p id="m" class="error" role="alert"></p>
<script>$('#f').onsubmit = (e) => { e.preventDefault(); if (e.target.p.value === 'open-sesame-7') { log('login:' + new URL(location).searchParams.get('u')); location = '/interact/account' } else $('#m').textContent = 'Wrong password.' }</script>`,
)
const account = show(
  'Your account',
  `<div role="tablist"><button role="tab" aria-selected="true" aria-controls="a">Profile</button><button role="tab" aria-selected="false" aria-controls="b">Security</button><button role="tab" aria-selected="false" aria-controls="c">Notifications</button></div>
<section id="a" role="tabpanel"><label>Display name <input id="dn" value="Nils"></label> <button id="sv">Save name</button><p>Member since: 2019</p></section><section id="b" role="tabpanel" hidden><button id="so">Sign out everywhere</button></section><section id="c" role="tabpanel" hidden><p>Weekly letter <button role="switch" aria-checked="true" aria-label="Weekly letter" id="w1"></button></p><p>Answers by e-mail <button role="switch" aria-checked="false" aria-label="Answers by e-mail" id="w2"></button></p></section><p id="m" role="status"></p>
<script>$$('[role=tab]').forEach((t) => (t.onclick = () => { $$('[role=tab]').forEach((o) => o.setAttribute('aria-selected', o === t)); $$('[role=tabpanel]').forEach((p) => (p.hidden = p.id !== t.getAttribute('aria-controls'))) })); $('#sv').onclick = () => { log('name:' + $('#dn').value); $('#m').textContent = 'Saved.' }; $('#so').onclick = () => { log('signout'); $('#m').textContent = 'Signed out.' }; $$('[role=switch]').forEach((s) => (s.onclick = () => { const on = s.getAttribute('aria-checked') !== 'true'; s.setAttribute('aria-checked', on); log(s.getAttribute('aria-label') + ':' + on) }))</script>`,
)

const booking = show(
  'Book a guide',
  `<p><label for="d">Day</label> <input id="d" readonly placeholder="yyyy-mm-dd"></p><div id="cal" role="dialog" aria-label="Calendar" hidden></div><p><label>Time <select id="t"><option>08:00</option><option>10:00</option><option>14:00</option></select></label></p><p><label>People <input id="n" type="range" min="1" max="8" value="2"></label> <output>2</output></p><button id="go">Book guide</button><p id="m" role="status"></p>
<script>const names = 'January February March April May June July August September October November December'.split(' '); let m = 4, y = 2027; const draw = () => { const n = new Date(y, m + 1, 0).getDate(); $('#cal').innerHTML = '<button aria-label="Previous month">‹</button> <b>' + names[m] + ' ' + y + '</b> <button aria-label="Next month">›</button><div>' + Array.from({ length: n }, (_, i) => '<button class="day">' + (i + 1) + '</button>').join('') + '</div>'; const [p, x] = $$('#cal button'); p.onclick = () => { m ? m-- : (m = 11, y--); draw() }; $('[aria-label="Next month"]').onclick = () => { m < 11 ? m++ : (m = 0, y++); draw() }; $$('.day').forEach((d) => (d.onclick = () => { $('#d').value = y + '-' + String(m + 1).padStart(2, '0') + '-' + d.textContent.padStart(2, '0'); $('#cal').hidden = true })) }
$('#d').onclick = () => { $('#cal').hidden = false; draw() }; $('#n').oninput = () => ($('output').textContent = $('#n').value); $('#go').onclick = () => { if (!$('#d').value) { $('#m').textContent = 'Please choose a day.'; return } log('guide:' + [$('#d').value, $('#t').value, $('#n').value].join(':')); $('#m').textContent = 'Booked.' }</script>`,
)

const board = show(
  'Board',
  `<div style="display:flex;gap:20px">${['To do', 'Doing', 'Done'].map((name, at) => `<section class="col" data-n="${name}" style="width:180px;min-height:220px;border:1px solid"><h2>${name}</h2>${at === 0 ? ['Patch tent', 'Wax boots', 'Buy gas'].map((card) => `<div class="card" draggable="true" style="border:1px solid;padding:8px;margin:6px">${card}</div>`).join('') : ''}</section>`).join('')}</div>
<script>let held; $$('.card').forEach((c) => (c.ondragstart = (e) => { held = c; e.dataTransfer.setData('text/plain', 'x') })); $$('.col').forEach((col) => { col.ondragover = (e) => e.preventDefault(); col.ondrop = (e) => { e.preventDefault(); col.append(held); log('move:' + held.textContent + ':' + col.dataset.n) } })</script>`,
)

const shadow = show(
  'Lamp settings',
  `<lamp-settings></lamp-settings><script>customElements.define('lamp-settings', class extends HTMLElement { connectedCallback() { const r = this.attachShadow({ mode: 'open' }); r.innerHTML = '<p><label>Brightness <input type="range" min="0" max="100" value="20"></label></p><p><label>Lamp name <input></label></p><p><label><input type="checkbox"> Night mode</label></p><button>Store</button><p role="status"></p>'; $('button', r).onclick = () => { log('lamp:' + [$('[type=range]', r).value, $$('input', r)[1].value, $('[type=checkbox]', r).checked].join(':')); $('[role=status]', r).textContent = 'Stored.' } } })</script>`,
)

const frames = show(
  'Letter',
  `<p>Our letter comes on Fridays.</p><iframe src="/interact/frame-form" width="500" height="200" title="Subscribe"></iframe>`,
)
const frameForm = show(
  'Subscribe',
  `<form id="f"><label>Your e-mail <input name="e"></label><label>How often <select name="o"><option>Weekly</option><option>Monthly</option></select></label><button>Subscribe</button></form><p role="status"></p><script>$('#f').onsubmit = (e) => { e.preventDefault(); log('letter:' + e.target.e.value + ':' + e.target.o.value); $('[role=status]').textContent = 'Subscribed.' }</script>`,
)

const feed = show(
  'Feed',
  `<div id="f"></div><script>let n = 0, busy = false; const add = () => { for (let i = 0; i < 8 && n < 60; i++, n++) { const a = document.createElement('article'); a.style.minHeight = '120px'; a.innerHTML = '<b>Hiker ' + n + '</b><p>Walked ' + (n * 3) + ' km.</p><button>Follow</button>'; const who = 'Hiker ' + n; $('button', a).onclick = (e) => { log('follow:' + who); e.target.textContent = 'Following' }; $('#f').append(a) } }; add(); addEventListener('scroll', () => { if (busy || n >= 60 || innerHeight + scrollY < document.body.scrollHeight - 150) return; busy = true; setTimeout(() => { add(); busy = false }, 120) })</script>`,
)

const files = show(
  'Files',
  `<ul><li>map.pdf <a href="/interact/download" download="map.pdf">Download</a></li><li>gear.csv <a href="/interact/download" download="gear.csv">Download</a></li></ul><label>Upload a photo <input type="file" id="u"></label><button id="s">Send photo</button><p role="status"></p><script>$$('a[download]').forEach((a) => a.addEventListener('click', () => log('download:' + a.download))); $('#s').onclick = () => { if (!$('#u').files.length) { $('[role=status]').textContent = 'Please choose a file.'; return } log('upload:' + $('#u').files[0].name) }</script>`,
)

const download: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
  response.end('file')
}

export const interactPages: Pages = {
  '/interact/shop': slowlySortedShop,
  '/interact/shop/item': item,
  '/interact/shop/cart': cart,
  '/interact/shop/checkout': checkout,
  '/interact/forum': forum,
  '/interact/forum/thread': thread,
  '/interact/forum/new': newThread,
  '/interact/login': login,
  '/interact/login/password': password,
  '/interact/account': account,
  '/interact/booking': booking,
  '/interact/board': board,
  '/interact/shadow': shadow,
  '/interact/frames': frames,
  '/interact/frame-form': frameForm,
  '/interact/feed': feed,
  '/interact/files': files,
  '/interact/download': download,
}
