import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findElementByRef, takeSnapshotText } from '../../src/fetch/chrome/snapshot/element-refs.ts'
import { estimateSnapshotTokens } from '../../src/fetch/chrome/snapshot/snapshot-text.ts'
import { onPage, startBrowser } from './test-context.ts'

const never = new AbortController().signal
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser.close())

const refOf = (text: string, words: string): string => {
  const line = text.split('\n').find((one) => one.includes(words))
  return /@(e\d+)/.exec(line ?? '')?.[1] ?? `no line with ${words} in\n${text}`
}

describe('the snapshot of a page', () => {
  test('names controls by their labels and tells their state', () =>
    onPage(
      browser,
      `<h1>Join</h1><form><label for=a>E-mail</label><input id=a type=email required value="x@y.z">
       <p>Town <input id=t></p><label><input type=checkbox checked> News</label>
       <label>Size <select><option>Small<option selected>Large</select></label>
       <input type=password aria-label=Secret value=hush><button disabled>Send</button>
       <div role=tab aria-selected=true tabindex=0>General</div><div hidden><button>Hidden one</button></div></form>`,
      async (page) => {
        const { text } = await takeSnapshotText(page, { interactive: true }, never)
        expect(text.replace(/@e\d+/g, '@')).toBe(
          [
            '@ textbox "E-mail" = "x@y.z" required',
            '@ textbox "Town"',
            '@ checkbox "News" checked',
            '@ combobox "Size" = "Large" (Small | Large)',
            '@ textbox "Secret" = "•••"',
            '@ button "Send" disabled',
            '@ tab "General" selected',
          ].join('\n'),
        )
        const whole = await takeSnapshotText(page, { interactive: false }, never)
        expect(whole.text).toContain('heading "Join" level 1')
      },
    ))

  test('keeps refs while the page stands, and finds the element again', () =>
    onPage(
      browser,
      '<button>One</button><button id=b onclick="this.textContent=\'hit\'">Two</button>',
      async (page) => {
        const first = await takeSnapshotText(page, { interactive: true }, never)
        const ref = refOf(first.text, '"Two"')
        await page.evaluate(
          `document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'New' }))`,
        )
        const second = await takeSnapshotText(page, { interactive: true }, never)
        expect(refOf(second.text, '"Two"')).toBe(ref)
        expect(new Set(second.refs).size).toBe(3)
        await (await findElementByRef(page, `@${ref}`))?.click()
        expect(await page.textContent('#b')).toBe('hit')
        await page.evaluate(`document.querySelector('#b').remove()`)
        expect(await findElementByRef(page, ref)).toBeUndefined()
        await page.evaluate(`location.hash = 'x'`)
        expect(refOf((await takeSnapshotText(page, { interactive: true }, never)).text, '"One"')).toBe(
          refOf(first.text, '"One"'),
        )
      },
    ))

  test('sees through shadow roots and frames of any origin', () =>
    onPage(
      browser,
      `<div id=host></div><iframe srcdoc="<label>Card number <input></label><iframe srcdoc='<button>Deep</button>'></iframe>"></iframe>
       <iframe src="data:text/html,<button>Elsewhere</button>"></iframe>
       <script>host.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot><button>In the shadow</button>'</script>`,
      async (page) => {
        let text = ''
        const missing = async () => {
          text = (await takeSnapshotText(page, { interactive: true }, never)).text
          return ['Card number', 'Deep', 'Elsewhere', 'In the shadow'].filter((name) => !text.includes(`"${name}"`))
        }
        await expect.poll(missing).toEqual([])
        await (await findElementByRef(page, refOf(text, 'Card number')))?.fill('4111')
        const now = async () => (await takeSnapshotText(page, { interactive: true }, never)).text
        await expect.poll(now).toContain('= "4111"')
        expect(await findElementByRef(page, refOf(text, 'Elsewhere'))).toBeDefined()
      },
    ))

  test('tells a page of 2,000 elements in fewer than 4,000 tokens', () =>
    onPage(
      browser,
      `<ul>${Array.from({ length: 400 }, (_, i) => `<li><a href="/article/${i}">An article about matter number ${i}</a><p>Some <b>words</b></p><button>Save</button></li>`).join('')}</ul>`,
      async (page) => {
        const { text, refs } = await takeSnapshotText(page, { interactive: true }, never)
        expect(estimateSnapshotTokens(text)).toBeLessThanOrEqual(4000)
        expect(text).toMatch(/… \d+ more, @e\d+ to @e\d+/)
        expect(refs.length).toBeGreaterThan(300)
      },
    ))
})
