// Prompts without a model, done in a real browser on small pages.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPromptWithoutModel } from '../../src/prompting/run-prompt-without-model.ts'
import { onPage, startBrowser } from './test-context.ts'

let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser.close())

/** `did` is what the page's scripts noted. */
const run = (html: string, prompt: string) =>
  onPage(browser, `<script>window.did = []</script><main>${html}</main>`, async (page) => {
    const { done, output } = await runPromptWithoutModel(
      page,
      prompt,
      { maxSteps: 60, timeoutMs: 30_000 },
      new AbortController().signal,
    )
    return { done, output, did: await page.evaluate<string>('globalThis.did.join(" ")') }
  })

const notes = (word: string) => `onclick="did.push('${word}');document.querySelector('p').textContent='${word}'"`
const ORDER = `<h1>Order</h1><p></p>
  <form onsubmit="event.preventDefault();did.push([...new FormData(this).values()].join('|'));document.querySelector('p').textContent='Sent'">
  <label>Full name <input name=n></label>
  <label>Size <select name=s><option>Small<option>Large</select></label>
  <fieldset><legend>Colour</legend><label><input type=radio name=c value=red> Red</label><label><input type=radio name=c value=blue> Blue</label></fieldset>
  <label><input type=checkbox name=g value=gift> Gift wrap</label>
  <button>Send order</button><button type=button ${notes('cancelled')}>Cancel</button></form>`
const ROWS = `<h1>Members</h1><p></p><table><tr><th>Name<th>Role<th></tr>${['Ada Bly', 'Rosa Holm']
  .map((name, n) => `<tr><td>${name}<td>${n === 0 ? 'Cook' : 'Pilot'}<td><button ${notes(name)}>Remove</button></tr>`)
  .join('')}</table>`

describe('literal commands', () => {
  test('fill in a form and send it', async () => {
    const prompt =
      'Fill "Full name" with "Ada, then Bo", choose Large from Size, choose "Blue", tick "Gift wrap" and press "Send order".'
    expect(await run(ORDER, prompt)).toMatchObject({ done: true, did: 'Ada, then Bo|Large|blue|gift' })
  })

  test('name one of several by its row or its number', async () => {
    expect(await run(ROWS, 'press "Remove" in the row "Rosa Holm"')).toMatchObject({ done: true, did: 'Rosa Holm' })
    expect(await run(ROWS, 'press the first Remove button')).toMatchObject({ done: true, did: 'Ada Bly' })
    const unclear = await run(ROWS, 'press Remove')
    expect(unclear).toMatchObject({ done: false, did: '' })
    expect(unclear.output).toContain('the page has 2 of "Remove"')
  })

  test('read a cell of a table', async () => {
    expect(await run(ROWS, 'read "Role" of "Rosa Holm"')).toMatchObject({ done: true, output: 'Pilot' })
    expect(await run(ROWS, 'read "Salary" of "Rosa Holm"')).toMatchObject({ done: false })
  })

  test('wait for a control that comes with an earlier one', async () => {
    const page = `<h1>Shop</h1><p></p><button onclick="setTimeout(() => document.querySelector('p').innerHTML = '<button onclick=did.push(1);this.remove()>Pay</button>', 300)">Basket</button>`
    expect(await run(page, 'press Basket, then press Pay')).toMatchObject({ done: true, did: '1' })
  })
})

describe('a prompt that is not understood whole', () => {
  test.each([
    ['an order in other words', 'Order the large one in blue for Ada Bly'],
    ['a command before one in other words', 'press "Cancel" and make sure that it worked'],
    ['a name that is only a part of a label', 'press "Send"'],
    ['an option that is not there', 'choose "Huge" from Size and press "Send order"'],
    ['a condition', 'press "Send order" if Size is Large'],
  ])('is refused before anything is pressed: %s', async (_, prompt) => {
    const { done, did, output } = await run(ORDER, prompt)
    expect({ done, did }).toEqual({ done: false, did: '' })
    expect(output).toContain('Nothing was pressed')
  })

  test('is answered with commands that would work', async () => {
    const { output } = await run(ORDER, 'I would like to have the order sent')
    expect(output).toContain('«press "Send order"»')
  })

  test('does not claim what had no effect', async () => {
    expect(await run('<h1>A</h1><button>Idle</button>', 'press Idle')).toMatchObject({ done: false })
  })
})
