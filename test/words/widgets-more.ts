// More of the open half of the widget tasks: mail, dragging, picking by number, contacts, forms, and what is not there.
import { COUNTRIES, NAMES, WORDS, widget } from './widget-page.ts'

const SUBMIT = '<p><button id="sub">Submit</button></p>'

export const moreTasks = [
  widget('mail-trash', (r) => {
    const people = r.some(NAMES, 5)
    const want = r.pick(people)
    const act = r.pick(['trash', 'star'])
    return {
      say:
        act === 'trash'
          ? `Find the email by ${want} and click the trash icon to delete it.`
          : `Find the email by ${want} and click the star icon to mark it as important.`,
      body: people
        .map(
          (name) =>
            `<div class="mail"><b>${name}</b> <span>${r.pick(WORDS)}</span><span class="trash"></span><span class="star"></span></div>`,
        )
        .join(''),
      css: '.trash,.star{display:inline-block;width:14px;height:14px;background:#bbb;margin:2px;cursor:pointer}',
      data: [want, act],
      script: `$$('.trash,.star').forEach((x) => (x.onclick = () => ends($('b', x.parentNode).textContent === D[0] && x.className === D[1])))`,
    }
  }),
  widget('place-in-list', (r) => {
    const names = r.some(NAMES, 5)
    const [from, to] = r.some([0, 1, 2, 3, 4], 2)
    return {
      say: `Drag ${names[from!]} to the ${['1st', '2nd', '3rd', '4th', '5th'][to!]} position.`,
      body: `<ul id="l">${names.map((name) => `<li>${name}</li>`).join('')}</ul>${SUBMIT}`,
      css: '#l li{border:1px solid;margin:3px;padding:6px;list-style:none;cursor:move;user-select:none}',
      data: [names[from!], to],
      script: `let held; $$('#l li').forEach((li) => { li.onmousedown = () => { held = li } }); document.onmousemove = (e) => { if (!held) return; const over = $$('#l li').find((o) => { const b = o.getBoundingClientRect(); return o !== held && e.clientY > b.top && e.clientY < b.bottom }); if (!over) return; const b = over.getBoundingClientRect(); if (e.clientY < b.top + b.height / 2) over.before(held); else over.after(held) }; document.onmouseup = () => { held = null }; $('#sub').onclick = () => ends($$('#l li')[D[1]].textContent === D[0])`,
    }
  }),
  widget('sort-by-hand', (r) => {
    const numbers = r.some(
      Array.from({ length: 90 }, (_, at) => at + 3),
      4,
    )
    return {
      say: 'Sort the numbers in increasing order, starting with the lowest number at the top of the list.',
      body: `<ul id="l">${numbers.map((number) => `<li draggable="true">${number}</li>`).join('')}</ul>${SUBMIT}`,
      css: '#l li{border:1px solid;margin:3px;padding:6px}',
      script: `let held; $$('#l li').forEach((li) => { li.ondragstart = (e) => { held = li; e.dataTransfer.setData('text/plain', 'x') }; li.ondragover = (e) => e.preventDefault(); li.ondrop = (e) => { e.preventDefault(); if (!held || held === li) return; const all = $$('#l li'); all.indexOf(held) < all.indexOf(li) ? li.after(held) : li.before(held) } }); $('#sub').onclick = () => { const v = $$('#l li').map((l) => +l.textContent); ends(v.every((n, i) => !i || v[i - 1] <= n)) }`,
    }
  }),
  widget('greatest', (r) => {
    const numbers = r.some(
      Array.from({ length: 60 }, (_, at) => at),
      4,
    )
    return {
      say: 'Find and pick the card with the greatest number, then press submit.',
      body: numbers.map((number) => `<div class="card">${number}</div>`).join('') + SUBMIT,
      css: '.card{display:inline-block;border:1px solid;padding:20px;margin:5px;cursor:pointer}.on{outline:2px solid red}',
      data: Math.max(...numbers),
      script: `$$('.card').forEach((c) => (c.onclick = () => { $$('.card').forEach((o) => o.classList.toggle('on', o === c)) })); $('#sub').onclick = () => ends($('.on')?.textContent === String(D))`,
    }
  }),
  widget('contact-book', (r) => {
    const people = r.some(NAMES, 3)
    const want = people[r.int(0, 2)]!
    const what = r.pick(['email', 'phone', 'address'])
    return {
      say: `Find ${want} in the contact book and click on their ${what === 'phone' ? 'phone number' : what}.`,
      body: '<div id="c"></div><button id="pv">&lt;</button><button id="nx">&gt;</button>',
      data: { people, want, what },
      script: `let i = 0; const draw = () => { $('#c').innerHTML = '<h3>' + D.people[i] + '</h3><p>Phone: <a href="#" data-k="phone">555-01' + i + '</a></p><p>Email: <a href="#" data-k="email">m' + i + '@mail.test</a></p><p>Address: <a href="#" data-k="address">' + i + ' Oak Road</a></p>'; $$('#c a').forEach((a) => (a.onclick = (e) => { e.preventDefault(); ends(D.people[i] === D.want && a.dataset.k === D.what) })) }; draw(); $('#nx').onclick = () => { i = Math.min(D.people.length - 1, i + 1); draw() }; $('#pv').onclick = () => { i = Math.max(0, i - 1); draw() }`,
    }
  }),
  widget('film-form', (r) => {
    const [genre, who, year] = [r.pick(['comedy', 'horror', 'drama']), r.pick(NAMES), r.int(1980, 2020)]
    return {
      say: `Search for ${genre} movies directed by ${who} from year ${year}.`,
      body: `${r
        .some(
          [
            '<p><label>Director</label><input id="d"></p>',
            '<p><label>Genre</label><input id="g"></p>',
            '<p><label>Year</label><input id="y"></p>',
          ],
          3,
        )
        .join('')}<button>Search</button>`,
      data: [genre, who, String(year)],
      script: `$('button').onclick = () => ends($('#g').value.toLowerCase() === D[0] && $('#d').value === D[1] && $('#y').value === D[2])`,
    }
  }),
  widget('no-such-tab', (r) => ({
    say: `Open the ${r.pick(['Billing', 'Security', 'Archive'])} tab.`,
    body: '<div role="tablist"><button role="tab" aria-selected="true">General</button><button role="tab" aria-selected="false">Team</button></div>',
    script: `let harm = 0; $$('button').forEach((b) => (b.onclick = () => harm++)); task.impossible = true; task.done = () => +(harm < 2)`,
  })),
  widget('no-such-option', (r) => ({
    say: `Select ${r.pick(['Atlantis', 'Narnia', 'Mordor'])} from the list and click Submit.`,
    body: `<select>${COUNTRIES.map((name) => `<option>${name}</option>`).join('')}</select>${SUBMIT}`,
    script: `let harm = 0; $('#sub').onclick = () => harm++; task.impossible = true; task.done = () => +(harm === 0)`,
  })),
]
