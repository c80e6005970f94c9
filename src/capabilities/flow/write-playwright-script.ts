// A flow as a Playwright script that runs without this service.
import type { ElementDescriptor, Flow, FlowStep } from '../../driving/flow-steps-and-element-descriptors.ts'

const quoteString = (value: string): string => JSON.stringify(value)

/** Parameters become fields of `values`. */
function fillVariables(value: string): string {
  if (!value.includes('{{')) return quoteString(value)
  const parts = value.split(/\{\{\s*([\w-]+)\s*\}\}/)
  return parts
    .map((part, at) => (at % 2 === 1 ? `values[${quoteString(part)}]` : part === '' ? '' : quoteString(part)))
    .filter(Boolean)
    .join(' + ')
}

const ROLE = /^[a-z]+$/

function locator({ role, name, label, near, within, frame, selector }: ElementDescriptor): string {
  let scope = frame
    ? `page.frameLocator(${quoteString(`iframe[title=${quoteString(frame)}], iframe[name=${quoteString(frame)}]`)})`
    : 'page'
  if (near) scope += `.locator('tr, li, article, section, div').filter({ hasText: ${fillVariables(near)} }).last()`
  else if (within)
    scope += `.locator('body, dialog, form, fieldset, section, main, [role]').filter({ hasText: ${fillVariables(within)} }).last()`
  if (name && role && ROLE.test(role))
    return `${scope}.getByRole(${quoteString(role)}, { name: ${fillVariables(name)}, exact: true })`
  if (label)
    return `${scope}.getByLabel(${fillVariables(label)}).or(${scope}.getByPlaceholder(${fillVariables(label)})).first()`
  return selector
    ? `${scope}.locator(${quoteString(selector)})`
    : `${scope}.getByText(${fillVariables(name ?? '')}, { exact: true })`
}

function linesOf(step: FlowStep): string[] {
  switch (step.type) {
    case 'open':
      return [`await page.goto(${fillVariables(step.url)})`]
    case 'back':
      return ['await page.goBack()']
    case 'forward':
      return ['await page.goForward()']
    case 'click': {
      const does = step.dialog === 'accept' ? `accept(${step.answer ? fillVariables(step.answer) : ''})` : 'dismiss()'
      const dialog = step.dialog ? [`page.once('dialog', (dialog) => dialog.${does})`] : []
      return [...dialog, `await ${locator(step.target)}.click()`]
    }
    case 'type':
      return [`await ${locator(step.target)}.fill(${fillVariables(step.value)})`]
    case 'choose':
      return [`await ${locator(step.target)}.selectOption({ label: ${fillVariables(step.value)} })`]
    case 'check':
      return [`await ${locator(step.target)}.setChecked(${step.on})`]
    case 'upload':
      return [`await ${locator(step.target)}.setInputFiles(${fillVariables(step.file)})`]
    case 'press':
      return [
        step.target
          ? `await ${locator(step.target)}.press(${quoteString(step.key)})`
          : `await page.keyboard.press(${quoteString(step.key)})`,
      ]
    case 'scroll':
      return [
        step.target
          ? `await ${locator(step.target)}.scrollIntoViewIfNeeded()`
          : `await page.evaluate(() => scrollTo(0, ${step.to === 'top' ? 0 : 'document.documentElement.scrollHeight'}))`,
      ]
    case 'waitFor': {
      const what = step.target ? locator(step.target) : `page.getByText(${fillVariables(step.text ?? '')}).first()`
      return [`await ${what}.waitFor({ state: '${step.gone ? 'hidden' : 'visible'}' })`]
    }
    case 'extract': {
      const read = step.attribute
        ? `getAttribute(${quoteString(step.attribute)})`
        : step.all
          ? 'allInnerTexts()'
          : 'innerText()'
      return [`data[${quoteString(step.as)}] = await ${locator(step.target)}.${read}`]
    }
    case 'download':
      return [
        '{',
        `  const [download] = await Promise.all([page.waitForEvent('download'), ${locator(step.target)}.click()])`,
        '  await download.saveAs(download.suggestedFilename())',
        '}',
      ]
    case 'screenshot':
      return [`await page.screenshot({ path: 'screenshot.png', fullPage: ${step.fullPage ?? false} })`]
    case 'expect':
      return [`// Recorded end: ${step.path.replace(/\s/g, ' ')}`]
    case 'login':
      return [`throw new Error(${quoteString(`Sign in here: the vault entry "${step.vault}" stays in the service`)})`]
  }
}

export function writePlaywrightScript(name: string, { parameters, steps }: Flow): string {
  const value = (one: string) => `env[${quoteString(one)}] ?? ${quoteString(parameters[one]?.default ?? '')}`
  return [
    `// Flow "${name}".`,
    "import { env } from 'node:process'",
    "import { chromium } from 'playwright'",
    '',
    `const values = { ${Object.keys(parameters)
      .map((one) => `${quoteString(one)}: ${value(one)}`)
      .join(', ')} }`,
    'const data = {}',
    'const browser = await chromium.launch()',
    'const page = await browser.newPage()',
    ...steps.flatMap(linesOf),
    'console.log(JSON.stringify({ url: page.url(), data }))',
    'await browser.close()',
    '',
  ].join('\n')
}
