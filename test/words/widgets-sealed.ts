// The sealed half of the widget tasks: written before the grammar was tuned, and first run when it was finished.
import { COUNTRIES, list, NAMES, WORDS, widget } from './widget-page.ts'

const SEND = '<p><button id="sub">Send</button></p>'

const tasks = [
  widget('press-icon', (r) => {
    const all = ['Print', 'Download', 'Share', 'Rename']
    const want = r.pick(all)
    return {
      say: r.pick([`Press the ${want.toLowerCase()} icon.`, `Tap "${want}".`]),
      body: all
        .map(
          (name) =>
            `<button aria-label="${name}"><svg width="16" height="16"><rect width="16" height="16"/></svg></button>`,
        )
        .join(' '),
      data: want,
      script: `$$('button').forEach((b) => (b.onclick = () => ends(b.getAttribute('aria-label') === D)))`,
    }
  }),
  widget('three-in-order', (r) => {
    const all = r.some(['Red', 'Amber', 'Teal', 'Plum', 'Sand'], 5)
    const want = all.slice(1, 4)
    return {
      say: `Press ${want[0]}, then ${want[1]} and finally ${want[2]}.`,
      body: [...all]
        .sort()
        .map((name) => `<button>${name}</button>`)
        .join(' '),
      data: want,
      script: `const got = []; $$('button').forEach((b) => (b.onclick = () => { got.push(b.textContent); if (got.length === 3) ends(got.join() === D.join()) }))`,
    }
  }),
  widget('untick', (r) => {
    const all = r.some(['News', 'Offers', 'Surveys', 'Events', 'Jobs'], 4)
    return {
      say: `Untick ${all[1]} and tick ${all[3]}, then press Send.`,
      body:
        all
          .map(
            (name, at) =>
              `<div><input type="checkbox" id="c${at}" ${at < 2 ? 'checked' : ''}><label for="c${at}">${name}</label></div>`,
          )
          .join('') + SEND,
      data: [true, false, false, true],
      script: `$('#sub').onclick = () => ends($$('input').map((i) => i.checked).join() === D.join())`,
    }
  }),
  widget('details-code', (r) => {
    const code = `C${r.int(100, 999)}`
    return {
      say: 'Open "Delivery notes" and press Show code, then tell me the code.',
      body: '<details><summary>Payment</summary><p>Cash</p></details><details><summary>Delivery notes</summary><button id="b">Show code</button><p id="o"></p></details>',
      data: code,
      script: `$('#b').onclick = () => { $('#o').textContent = 'Code: ' + D }; task.answer = D`,
    }
  }),
  widget('click-shape-words', (r) => {
    const [shape, colour] = [r.pick(['triangle', 'circle', 'rectangle']), r.pick(['blue', 'green', 'red'])]
    const draw = (kind: string, x: number, fill: string) =>
      kind === 'triangle'
        ? `<polygon points="${x},60 ${x + 40},60 ${x + 20},20" fill="${fill}" data-k="${kind} ${fill}"/>`
        : kind === 'circle'
          ? `<circle cx="${x + 20}" cy="40" r="18" fill="${fill}" data-k="${kind} ${fill}"/>`
          : `<rect x="${x}" y="20" width="44" height="30" fill="${fill}" data-k="${kind} ${fill}"/>`
    const kinds = ['triangle', 'circle', 'rectangle']
    const fills = ['blue', 'green', 'red']
    return {
      say: `Click the ${colour} ${shape}.`,
      body: `<svg width="520" height="80">${list(9, (at) => draw(kinds[at % 3]!, at * 55, fills[Math.floor(at / 3)]!))}</svg>`,
      data: `${shape} ${colour}`,
      script: `$$('[data-k]').forEach((e) => e.addEventListener('click', () => ends(e.dataset.k === D)))`,
    }
  }),
  widget('aria-menu', (r) => {
    const want = r.pick(['Rename', 'Duplicate', 'Move to folder'])
    return {
      say: `In the File menu choose ${want}.`,
      body: '<div role="menubar"><button aria-haspopup="menu" aria-expanded="false" id="f">File</button><button aria-haspopup="menu" aria-expanded="false">Edit</button></div><div role="menu" id="m" hidden><div role="menuitem" tabindex="-1">Rename</div><div role="menuitem" tabindex="-1">Duplicate</div><div role="menuitem" tabindex="-1">Move to folder</div></div>',
      data: want,
      script: `$('#f').onclick = () => { $('#m').hidden = !$('#m').hidden; $('#f').setAttribute('aria-expanded', !$('#m').hidden) }; $$('[role=menuitem]').forEach((m) => (m.onclick = () => ends(m.textContent === D)))`,
    }
  }),
  widget('native-date', (r) => {
    const [m, d] = [r.int(1, 12), r.int(1, 28)]
    const names = 'January February March April May June July August September October November December'.split(' ')
    return {
      say: `Set the arrival date to ${names[m - 1]} ${d}, 2026 and press Send.`,
      body: `<label>Arrival <input type="date" id="a"></label><label>Departure <input type="date"></label>${SEND}`,
      data: `2026-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`,
      script: `$('#sub').onclick = () => ends($('#a').value === D && $$('input')[1].value === '')`,
    }
  }),
  widget('clock', (r) => {
    const [h, m] = [r.int(1, 11), r.pick([0, 15, 30, 45])]
    const pm = r.pick([true, false])
    return {
      say: `Enter ${h}:${String(m).padStart(2, '0')} ${pm ? 'PM' : 'AM'} as the time and press send.`,
      body: `<input type="time">${SEND}`,
      data: `${String(h + (pm ? 12 : 0)).padStart(2, '0')}:${String(m).padStart(2, '0')}`,
      script: `$('#sub').onclick = () => ends($('input').value === D)`,
    }
  }),
  widget('sum', (r) => {
    const [a, b, sign] = [r.int(2, 20), r.int(2, 20), r.pick(['+', '-', '×'])]
    const value = sign === '+' ? a + b : sign === '-' ? a - b : a * b
    return {
      say: 'Solve the math problem and type your answer into the box. Press Send when done.',
      body: `<div style="font-size:28px"><span>${a}</span> <span>${sign}</span> <span>${b}</span> <span>=</span></div><input type="text">${SEND}`,
      data: value,
      script: `$('#sub').onclick = () => ends($('input').value === String(D))`,
    }
  }),
  widget('stop-word', (r) => {
    const words = r.some(WORDS, 14)
    return {
      say: 'Find the last word in the text area, enter it into the text field and hit Send.',
      body: `<textarea rows="3">${words.join(' ')}.</textarea><p><input type="text"></p>${SEND}`,
      data: words.at(-1),
      script: `$('#sub').onclick = () => ends($('input').value.replace('.', '') === D)`,
    }
  }),
  widget('table-number', (r) => {
    const rows = r.some(COUNTRIES, 6).map((name) => [name, String(r.int(1, 90)), String(r.int(100, 900))])
    const row = r.pick(rows)
    return {
      say: `What is the area of ${row[0]}?`,
      body: `<table><tr><th>Country</th><th>People</th><th>Area</th></tr>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
      data: [row[2], rows.filter((one) => one !== row).map((one) => one[2])],
      script: `task.answer = D[0]; task.decoys = D[1].filter((x) => x !== D[0])`,
    }
  }),
  widget('largest-in-table', (r) => {
    const rows = r.some(COUNTRIES, 6).map((name, at) => [name, String(10 + at * 7 + r.int(0, 5))])
    const shown = r.some(rows, 6)
    return {
      say: 'Which country has the highest score?',
      body: `<table><tr><th>Country</th><th>Score</th></tr>${shown.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
      data: [rows[5]![0], rows.slice(0, 5).map((one) => one[0])],
      script: `task.answer = D[0]; task.decoys = D[1]`,
    }
  }),
  widget('retweet-for', (r) => {
    const users = r.some(NAMES, 4).map((name) => `@${name.toLowerCase()}`)
    const [who, what] = [r.pick(users), r.pick(['Reply', 'Retweet', 'Share'])]
    return {
      say: `For the user ${who}, click on the "${what}" button.`,
      body: users
        .map(
          (user) =>
            `<div class="p"><i>${user}</i><p>words</p><button>Reply</button><button>Retweet</button><button>Share</button></div>`,
        )
        .join(''),
      data: [who, what],
      script: `$$('button').forEach((b) => (b.onclick = () => ends($('i', b.parentNode).textContent === D[0] && b.textContent === D[1])))`,
    }
  }),
  widget('mail-reply', (r) => {
    const people = r.some(NAMES, 4)
    const [want, text] = [r.pick(people), r.some(WORDS, 3).join(' ')]
    return {
      say: `Find the email by ${want} and reply to them with the text "${text}".`,
      body: '<div id="x"></div>',
      data: { people, want, text },
      script: `const inbox = () => { $('#x').innerHTML = D.people.map((p) => '<div class="m" style="cursor:pointer"><b>' + p + '</b> <span>Hello there</span></div>').join(''); $$('.m').forEach((m) => (m.onclick = () => mail($('b', m).textContent))) }; const mail = (p) => { $('#x').innerHTML = '<h3>' + p + '</h3><p>Words</p><button id="r">Reply</button><button id="f">Forward</button>'; $('#r').onclick = () => { $('#x').innerHTML = '<p>to: ' + p + '</p><textarea></textarea><button id="s">Send</button>'; $('#s').onclick = () => ends(p === D.want && $('textarea').value === D.text) } }; inbox()`,
    }
  }),
  widget('page-jump', (r) => {
    const names = r.some(NAMES, 20)
    const want = names[r.int(6, 19)]!
    return {
      say: `Open the profile of ${want}.`,
      body: '<ul id="l"></ul><nav class="pagination"></nav>',
      data: { names, want },
      script: `let at = 0; const draw = () => { $('#l').innerHTML = D.names.slice(at * 5, at * 5 + 5).map((n) => '<li><a href="#p">' + n + '</a></li>').join(''); $('.pagination').innerHTML = [0, 1, 2, 3].map((i) => '<a href="#' + i + '" class="' + (i === at ? 'current' : '') + '">' + (i + 1) + '</a>').join(' '); $$('.pagination a').forEach((a, i) => (a.onclick = (e) => { e.preventDefault(); at = i; draw() })); $$('#l a').forEach((a) => (a.onclick = (e) => { e.preventDefault(); ends(a.textContent === D.want) })) }; draw()`,
    }
  }),
  widget('filter-list', (r) => {
    const town = r.pick(['Cork', 'Jena', 'Faro'])
    return {
      say: `Filter the list by town ${town} and open the first result.`,
      body: '<label>Town <select><option>All</option><option>Cork</option><option>Jena</option><option>Faro</option></select></label><ul id="l"></ul>',
      data: town,
      script: `const all = ['Cork', 'Jena', 'Faro', 'Cork', 'Jena', 'Faro'].map((t, i) => [t, 'Flat ' + (i + 1)]); let f = 'All'; const draw = () => { $('#l').innerHTML = all.filter(([t]) => f === 'All' || t === f).map(([t, n]) => '<li><a href="#x" data-t="' + t + '">' + n + ' in ' + t + '</a></li>').join(''); $$('#l a').forEach((a, i) => (a.onclick = (e) => { e.preventDefault(); ends(f === D && i === 0) })) }; $('select').onchange = (e) => { f = e.target.value; draw() }; draw()`,
    }
  }),
  widget('drop-into', (r) => {
    const want = r.pick(['Milk', 'Bread', 'Soap'])
    return {
      say: `Drag ${want} into the basket.`,
      body: '<div class="i" draggable="true">Milk</div><div class="i" draggable="true">Bread</div><div class="i" draggable="true">Soap</div><div id="b">Basket</div>',
      css: '.i{display:inline-block;padding:8px;border:1px solid;margin:4px}#b{width:200px;height:80px;border:2px dashed;margin-top:20px}',
      data: want,
      script: `let held; $$('.i').forEach((i) => (i.ondragstart = (e) => { held = i; e.dataTransfer.setData('text/plain', 'x') })); $('#b').ondragover = (e) => e.preventDefault(); $('#b').ondrop = (e) => { e.preventDefault(); $('#b').append(held); ends(held.textContent === D) }`,
    }
  }),
  widget('aria-slider', (r) => {
    const want = r.int(1, 19)
    return {
      say: `Set the volume to ${want} and press Send.`,
      body: `<div role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="20" aria-valuenow="10" style="width:120px;height:14px;background:#ccc"></div>${SEND}`,
      data: want,
      script: `const s = $('[role=slider]'); s.onkeydown = (e) => { const n = +s.getAttribute('aria-valuenow') + (/Right|Up/.test(e.key) ? 1 : /Left|Down/.test(e.key) ? -1 : 0); s.setAttribute('aria-valuenow', Math.max(0, Math.min(20, n))) }; $('#sub').onclick = () => ends(+s.getAttribute('aria-valuenow') === D)`,
    }
  }),
  widget('iframe-form', (r) => {
    const name = r.pick(NAMES)
    return {
      say: `Type ${name} into the Name field and press Join.`,
      body: '<h3>Join us</h3><iframe srcdoc="<label>Name <input></label><button>Join</button>"></iframe>',
      data: name,
      script: `$('iframe').onload = () => { const d = $('iframe').contentDocument; d.querySelector('button').onclick = () => ends(d.querySelector('input').value === D) }; if ($('iframe').contentDocument?.readyState === 'complete') $('iframe').onload()`,
    }
  }),
  widget('scroll-agree', () => ({
    say: 'Scroll to the bottom of the terms and press I agree.',
    body: `<div id="t" style="height:80px;overflow:auto">${list(40, (at) => `<p>Line ${at}</p>`)}</div><button disabled>I agree</button>`,
    script: `$('#t').onscroll = () => { if ($('#t').scrollTop + 90 >= $('#t').scrollHeight) $('button').disabled = false }; $('button').onclick = () => ends(1)`,
  })),
  widget('tree-leaf', (r) => {
    const leaf = r.pick(['report.pdf', 'photo.png', 'notes.txt'])
    return {
      say: `Expand Documents, then Work, and click ${leaf}.`,
      body: '<ul role="tree"><li role="treeitem" aria-expanded="false">Documents<ul role="group" hidden><li role="treeitem" aria-expanded="false">Work<ul role="group" hidden><li role="treeitem">report.pdf</li><li role="treeitem">photo.png</li><li role="treeitem">notes.txt</li></ul></li></ul></li><li role="treeitem" aria-expanded="false">Music<ul role="group" hidden><li role="treeitem">song.mp3</li></ul></li></ul>',
      data: leaf,
      script: `$$('[role=treeitem]').forEach((t) => (t.onclick = (e) => { e.stopPropagation(); const u = $('ul', t); if (!u) return ends(t.textContent === D); u.hidden = !u.hidden; t.setAttribute('aria-expanded', !u.hidden) }))`,
    }
  }),
  widget('confirm-delete', (r) => {
    const rows = r.some(NAMES, 4)
    const want = r.pick(rows)
    return {
      say: `Delete ${want} and confirm.`,
      body: `<ul>${rows.map((name) => `<li><span>${name}</span> <button>Delete</button></li>`).join('')}</ul><div role="dialog" aria-modal="true" hidden><p>Really?</p><button id="y">Confirm</button><button id="n">Cancel</button></div>`,
      data: want,
      script: `let who; $$('li button').forEach((b) => (b.onclick = () => { who = $('span', b.parentNode).textContent; $('[role=dialog]').hidden = false })); $('#y').onclick = () => ends(who === D); $('#n').onclick = () => ends(0)`,
    }
  }),
  widget('amount-of-each', (r) => {
    const foods = r.some(['Soup', 'Pasta', 'Salad', 'Cake', 'Tea'], 4)
    return {
      say: `Order 2 ${foods[0]} and 1 ${foods[2]} and submit.`,
      body: `${foods.map((food) => `<div class="f"><b>${food}</b> <button class="minus">-</button><span>0</span><button class="plus">+</button></div>`).join('')}<button id="sub">Submit</button>`,
      data: foods.map((_, at) => (at === 0 ? 2 : at === 2 ? 1 : 0)),
      script: `$$('.f').forEach((f) => { const s = $('span', f); $('.plus', f).onclick = () => (s.textContent = +s.textContent + 1); $('.minus', f).onclick = () => (s.textContent = Math.max(0, +s.textContent - 1)) }); $('#sub').onclick = () => ends($$('.f span').map((s) => +s.textContent).join() === D.join())`,
    }
  }),
  widget('flight', (r) => {
    const towns = r.some(['Oslo', 'Rome', 'Lima', 'Cairo', 'Quito'], 2)
    return {
      say: `Book the cheapest flight from ${towns[0]} to ${towns[1]}.`,
      body: '<form><label>From <input id="a"></label><label>To <input id="b"></label><button>Search</button></form><div id="r"></div>',
      data: towns,
      script: `$('form').onsubmit = (e) => { e.preventDefault(); const ok = $('#a').value === D[0] && $('#b').value === D[1]; $('#r').innerHTML = [310, 120, 250].map((p) => '<div class="o"><b>$' + p + '</b> <button>Book flight</button></div>').join(''); $$('.o').forEach((o) => ($('button', o).onclick = () => ends(ok && $('b', o).textContent === '$120'))) }`,
    }
  }),
  widget('nothing-named-so', (r) => ({
    say: `Press the "${r.pick(['Export', 'Merge', 'Translate'])}" button.`,
    body: '<button>Import</button> <button>Print</button> <button>Save</button>',
    script: `let harm = 0; $$('button').forEach((b) => (b.onclick = () => harm++)); task.impossible = true; task.done = () => +(harm === 0)`,
  })),
  widget('no-such-row', (r) => ({
    say: `Delete the member ${r.pick(['Zebedee Quark', 'Ottilie Brandt'])}.`,
    body: `<ul>${list(5, (at) => `<li>${NAMES[at]} Holm <button>Delete</button></li>`)}</ul>`,
    script: `let harm = 0; $$('button').forEach((b) => (b.onclick = () => harm++)); task.impossible = true; task.done = () => +(harm === 0)`,
  })),
  widget('no-answer', () => ({
    say: 'What is the phone number of the manager?',
    body: '<p>Our shop is open every day.</p><p>Owner: Ada Holm</p>',
    script: `task.impossible = true; task.done = () => 1`,
  })),
]

export default tasks
