// A site whose facts take more than reading a page: behind a button, behind "load more", behind its own search, late in a
// document, and spread over the pages of a handbook.
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { Page, Pages } from './page.ts'
import { plainPage as html } from './plain-page.ts'

const json =
  (value: unknown): Page =>
  ({ response }) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const FERRIES = Array.from({ length: 9 }, (_, at) => ({
  name: `${['Corrie', 'Strom', 'Ulva', 'Sanda', 'Fladda', 'Gometra', 'Lunga', 'Scarba', 'Belnahua'][at]} ferry`,
  price: 12 + at * 3,
}))
const row = ({ name, price }: (typeof FERRIES)[number]) =>
  `<li class="card"><h2>${name}</h2><p class="price">£${price}.00</p></li>`

const CHAPTERS = ['Mooring', 'Rigging', 'Signals', 'Weather']

async function report(): Promise<Uint8Array> {
  const file = await PDFDocument.create()
  const font = await file.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= 9; n++) {
    const page = file.addPage([595, 842])
    const lines =
      n === 8
        ? ['Figures of the year', 'Passengers: 48213', 'Harbour master: Effie Morrison']
        : [`Chapter ${n}`, 'The loch was calm for most of the season, and little else was noted.']
    for (const [at, line] of lines.entries()) page.drawText(line, { x: 60, y: 760 - at * 90, size: 14, font })
  }
  return file.save()
}

export const toolPages: Pages = {
  '/loch/ferries': html(
    'Ferries',
    `<h1>Ferries</h1><ul id="list">${FERRIES.slice(0, 3).map(row).join('')}</ul><button id="more">Load more</button>
    <script>let at = 3; const more = document.getElementById('more')
    more.onclick = async () => { const rows = await (await fetch('/loch/ferries.json?from=' + at)).json()
      for (const { name, price } of rows) list.insertAdjacentHTML('beforeend', '<li class="card"><h2>' + name + '</h2><p class="price">£' + price + '.00</p></li>')
      at += rows.length; if (rows.length < 3) more.remove() }</script>`,
  ),
  // More comes, and never ends: long enough to be watched, and each time before the wait for it is over.
  '/loch/slow-ferries': html(
    'Ferries',
    `<h1>Ferries</h1><ul id="list">${FERRIES.slice(0, 3).map(row).join('')}</ul><button id="more">Load more</button>
    <script>let n = 0; more.onclick = async () => { await fetch('/slow?ms=6000'); n++
      list.insertAdjacentHTML('beforeend', '<li class="card"><h2>Late ferry ' + n + '</h2><p class="price">£' + n + '.00</p></li>') }</script>`,
  ),
  '/loch/ferries.json': (scene) => {
    const from = Number(scene.url.searchParams.get('from'))
    return json(FERRIES.slice(from, from + 3))(scene)
  },
  '/loch/office': html(
    'Loch Office',
    `<h1>Loch Office</h1><p>The Loch Office opens at nine.</p><button id="show">Show phone number</button><p id="place"></p>
    <script>show.onclick = async () => { const { phone } = await (await fetch('/loch/phone.json')).json()
      place.innerHTML = '<dl><dt>Phone</dt><dd>' + phone + '</dd></dl>' }</script>`,
  ),
  '/loch/phone.json': json({ phone: '+44 1631 555 027' }),
  // The button leads away: what a run may not visit it does not reach by pressing either.
  '/loch/away': (scene) =>
    html(
      'Loch Desk',
      `<h1>Loch Desk</h1><p>The Loch Desk is shut.</p><button onclick="location.href='${scene.url.searchParams.get('to') ?? ''}'">Show phone number</button>`,
    )(scene),
  '/loch/slow-office': html(
    'Loch Pier',
    `<h1>Loch Pier</h1><p>The Loch Pier opens late.</p><button id="show">Show phone number</button>
    <script>let n = 0; show.onclick = () => { fetch('/slow?ms=60000'); setInterval(() => { document.body.append(' ' + n++) }, 50) }</script>`,
  ),
  '/loch/people': html(
    'People of the loch',
    '<h1>People of the loch</h1><p>Look somebody up.</p><form action="/loch/find"><input type="search" name="q"><button>Search</button></form>',
  ),
  '/loch/find': (scene) => {
    const words = scene.url.searchParams.get('q') ?? ''
    const found = /mairi campbell/i.test(words)
    return html(
      found ? 'Mairi Campbell' : 'Nobody',
      found
        ? '<h1>Mairi Campbell</h1><dl><dt>E-mail</dt><dd>mairi@loch.example</dd><dt>Boat</dt><dd>Kittiwake</dd></dl>'
        : '<h1>Nobody</h1><p>Nobody of that name.</p>',
    )(scene)
  },
  '/loch/report.pdf': async ({ response }) =>
    void response.writeHead(200, { 'content-type': 'application/pdf' }).end(await report()),
  '/loch/handbook/': html(
    'Handbook',
    `<h1>Handbook</h1><p>Contents.</p>${CHAPTERS.map((one) => `<p><a href="/loch/handbook/${one.toLowerCase()}">Go to ${one}</a></p>`).join('')}<p><a href="/loch/people">People</a></p>`,
  ),
  ...Object.fromEntries(
    CHAPTERS.map((one, at) => [
      `/loch/handbook/${one.toLowerCase()}`,
      html(
        `${one} – Handbook`,
        `<h1>${one}</h1><dl><dt>Title</dt><dd>${one}</dd><dt>Author</dt><dd>${['Iain Reid', 'Una Blair', 'Rory Lamont', 'Ailsa Kerr'][at]}</dd></dl><p>What every hand should know of ${one.toLowerCase()}.</p>`,
      ),
    ]),
  ),
  ...Object.fromEntries(
    FERRIES.slice(0, 6).map(({ name, price }) => [
      `/loch/ferry/${name.split(' ')[0]!.toLowerCase()}`,
      html(name, `<h1>${name}</h1><ul><li class="card"><h2>${name}</h2><p class="price">£${price}.00</p></li></ul>`),
    ]),
  ),
}

export const ferries = FERRIES
export const chapters = CHAPTERS
