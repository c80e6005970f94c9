// Prompts without a model on pages with controls that earlier sets of requests did not have.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPromptWithoutModel } from '../../src/prompting/run-prompt-without-model.ts'
import { expectCost } from '../cost.ts'
import { onPage, startBrowser } from './test-context.ts'

let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser.close())

/** Runs the prompt; `did` is what the page's scripts noted. */
const run = (html: string, prompt: string) =>
  onPage(browser, `<script>window.did = []</script><main>${html}</main>`, async (page) => {
    const { done, output } = await runPromptWithoutModel(
      page,
      prompt,
      { maxSteps: 60, timeoutMs: 120_000 },
      new AbortController().signal,
    )
    return { done, output, did: await page.evaluate<string>('globalThis.did?.join(" ") ?? ""') }
  })

const says = (word: string) => `onclick="did.push('${word}');document.querySelector('p').textContent='${word}'"`

const booking = `<h1>Booking</h1><p></p><form onsubmit="event.preventDefault();did.push([...new FormData(this).values()].join('-'));document.querySelector('p').textContent='Saved'">
  <fieldset><legend>Date of birth</legend><label>Day <input name=d></label> <label>Month <select name=m><option value="">–<option value=2>February<option value=3>March</select></label> <label>Year <input name=y></label></fieldset>
  <button>Save</button></form>`

const product = `<h1>Trail runner</h1><p></p><button ${says('shoe')}>Put in bag</button><h2>Others bought</h2><div>Wool socks <button ${says('socks')}>Put in bag</button></div>`

const twoSearches = `<h1>Museum</h1><p></p>
  <form onsubmit="event.preventDefault();did.push('event');"><b>Events</b><input type=search aria-label="Find an event"></form>
  <form onsubmit="event.preventDefault();did.push(this.q.value);document.querySelector('p').textContent='3 objects'"><b>Objects</b><input type=search name=q aria-label="Search the collection"></form>`

const member = `<h1>Gym</h1><p></p><button onclick="dlg.hidden=false">Member area</button>
  <div id=dlg hidden role=dialog aria-label="Member area"><input aria-label="E-mail"><input type=password aria-label=Password>
  <label><input type=checkbox id=keep> Keep me signed in</label><button onclick="did.push(dlg.querySelector('input').value, keep.checked);dlg.remove();document.querySelector('p').textContent='Hello'">Log in</button></div>`

const signIn = `<h1>Sign in</h1><p></p><form onsubmit="event.preventDefault();did.push(this.login.value);document.querySelector('p').textContent='Welcome'">
  <label>Email or username <input name=login></label><label>Password <input type=password></label><label><input type=checkbox> Remember me</label>
  <button>Sign in</button> <a href="#forgot">Forgot your password?</a><button type=button ${says('other')}>Continue with Gitea</button></form>
  <form><label>Work email <input type=email></label><button ${says('new')}>Create account</button></form>`

const twoForms = `<h1>Rowing club</h1><p></p>${['Join', 'Sign in']
  .map(
    (
      name,
    ) => `<form onsubmit="event.preventDefault();did.push('${name}', this.mail.value);document.querySelector('p').textContent='Done'">
    <label>E-mail <input type=email name=mail></label><label>Password <input type=password></label><button>${name}</button></form>`,
  )
  .join('')}`

const rows = (menu: string) =>
  `<h1>Papers</h1><nav>${menu}</nav><p></p><table>${['Lease', 'Floor plan', 'Old rota']
    .map((name) => `<tr><td><input type=checkbox name="${name}"></td><td>${name}</td></tr>`)
    .join('')}</table>`
const shelve = `<button onclick="did.push(...[...document.querySelectorAll('input:checked')].map(({ name }) => name));document.querySelector('p').textContent='ok'">Archive</button>`

const stock = `<h1>Stock</h1><p></p><form onsubmit="event.preventDefault();did.push(this.n.value);document.querySelector('p').textContent='Saved'">
  <label>Mats in stock <input name=n type=number></label><button>Save</button></form>`

const clogs = `<h1>Garden clogs</h1><p></p><label>Quantity <input id=q type=number value=1></label><button onclick="did.push(q.value);document.querySelector('p').textContent='ok'">Add to cart</button>`

const hire = `<h1>Boats</h1><p></p><label>Boat <select id=b><option>Canoe<option>Rowing boat</select></label><label>Day <input id=d type=date></label>
  <button onclick="did.push(b.value, d.value);document.querySelector('p').textContent='free'">Check availability</button>`

const thread = `<h1>Pears</h1><p></p><form onsubmit="event.preventDefault();did.push(this.t.value);document.querySelector('p').textContent='posted'">
  <label>Your reply <textarea name=t></textarea></label><button>Post reply</button></form>`

const menus = `<h1>Lunch menus</h1><details><summary>Infants</summary><a download="infants.txt" href="data:text/plain,a" ${says('infants')}>Week 12</a></details>
  <details><summary>Juniors</summary><a download="juniors.txt" href="data:text/plain,b" ${says('juniors')}>Week 12</a></details><p></p>`

const repairs = `<h1>Repairs</h1><p></p><a href="#" ${says('door')}>Report a stuck door</a> <a href="#" ${says('lamp')}>Report a broken lamp</a>`

const devices = `<h1>Devices</h1><p></p>${['Phone', 'Laptop']
  .map((name) => `<section><h2>${name}</h2><label><input type=checkbox ${says(name)}> Alerts</label></section>`)
  .join('')}`

const draft = `<h1>Letter</h1><p></p><label>Subject <input></label><button ${says('send')}>Send letter</button> <button ${says('draft')}>Save draft</button>`

const notes = `<h1>Notes</h1><p></p><ul>${['Ada', 'Bo']
  .map(
    (name) =>
      `<li><b>${name}</b> <button aria-label="Actions" aria-haspopup="menu" onclick="this.nextElementSibling.hidden=false">⋮</button><span hidden role=menu><button role=menuitem ${says(`archive-${name}`)}>Archive</button></span></li>`,
  )
  .join('')}</ul>`

const notices = `<h1>Power</h1><p></p><div>Our lines are busy. <button aria-label="Dismiss notice" onclick="did.push('notice');this.parentNode.remove()">×</button></div>
  <div role=dialog aria-label=Chat>Chat with Vera <button aria-label="Close chat" onclick="did.push('chat');this.parentNode.remove()">×</button></div>`

const wizard = `<h1>Enrol</h1><p></p><button ${says('back')}>‹ Previous</button> <button ${says('enrol')}>Enrol now</button>`

const keys = `<h1>Keys</h1><p></p><table>${['crm-2', 'crm', 'web']
  .map((name) => `<tr><td>${name}</td><td><button ${says(name)}>Revoke</button></td></tr>`)
  .join('')}</table>`

const staff = `<h1>Staff</h1><p></p><table><tr><th>Name<th>Ext.</tr><tr><td id=n>Ada Holm<td id=e>41</tr></table>
  <button onclick="n.textContent='Bo Ek';e.textContent='52';this.disabled=true">Next page</button>`

const todo = `<h1>Shopping list</h1><p></p><ul><li><label><input type=checkbox ${says('ticked')}> Bread</label> <button aria-label="Delete Bread" ${says('deleted')}>✕</button></li>
  <li><label><input type=checkbox ${says('wrong')}> Rice</label> <button aria-label="Delete Rice" ${says('wrong')}>✕</button></li></ul><button ${says('wrong')}>Remove ticked items</button>`

const busy = `<h1>Order</h1><p></p><button onmousedown="for (const ends = Date.now() + 3300; Date.now() < ends; );" ${says('sent')}>Send it</button>`

const veil = 'style="position:fixed;inset:0;background:#fff"'
const covered = `<h1>Paper</h1><p></p><div ${veil}><div role=dialog aria-modal=true aria-label="Letter"><button ${says('subscribed')}>Subscribe</button>
  <button onclick="did.push('closed');this.closest('[style]').remove()">Close</button></div></div>
  <div ${veil}><div role=dialog aria-label="App"><button onclick="did.push('app');this.closest('[style]').remove()">Close</button></div></div>`

describe('a prompt without a model', () => {
  test.each([
    [
      'closes what covers a dialog, never the dialog that the button is in',
      covered,
      'Press Subscribe',
      'app subscribed',
    ],
    ['presses once where the page is busy with the press', busy, 'Press Send it', 'sent'],
    ['ticks nothing whose name the button has', todo, 'Delete Bread from the list', 'deleted'],
    ['fills the parts of a date', booking, 'Could you enter my birthday (3 February 1994) and save?', '3-2-1994'],
    ['means the button of the page before that of a card', product, 'Put it in my bag please', 'shoe'],
    ['means the card that is named', product, 'Put the wool socks in my bag', 'socks'],
    ['searches in the field that is named', twoSearches, 'Search the objects for "blue robe"', 'blue robe'],
    [
      'takes the words before the place as what is sought',
      twoSearches,
      'Look up Delft tiles in the collection',
      'Delft tiles',
    ],
    [
      'opens the dialog that a button has the name of, and ticks nothing that was not asked for',
      member,
      'Sign me in to the member area with ada@example.org and password Rower62',
      'ada@example.org false',
    ],
    [
      'presses the button of a sign-in, whatever word the page has for it',
      signIn,
      'Log in with email ada@example.org and password "maple-449".',
      'ada@example.org',
    ],
    [
      'fills the form of the button',
      twoForms,
      'Sign in as ada@example.org with the password "oar-7"',
      'Sign in ada@example.org',
    ],
    ['selects rows by their boxes', rows(shelve), 'Archive the documents Lease and Old rota', 'Lease Old rota'],
    [
      'takes what the command repeats as the reason',
      stock,
      'We now have 80 of them. Set Mats in stock to 80 and save.',
      '80',
    ],
    [
      'presses the button whose words the clause says',
      hire,
      'Check the availability of a rowing boat on 2 November 2027',
      'Rowing boat 2027-11-02',
    ],
    ['presses what is to be done with the text', thread, 'Write the reply "Me too" and post it', 'Me too'],
    ['reads how many of a thing', clogs, 'Add 2 pairs of the garden clogs to the cart', '2'],
    ['follows a link that hands out a file', menus, 'Download the juniors menu for week 12', 'juniors'],
    [
      'takes a sentence that orders nothing as the reason',
      repairs,
      'The lamp in our street is broken. Open the page to report it.',
      'lamp',
    ],
    ['means the control of the section that is named', devices, 'Turn on alerts for the laptop', 'Laptop'],
    ['does first what is to come first', draft, 'Send the letter, but first save the draft', 'draft send'],
    ['does what stands before a gerund first', draft, 'Before sending the letter, save the draft', 'draft send'],
    ['takes a wish for the card that it names', product, "I'd like the wool socks in my bag", 'socks'],
    ['opens the menu of the row that is named', notes, 'Archive the note of Bo', 'archive-Bo'],
    ['closes what is named', notices, 'Dismiss the notice about the lines', 'notice'],
    ['closes a dialog by its name', notices, 'I am too busy to talk. Close the chat please', 'chat'],
    ['goes back by the control of the page', wizard, 'Take me back one step', 'back'],
    ['means the whole text of a cell before a part of another', keys, 'Revoke the key crm', 'crm'],
  ])('%s', async (_name, html, prompt, wanted) => {
    const { done, output, did } = await run(html, prompt)
    expect({ done, did }, output).toEqual({ done: true, did: wanted })
  })

  test('does not follow a link to another page with what was set on this one', async () => {
    const { done, output } = await run(
      rows('<a href="http://127.0.0.1:9/archive">Archive</a>'),
      'Archive the documents Lease and Old rota',
    )
    expect({ done, output }).toEqual({ done: false, output: expect.stringContaining('Could not') })
  })

  test('types nothing where one field would get two values', async () => {
    const { done, output, did } = await run(
      thread,
      'Enter "Me too" as your reply, write "Thanks" into Your reply and post it',
    )
    expect({ done, did, output }).toEqual({ done: false, did: '', output: expect.stringContaining('both') })
  })

  test('reads an answer from a further page', async () => {
    const { done, output } = await run(staff, 'What is the extension of Bo Ek?')
    expect({ done, output }).toEqual({ done: true, output: '52 (Bo Ek, Ext.)' })
  })

  test.each([
    ['a condition', 'It must be a red one. Put it in my bag.', 'red'],
    ['a value', 'I have the code AB12. Put it in my bag.', 'AB12'],
    ['a verb', 'Reserve the trail runner.', 'Reserve'],
    ['a choice', 'The purple one is nicest. Put it in my bag.', 'purple'],
  ])('refuses a sentence with %s that the page has no place for', async (_name, prompt, word) => {
    const { done, output, did } = await run(product, prompt)
    expect({ done, did }).toEqual({ done: false, did: '' })
    expect(output).toContain(word)
  })

  test('refuses a search with a condition that it cannot meet', async () => {
    const { done, output, did } = await run(twoSearches, 'Search for robes (only silk)')
    expect({ done, did }).toEqual({ done: false, did: '' })
    expect(output).toContain('only')
  })
})

const shelf = (
  rows: string,
) => `<p></p><h1>Seed swap</h1><form onsubmit="event.preventDefault();did.push(this.q.value,this.by.value);document.querySelector('p').textContent='2 found'">
  <input type=search name=q aria-label="Search the swap"><select name=by aria-label="Search in"><option>Everything<option>Variety<option>Grower</select><button>Search</button></form>${rows}`

test('takes a quoted text as the whole query, and the rest as settings', async () => {
  expect(await run(shelf(''), 'Look for "Red Kuri" in Variety')).toMatchObject({ done: true, did: 'Red Kuri Variety' })
  const { done, output, did } = await run(shelf(''), 'Look for "Red Kuri" in Harvest')
  expect([done, did, output]).toEqual([false, '', expect.stringMatching(/not clear what "harvest" means/)])
})

const pages = `<h1>Found things</h1><p></p><ul></ul><a href="#" onclick="draw();return false">Older things »</a><script>
  const all = ['Red mitten', 'Blue cap', 'Grey scarf', 'Green cap']
  function draw() { document.querySelector('ul').innerHTML = all.splice(0, 2).map((one) => '<li>' + one + ' <button onclick="did.push(\\'' + one + '\\');document.querySelector(\\'p\\').textContent=1">Mine</button></li>').join('') }
  draw()</script>`

test('goes through pages until what was spoken of is there', async () => {
  const prompt = 'I lost a grey scarf. Go through the pages until you find it and claim it with "Mine".'
  expect(await run(pages, prompt)).toMatchObject({ done: true, did: 'Grey scarf' })
})

test('does nothing of a clause whose end it cannot see', async () => {
  const { done, output } = await run(
    '<h1>Tea</h1><button onclick="did.push(1)">Stir</button>',
    'Stir until it is warm.',
  )
  expect([done, output]).toEqual([false, expect.stringMatching(/until it is warm/)])
})

const boxes = `<h1>News</h1><p></p><table><tr><th>About</th><th>Mail</th><th>Phone</th></tr>
  ${['Bills', 'Visits'].map((row) => `<tr><th>${row}</th>${['Mail', 'Phone'].map((column) => `<td><input type=checkbox onclick="did.push('${row} ${column}')"></td>`).join('')}</tr>`).join('')}</table>`

test('ticks the box of a row and a column', async () => {
  expect(await run(boxes, 'Tick phone in the row visits.')).toMatchObject({ done: true, did: 'Visits Phone' })
})

const people = ['Ada Holm 417', 'Bo Holm 502', 'Ada Fjeld 388']
  .map((one) => one.split(' '))
  .map(([first, last, room]) => `<div><h3>${first} ${last}</h3><dl><dt>Room</dt><dd>${room}</dd></dl></div>`)

test('reads the value of the card that is named', async () => {
  expect(await run(`<h1>Office</h1>${people.join('')}`, 'What is the room of Bo Holm?')).toMatchObject({
    done: true,
    output: expect.stringMatching(/^502/),
  })
})

const prices = `<h1>Boats</h1><p></p><aside><h3>Price up to</h3><input id=most> € <button onclick="did.push(most.value);document.querySelector('p').textContent='4 boats'">Apply</button></aside>`

test('applies a filter by the button beside its field', async () => {
  expect(await run(prices, 'I am looking for a price up to 300 euros.')).toMatchObject({ done: true, did: '300' })
})

const things = Array.from(
  { length: 60 },
  (_, n) =>
    `<div><h3>Thing ${n}</h3><select aria-label="Size ${n}"><option>S<option>M</select><label><input type=checkbox>Gift ${n}</label><button>Add</button></div>`,
)

test('matches a long list to a page of many alike controls in little time', async () => {
  const list = Array.from({ length: 20 }, (_, n) => `thing ${n} size M`).join(', ')
  const began = performance.now()
  expect(await run(things.join(''), `Add ${list} to the basket`)).toMatchObject({ done: false, did: '' })
  expectCost(performance.now() - began).toBeLessThan(15_000)
})

test.each([
  ['an order', 'Choose '],
  ['a statement', 'I have '],
])('refuses %s that is too long to be matched', async (_name, start) => {
  const { done, output } = await run(things.join(''), `${start}${'the small blue thing '.repeat(60)}`)
  expect([done, output]).toEqual([false, expect.stringMatching(/may have 160 words/)])
})
