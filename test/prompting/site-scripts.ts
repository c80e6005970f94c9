// The tasks of site-tasks.ts as a model would do them: for each, the steps with labels in place of refs. `a > b` is the b
// that comes after the a in the snapshot; `scroll until` goes on until the snapshot has it. What cannot be done is said to be
// so at once.
import { siteTasks } from './site-tasks.ts'

export interface ScriptStep {
  command: string
  target?: string
  value?: string
}

const step = (line: string): ScriptStep => {
  const [command = '', target, value] = line.split(' | ')
  return { command, ...(target ? { target } : {}), ...(value ? { value } : {}) }
}

const DONE: Record<string, string[]> = {
  'Open the Camp stove.': ['click | Camp stove'],
  'Go to the next page until there is none.': ['click | Next', 'click | Next'],
  'Find the Oil lantern and open it.': ['click | Next', 'click | Oil lantern'],
  'Search for "hat" and open the Sun hat.': [
    'fill | Search the shop | hat',
    'click | button "Search"',
    'click | Sun hat',
  ],
  'What is the price of the head torch?': [],
  'Sort by price, low to high.': ['select | Sort by | Price: low to high'],
  'Sort the articles by price, most expensive first, and open the first result.': [
    'select | Sort by | Price: high to low',
    'click | Canvas tent',
  ],
  'Which article is the cheapest on this page?': [],
  'Select Large under Size, choose Grey and add it to the cart.': [
    'select | Size | Large',
    'check | Grey',
    'click | Add to cart',
  ],
  'Set the quantity to 3, pick Green and Medium, then press Add to cart.': [
    'fill | Quantity | 3',
    'check | Green',
    'select | Size | Medium',
    'click | Add to cart',
  ],
  'Save it for later.': ['click | Save for later'],
  'Remove the Head torch from the cart.': ['click | Head torch > Remove'],
  'What is the total?': [],
  'Enter the voucher SPRING10 and apply it.': ['fill | textbox "Voucher | SPRING10', 'click | Apply voucher'],
  'Order as Ada Holm, street "Elm Row 5", country Norway, payment by invoice. Accept the terms of sale and place the order.':
    [
      'fill | textbox "Name | Ada Holm',
      'fill | Street | Elm Row 5',
      'select | Country | Norway',
      'check | radio "Invoice',
      'check | terms of sale',
      'click | Place order',
    ],
  'Fill in name "Bo Ek", street "Hill 2", select Spain under Country, choose Card, tick the terms and press Place order.':
    [
      'fill | textbox "Name | Bo Ek',
      'fill | Street | Hill 2',
      'select | Country | Spain',
      'check | radio "Card',
      'check | terms of sale',
      'click | Place order',
    ],
  'Open the thread "Snow".': ['click | Next', 'click | Snow'],
  'Go to the next page.': ['click | Next'],
  'Like the post by Olga.': ['click | Olga > Like'],
  'Report the post of Paolo.': ['dialog | - | accept', 'click | Paolo > Report'],
  'Write "Thank you all" into Your answer and post the answer.': [
    'fill | Your answer | Thank you all',
    'click | Post answer',
  ],
  'Open New thread, enter the title "Ice axes", choose Gear as the category, write "Which one?" into Text and publish it.':
    [
      'click | New thread',
      'fill | Title | Ice axes',
      'select | Category | Gear',
      'fill | textbox "Text | Which one?',
      'click | Publish',
    ],
  'Sign in as nils@hut.test with the password "open-sesame-7".': [
    'fill | E-mail | nils@hut.test',
    'click | Continue',
    'fill | textbox "Password | open-sesame-7',
    'click | button "Sign in"',
  ],
  'Change the display name to "Nils H" and save the name.': ['fill | Display name | Nils H', 'click | Save name'],
  'Open the Security tab and sign out everywhere.': ['click | tab "Security', 'click | Sign out everywhere'],
  'Under Notifications, turn on Answers by e-mail.': [
    'click | tab "Notifications',
    'click | switch "Answers by e-mail',
  ],
  'Book a guide for 3 July 2027 at 14:00.': [
    'click | textbox "Day',
    'click | Next month',
    'click | Next month',
    'click | button "3"',
    'select | Time | 14:00',
    'click | Book guide',
  ],
  'Pick March 9, 2027 as the day, set People to 6 and press Book guide.': [
    'click | textbox "Day',
    'click | Previous month',
    'click | Previous month',
    'click | button "9"',
    'fill | slider "People | 6',
    'click | button "Book guide',
  ],
  'Drag "Wax boots" to Doing.': ['drag | Wax boots | Doing'],
  'Move Buy gas into the Done column.': ['drag | Buy gas | Done'],
  'Set the brightness to 75, type "Hall" into Lamp name, switch on Night mode and press Store.': [
    'fill | Brightness | 75',
    'fill | Lamp name | Hall',
    'check | Night mode',
    'click | Store',
  ],
  'Subscribe ada@hut.test to the letter, monthly.': [
    'fill | Your e-mail | ada@hut.test',
    'select | How often | Monthly',
    'click | button "Subscribe',
  ],
  'Follow Hiker 37.': ['scroll until | Hiker 37 > Follow', 'click | Hiker 37 > Follow'],
  'Download gear.csv.': ['click | gear.csv > Download'],
}

export const scriptOf = (prompt: string): { steps: ScriptStep[]; succeeded: boolean } => {
  const lines = DONE[prompt]
  return { steps: (lines ?? []).map(step), succeeded: lines !== undefined }
}

/** What no page has. */
export const NO_REF = '@e999999'

/** The ref that stands in the line with these words, or `NO_REF`. */
export function refIn(snapshot: string, label: string): string {
  // What else the model is told names the same things.
  const lines = snapshot.split('\n').filter((line) => /^\s*(@e\d+ |text: )/.test(line))
  let at = -1
  for (const part of label.split(' > ')) {
    at = lines.findIndex((line, n) => n > at && line.includes(part))
    if (at < 0) return NO_REF
  }
  // A row may hold its button in the same line's children; the ref is that of the line itself, or of the next one with one.
  const line = lines.slice(at).find((one) => /@e\d+/.test(one)) ?? ''
  return /@e\d+/.exec(line)?.[0] ?? NO_REF
}

export const unscripted = siteTasks.filter(({ prompt, impossible }) => !impossible && DONE[prompt] === undefined)
