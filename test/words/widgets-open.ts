// Small widget tasks of many kinds, the half that the grammar was written with; the other half was sealed meanwhile.
import { COUNTRIES, list, NAMES, WORDS, widget } from './widget-page.ts'
import { moreTasks } from './widgets-more.ts'

const SUBMIT = '<p><button id="sub">Submit</button></p>'
const COLOURS = ['red', 'green', 'blue', 'yellow', 'black', 'orange', 'purple']

const tasks = [
  widget('named-button', (r) => {
    const labels = r.some(['Ok', 'No', 'Yes', 'Next', 'Cancel', 'Previous', 'submit'], 5)
    const want = r.pick(labels)
    return {
      say: `Click on the "${want}" button.`,
      body: labels.map((label) => `<button>${label}</button>`).join(' '),
      data: want,
      script: `$$('button').forEach((b) => (b.onclick = () => ends(b.textContent === D)))`,
    }
  }),
  widget('two-buttons', () => ({
    say: 'Click button ONE, then click button TWO.',
    body: '<button>TWO</button> <button>ONE</button>',
    script: `let got = ''; $$('button').forEach((b) => (b.onclick = () => { got += b.textContent; if (got.length >= 6) ends(got === 'ONETWO') }))`,
  })),
  widget('boxes', (r) => {
    const all = r.some(WORDS, 6)
    const want = r.some(all, r.int(0, 3))
    return {
      say: want.length ? `Select ${want.join(', ')} and click Submit.` : 'Select nothing and click Submit.',
      body: all.map((word) => `<div><label><input type="checkbox">${word}</label></div>`).join('') + SUBMIT,
      data: want,
      script: `$('#sub').onclick = () => ends($$('input:checked').map((i) => i.parentNode.textContent).sort().join() === D.sort().join())`,
    }
  }),
  widget('similar-words', (r) => {
    const pairs = r.some(
      [
        ['big', 'large'],
        ['happy', 'glad'],
        ['car', 'automobile'],
        ['angry', 'mad'],
        ['begin', 'start'],
        ['ocean', 'sea'],
        ['quick', 'fast'],
        ['child', 'kid'],
        ['doctor', 'physician'],
      ],
      5,
    )
    const want = pairs.slice(0, 2)
    return {
      say: `Select words similar to ${want.map(([a]) => a).join(', ')} and click Submit.`,
      body:
        [...pairs]
          .reverse()
          .map(([, b]) => `<div><label><input type="checkbox"> ${b}</label></div>`)
          .join('') + SUBMIT,
      data: want.map(([, b]) => b),
      script: `$('#sub').onclick = () => ends($$('input:checked').map((i) => i.parentNode.textContent.trim()).sort().join() === D.sort().join())`,
    }
  }),
  widget('fold', () => ({
    say: 'Expand the section below and click submit.',
    body: '<h3 class="hd" tabindex="0">Section 1</h3><div hidden><p>Some words.</p><button id="sub">Submit</button></div>',
    css: '.hd{background:#eee;cursor:pointer}',
    script: `$('.hd').onclick = () => { const d = $('.hd').nextElementSibling; d.hidden = !d.hidden }; $('#sub').onclick = () => ends(1)`,
  })),
  widget('folds-with-link', (r) => {
    const words = r.some(WORDS, 12)
    const want = r.pick(words)
    return {
      say: `Expand the sections below, to find and click on the link "${want}".`,
      body: list(
        3,
        (at) =>
          `<h3 class="hd">Section #${at + 1}</h3><div hidden><p>${words
            .slice(at * 4, at * 4 + 4)
            .map((word) => `<span class="alink">${word}</span>`)
            .join(' and ')}.</p></div>`,
      ),
      css: '.hd{background:#eee;cursor:pointer}.alink{color:#00f;text-decoration:underline;cursor:pointer}',
      data: want,
      script: `$$('.hd').forEach((h) => (h.onclick = () => { const d = h.nextElementSibling; $$('.hd').forEach((o) => { if (o !== h) o.nextElementSibling.hidden = true }); d.hidden = !d.hidden })); $$('.alink').forEach((a) => a.addEventListener('click', () => ends(a.textContent === D)))`,
    }
  }),
  widget('coloured-box', (r) => {
    const all = r.some(COLOURS, 4)
    const want = r.pick(all)
    return {
      say: `Click on the ${want} colored box.`,
      body: all.map((colour) => `<div class="c" data-c="${colour}" style="background:${colour}"></div>`).join(''),
      css: '.c{display:inline-block;width:50px;height:50px;margin:4px}',
      data: want,
      script: `$$('.c').forEach((c) => c.addEventListener('click', () => ends(c.dataset.c === D)))`,
    }
  }),
  widget('dialog-x', () => ({
    say: 'Close the dialog box by clicking the "x".',
    body: '<div class="dlg"><div class="bar"><span>Notice</span><button class="closer" title="Close"></button></div><p>Some words</p></div><button>Other</button>',
    css: '.dlg{border:1px solid;width:200px}.closer{width:20px;height:20px}',
    script: `$('.closer').onclick = () => ends(1); $$('button')[1].onclick = () => ends(0)`,
  })),
  widget('dialog-button', (r) => {
    const want = r.pick(['Cancel', 'OK', 'x'])
    return {
      say: `Click the button in the dialog box labeled "${want}".`,
      body: '<div role="dialog" aria-label="Notice"><p>Shall we?</p><button>x</button><button>Cancel</button><button>OK</button></div>',
      data: want,
      script: `$$('button').forEach((b) => (b.onclick = () => ends(b.textContent === D)))`,
    }
  }),
  widget('nested-menu', (r) => {
    const [a, b, c, d, e, f] = r.some(NAMES, 6)
    return {
      say: `Select ${a}>${d}>${e}`,
      body: `<ul class="m"><li>${a}<ul><li>${c}</li><li>${d}<ul><li>${e}</li><li>${f}</li></ul></li></ul></li><li>${b}</li></ul>`,
      css: '.m ul{display:none;margin-left:60px}.m li{width:100px}.m li:hover>ul{display:block}',
      data: e,
      script: `$$('.m li').forEach((l) => l.addEventListener('click', (v) => { v.stopPropagation(); if (!$('ul', l)) ends(l.textContent === D) }))`,
    }
  }),
  widget('radio', (r) => {
    const all = r.some(WORDS, 5).map((word) => word.toUpperCase().slice(0, 3) + r.int(1, 9))
    const want = r.pick(all)
    return {
      say: `Select ${want} and click Submit.`,
      body: all.map((word) => `<div><label><input type="radio" name="r">${word}</label></div>`).join('') + SUBMIT,
      data: want,
      script: `$('#sub').onclick = () => ends($('input:checked')?.parentNode.textContent === D)`,
    }
  }),
  widget('scroll-list', (r) => {
    const all = r.some(NAMES, 12)
    const want = r.some(all, 2)
    return {
      say: `Select ${want.join(', ')} from the scroll list and click Submit.`,
      body: `<select multiple size="4">${all.map((name) => `<option>${name}</option>`).join('')}</select>${SUBMIT}`,
      data: want,
      script: `$('#sub').onclick = () => ends([...$('select').selectedOptions].map((o) => o.text).sort().join() === D.sort().join())`,
    }
  }),
  widget('big-shape', (r) => {
    const colour = r.pick(['red', 'green', 'blue'])
    const other = colour === 'red' ? 'blue' : 'red'
    const size = r.pick(['large', 'small'])
    return {
      say: `Click on a ${size} ${colour} circle`,
      body: `<svg width="300" height="120"><circle cx="40" cy="60" r="30" fill="${colour}" data-k="large ${colour}"/><circle cx="110" cy="60" r="10" fill="${colour}" data-k="small ${colour}"/><circle cx="160" cy="60" r="30" fill="${other}"/><rect x="210" y="30" width="60" height="60" fill="${colour}"/></svg>`,
      data: `${size} ${colour}`,
      script: `$$('circle,rect').forEach((c) => c.addEventListener('click', () => ends(c.dataset.k === D)))`,
    }
  }),
  widget('tab-link', (r) => {
    const words = r.some(WORDS, 9)
    const want = r.pick(words)
    return {
      say: `Switch between the tabs to find and click on the link "${want}".`,
      body: `<ul class="tabs">${list(3, (at) => `<li><a href="#t${at}">Tab #${at + 1}</a></li>`)}</ul>${list(
        3,
        (at) =>
          `<div class="p" id="t${at}" ${at ? 'hidden' : ''}>${words
            .slice(at * 3, at * 3 + 3)
            .map((word) => `<span class="alink">${word}</span>`)
            .join(', ')}</div>`,
      )}`,
      css: '.tabs li{display:inline;margin:4px}.alink{color:#00f;cursor:pointer}',
      data: want,
      script: `$$('.tabs a').forEach((a, i) => (a.onclick = (e) => { e.preventDefault(); $$('.p').forEach((p, j) => (p.hidden = i !== j)) })); $$('.alink').forEach((a) => (a.onclick = () => ends(a.textContent === D)))`,
    }
  }),
  widget('which-widget', (r) => {
    const want = r.pick(['checkbox', 'radio', 'textarea', 'text', 'button'])
    return {
      say: `Click on a "${want}" widget.`,
      body: '<input type="checkbox" data-k="checkbox"> <input type="radio" data-k="radio"> <textarea data-k="textarea"></textarea> <input type="text" data-k="text"> <button data-k="button">iJ3</button>',
      data: want,
      script: `$$('[data-k]').forEach((e) => e.addEventListener('click', () => ends(e.dataset.k === D)))`,
    }
  }),
  widget('picker-date', (r) => {
    const [m, d] = [r.int(1, 12), r.int(1, 28)]
    const want = `${String(m).padStart(2, '0')}/${String(d).padStart(2, '0')}/2016`
    return {
      say: `Select ${want} as the date and hit submit.`,
      body: `<p>Date: <input id="dp" readonly></p><div id="cal" hidden></div>${SUBMIT}`,
      css: '#cal a{padding:2px;cursor:pointer}',
      data: want,
      script: `let at = 11; const names = 'January February March April May June July August September October November December'.split(' '); const draw = () => { $('#cal').innerHTML = '<a class="prev" title="Prev"><span>Prev</span></a><a class="next" title="Next"><span>Next</span></a><div><span>' + names[at] + '</span> <span>2016</span></div><table>' + Array.from({ length: 5 }, (_, w) => '<tr>' + Array.from({ length: 7 }, (_, i) => { const n = w * 7 + i + 1; return '<td>' + (n <= new Date(2016, at + 1, 0).getDate() ? '<a href="#" class="day">' + n + '</a>' : '') + '</td>' }).join('') + '</tr>').join('') + '</table>'; $('.prev').onclick = () => { at = Math.max(0, at - 1); draw() }; $('.next').onclick = () => { at = Math.min(11, at + 1); draw() }; $$('.day').forEach((x) => (x.onclick = (e) => { e.preventDefault(); $('#dp').value = String(at + 1).padStart(2, '0') + '/' + x.textContent.padStart(2, '0') + '/2016'; $('#cal').hidden = true })) }; $('#dp').onfocus = () => { $('#cal').hidden = false; draw() }; $('#sub').onclick = () => ends($('#dp').value === D)`,
    }
  }),
  widget('choose-country', (r) => {
    const all = r.some(COUNTRIES, 9)
    const want = r.pick(all)
    return {
      say: `Select ${want} from the list and click Submit.`,
      body: `<select>${all.map((name) => `<option>${name}</option>`).join('')}</select>${SUBMIT}`,
      data: want,
      script: `$('#sub').onclick = () => ends($('select').value === D)`,
    }
  }),
  widget('copy-area', (r) => {
    const text = r.some(WORDS, 8).join(' ')
    return {
      say: 'Copy the text in the textarea below, paste it into the textbox and press Submit.',
      body: `<textarea rows="4">${text}</textarea><p><input type="text"></p>${SUBMIT}`,
      data: text,
      script: `$('#sub').onclick = () => ends($('input').value === D)`,
    }
  }),
  widget('count-items', (r) => {
    const colour = r.pick(['red', 'blue', 'green'])
    const count = r.int(1, 5)
    const other = colour === 'red' ? 'yellow' : 'red'
    return {
      say: `How many ${colour} items are there?`,
      body: `<svg width="320" height="100">${list(count, (at) => `<circle cx="${20 + at * 40}" cy="20" r="10" fill="${colour}"/>`)}${list(3, (at) => `<rect x="${20 + at * 40}" y="50" width="20" height="20" fill="${other}"/>`)}</svg><p>${list(6, (at) => `<button>${at}</button> `)}</p>`,
      data: count,
      script: `$$('button').forEach((b) => (b.onclick = () => ends(+b.textContent === D)))`,
    }
  }),
  widget('password-twice', (r) => {
    const word = `${r.pick(WORDS)}${r.int(1, 9)}`
    return {
      say: `Enter the password "${word}" into both text fields and press submit.`,
      body: `<p>Password <input type="password"></p><p>Verify password <input type="password"></p>${SUBMIT}`,
      data: word,
      script: `$('#sub').onclick = () => ends($$('input').every((i) => i.value === D))`,
    }
  }),
  widget('lower-case', (r) => {
    const word = r.pick(NAMES)
    const lower = r.pick([true, false])
    return {
      say: `Type "${lower ? word.toUpperCase() : word}" in all ${lower ? 'lower' : 'upper'} case letters in the text input and press submit.`,
      body: `<input type="text">${SUBMIT}`,
      data: lower ? word.toLowerCase() : word.toUpperCase(),
      script: `$('#sub').onclick = () => ends($('input').value === D)`,
    }
  }),
  widget('nth-word', (r) => {
    const words = r.some(WORDS, 12)
    const at = r.int(1, 10)
    const nth = ['1st', '2nd', '3rd'][at - 1] ?? `${at}th`
    return {
      say: `Find the ${nth} word in the paragraph, type that into the textbox and press "Submit".`,
      body: `<p>${words.join(' ')}.</p><input type="text">${SUBMIT}`,
      data: words[at - 1],
      script: `$('#sub').onclick = () => ends($('input').value === D)`,
    }
  }),
  widget('focus-nth', (r) => {
    const at = r.int(1, 3)
    return {
      say: `Focus into the ${['1st', '2nd', '3rd'][at - 1]} input textbox.`,
      body: list(3, () => '<p><input type="text"></p>'),
      data: at,
      script: `$$('input').forEach((x, i) => (x.onfocus = () => ends(i + 1 === D)))`,
    }
  }),
  widget('slider-and-box', (r) => {
    const [value, box] = [r.int(0, 9), r.int(1, 3)]
    return {
      say: `Select ${value} with the slider, click the ${['1st', '2nd', '3rd'][box - 1]} checkbox, then hit Submit.`,
      body: `<div id="sl"><span class="ui-slider-handle" tabindex="0"></span></div><div id="val">0</div>${list(3, () => '<input type="checkbox">')}${SUBMIT}`,
      css: '#sl{position:relative;height:10px;width:200px;background:#ccc}.ui-slider-handle{position:absolute;left:0;width:14px;height:14px;background:#06c;cursor:default}',
      data: { value, box },
      script: `let v = 0; const set = (n) => { v = Math.max(0, Math.min(9, n)); $('#val').textContent = v; $('.ui-slider-handle').style.left = v * 20 + 'px' }; $('.ui-slider-handle').onkeydown = (e) => { if (/Right|Up/.test(e.key)) set(v + 1); if (/Left|Down/.test(e.key)) set(v - 1) }; $('#sub').onclick = () => ends(v === D.value && $$('input').every((b, i) => b.checked === (i + 1 === D.box)))`,
    }
  }),
  widget('login', (r) => {
    const [user, pass] = [r.pick(NAMES).toLowerCase(), `${r.pick(WORDS).slice(0, 3)}${r.int(1, 9)}`]
    return {
      say: `Enter the username "${user}" and the password "${pass}" into the text fields and press login.`,
      body: '<p>Username <input id="u" type="text"></p><p>Password <input id="p" type="password"></p><button>Login</button>',
      data: { user, pass },
      script: `$('button').onclick = () => ends($('#u').value === D.user && $('#p').value === D.pass)`,
    }
  }),
  widget('file-tree', (r) => {
    const names = r.some(NAMES, 9)
    const want = r.pick(names)
    const branch = (at: number) =>
      `<li class="dir"><span>${names[at * 3]}</span><ul hidden><li><span>${names[at * 3 + 1]}</span></li><li><span>${names[at * 3 + 2]}</span></li></ul></li>`
    return {
      say: `Navigate through the file tree. Find and click on the folder or file named "${want}".`,
      body: `<ul>${list(3, branch)}</ul>`,
      css: 'span{cursor:pointer}',
      data: want,
      script: `$$('li span').forEach((s) => (s.onclick = () => { if (s.textContent === D) return ends(1); const u = s.nextElementSibling; if (u) u.hidden = !u.hidden; else ends(0) }))`,
    }
  }),
  widget('read-value', (r) => {
    const facts: [string, string][] = [
      ['First name', r.pick(NAMES)],
      ['Country', r.pick(COUNTRIES)],
      ['Language', r.pick(WORDS)],
      ['Year', String(r.int(1950, 2020))],
    ]
    const [key, value] = r.pick(facts)
    return {
      say: `Enter the value of ${key} into the text field and press Submit.`,
      body: `<table>${facts.map(([k, v]) => `<tr><td>${k}</td><td>${v}</td></tr>`).join('')}</table><input type="text">${SUBMIT}`,
      data: value,
      script: `$('#sub').onclick = () => ends($('input').value === D)`,
    }
  }),
  widget('nth-result', (r) => {
    const at = r.int(1, 8)
    return {
      say: `Use the textbox to enter "${r.pick(NAMES)}" and press "Search", then find and click the ${['1st', '2nd', '3rd'][at - 1] ?? `${at}th`} search result.`,
      body: '<input type="text"><button>Search</button><div id="res"></div><div id="pg"></div>',
      data: at,
      script: `let from = 0; const draw = () => { $('#res').innerHTML = [0, 1, 2].map((i) => '<div><a href="#" class="t" data-n="' + (from + i + 1) + '">Result about ' + 'xyz'[i] + from + '</a><div>words</div></div>').join(''); $('#pg').innerHTML = '<a href="#" class="prev">&lt;</a> ' + [1, 2, 3].map((n) => '<a href="#" class="' + (from / 3 + 1 === n ? 'active' : '') + '">' + n + '</a>').join(' ') + ' <a href="#" class="next">&gt;</a>'; $$('.t').forEach((a) => (a.onclick = (e) => { e.preventDefault(); ends(+a.dataset.n === D) })); $('.next').onclick = (e) => { e.preventDefault(); from = Math.min(6, from + 3); draw() }; $('.prev').onclick = (e) => { e.preventDefault(); from = Math.max(0, from - 3); draw() } }; $('button').onclick = draw`,
    }
  }),
  widget('algebra', (r) => {
    const [x, b] = [r.int(1, 30), r.int(1, 20)]
    const plus = r.pick([true, false])
    return {
      say: 'Solve for x and type your answer into the textbox. Press Submit when done.',
      body: `<div style="font-size:24px">x ${plus ? '+' : '-'} ${b} = ${plus ? x + b : x - b}</div><p>x = <input type="text"></p>${SUBMIT}`,
      data: x,
      script: `$('#sub').onclick = () => ends($('input').value === String(D))`,
    }
  }),
  widget('all-likes', (r) => {
    const users = r.some(NAMES, 3).map((name) => `@${name.toLowerCase()}`)
    const who = users[0]!
    const posts = [0, 1, 0, 2, 1, 0].map((at) => users[at]!)
    return {
      say: `Click the "Like" button on all posts by ${who} and then click Submit.`,
      body:
        posts
          .map(
            (user) =>
              `<div class="post"><b>${user}</b><p>words here</p><span class="reply" title="Reply"></span><span class="like" title="Like"></span></div>`,
          )
          .join('') + SUBMIT,
      css: '.post span{display:inline-block;width:16px;height:16px;background:#999;margin:3px}',
      data: who,
      script: `const hit = new Set(); $$('.like').forEach((l) => l.addEventListener('click', () => hit.add(l))); $('#sub').onclick = () => ends($$('.post').every((p) => ($('b', p).textContent === D) === hit.has($('.like', p))) )`,
    }
  }),
  widget('starts-and-ends', (r) => {
    const want = r.pick(COUNTRIES)
    return {
      say: `Enter an item that starts with "${want.slice(0, 2)}" and ends with "${want.slice(-2)}", then press Submit.`,
      body: `<p>Tags: <input id="t" autocomplete="off"></p><ul id="s" class="ui-autocomplete"></ul>${SUBMIT}`,
      data: { want, all: COUNTRIES },
      script: `$('#t').oninput = () => setTimeout(() => { const v = $('#t').value.toLowerCase(); $('#s').innerHTML = v ? D.all.filter((c) => c.toLowerCase().startsWith(v)).map((c) => '<li class="ui-menu-item">' + c + '</li>').join('') : ''; $$('#s li').forEach((l) => (l.onclick = () => { $('#t').value = l.textContent; $('#s').innerHTML = '' })) }, 150); $('#sub').onclick = () => { const v = $('#t').value; ends(D.all.includes(v) && v.startsWith(D.want.slice(0, 2)) && v.endsWith(D.want.slice(-2))) }`,
    }
  }),
  widget('three-sliders', (r) => {
    const want = [r.int(0, 10), r.int(0, 10), r.int(0, 10)]
    return {
      say: `Set the sliders to the combination [${want.join(',')}] and submit.`,
      body: list(3, () => '<p><input type="range" min="0" max="10" value="0"></p>') + SUBMIT,
      data: want,
      script: `$('#sub').onclick = () => ends($$('input').map((i) => i.value).join() === D.join())`,
    }
  }),
  widget('spinner', (r) => {
    const want = r.int(-6, 8) || 3
    return {
      say: `Select ${want} with the spinner and hit Submit.`,
      body: `<span class="sp"><input role="spinbutton" aria-valuenow="0" value="0"><a class="up">▲</a><a class="down">▼</a></span>${SUBMIT}`,
      css: '.sp a{cursor:pointer}',
      data: want,
      script: `const set = (n) => { $('input').value = n; $('input').setAttribute('aria-valuenow', n) }; $('.up').onclick = () => set(+$('input').value + 1); $('.down').onclick = () => set(+$('input').value - 1); $('#sub').onclick = () => ends(+$('input').value === D)`,
    }
  }),
  ...moreTasks,
]

export default tasks
