// 40 tasks on the small sites of test/site/interact.ts, with what each must leave behind: words in the visitor's log, an
// address, or words in the answer. Some cannot be done, and must be refused without touching anything.

export interface SiteTask {
  at: string
  prompt: string
  /** Entries that the log must end with, in any order. */
  log?: string[]
  /** Part of the address at the end. */
  url?: string
  /** What the output must say. */
  says?: string
  /** Cannot be done: a refusal is right, and nothing may be in the log but these. */
  impossible?: boolean
}

export const siteTasks: SiteTask[] = [
  { at: '/interact/shop', prompt: 'Open the Camp stove.', url: 'id=1' },
  { at: '/interact/shop', prompt: 'Go to the next page until there is none.', url: 'page=3' },
  { at: '/interact/shop', prompt: 'Find the Oil lantern and open it.', url: 'id=7' },
  { at: '/interact/shop', prompt: 'Search for "hat" and open the Sun hat.', url: 'id=11' },
  { at: '/interact/shop', prompt: 'What is the price of the head torch?', says: '32' },
  { at: '/interact/shop', prompt: 'Sort by price, low to high.', log: ['sort:up'] },
  {
    at: '/interact/shop',
    prompt: 'Sort the articles by price, most expensive first, and open the first result.',
    log: ['sort:down'],
    url: 'id=0',
  },
  { at: '/interact/shop', prompt: 'Which article is the cheapest on this page?', says: 'Chalk bag' },
  {
    at: '/interact/shop/item?id=5',
    prompt: 'Select Large under Size, choose Grey and add it to the cart.',
    log: ['add:Rain jacket:Large:Grey:1'],
  },
  {
    at: '/interact/shop/item?id=6',
    prompt: 'Set the quantity to 3, pick Green and Medium, then press Add to cart.',
    log: ['add:Wool socks:Medium:Green:3'],
  },
  { at: '/interact/shop/item?id=2', prompt: 'Save it for later.', log: ['later:Head torch'] },
  { at: '/interact/shop/item?id=2', prompt: 'Put the head torch on the wish list of Olga.', impossible: true },
  { at: '/interact/shop/cart', prompt: 'Remove the Head torch from the cart.', log: ['remove:Head torch'] },
  { at: '/interact/shop/cart', prompt: 'What is the total?', says: '253' },
  { at: '/interact/shop/cart', prompt: 'Enter the voucher SPRING10 and apply it.', log: ['voucher'] },
  { at: '/interact/shop/cart', prompt: 'Apply the voucher "WINTER5".', impossible: true },
  {
    at: '/interact/shop/checkout',
    prompt:
      'Order as Ada Holm, street "Elm Row 5", country Norway, payment by invoice. Accept the terms of sale and place the order.',
    log: ['order:Ada Holm:Elm Row 5:Norway:Invoice'],
  },
  {
    at: '/interact/shop/checkout',
    prompt:
      'Fill in name "Bo Ek", street "Hill 2", select Spain under Country, choose Card, tick the terms and press Place order.',
    log: ['order:Bo Ek:Hill 2:Spain:Card'],
  },
  { at: '/interact/forum', prompt: 'Open the thread "Snow".', url: 't=Snow' },
  { at: '/interact/forum', prompt: 'Go to the next page.', url: 'page=2' },
  { at: '/interact/forum', prompt: 'Open the thread about kayaks.', impossible: true },
  { at: '/interact/forum/thread?t=Maps', prompt: 'Like the post by Olga.', log: ['like:Olga'] },
  { at: '/interact/forum/thread?t=Maps', prompt: 'Report the post of Paolo.', log: ['report:Paolo'] },
  {
    at: '/interact/forum/thread?t=Maps',
    prompt: 'Write "Thank you all" into Your answer and post the answer.',
    log: ['answer:Thank you all'],
  },
  { at: '/interact/forum/thread?t=Maps', prompt: 'Delete the post by Nils.', impossible: true },
  {
    at: '/interact/forum',
    prompt:
      'Open New thread, enter the title "Ice axes", choose Gear as the category, write "Which one?" into Text and publish it.',
    log: ['publish:Ice axes:Gear:Which one?'],
  },
  {
    at: '/interact/login',
    prompt: 'Sign in as nils@hut.test with the password "open-sesame-7".',
    log: ['login:nils@hut.test'],
    url: '/account',
  },
  { at: '/interact/login', prompt: 'Sign in as nils@hut.test with the password "wrong-one".', impossible: true },
  { at: '/interact/account', prompt: 'Change the display name to "Nils H" and save the name.', log: ['name:Nils H'] },
  { at: '/interact/account', prompt: 'Open the Security tab and sign out everywhere.', log: ['signout'] },
  {
    at: '/interact/account',
    prompt: 'Under Notifications, turn on Answers by e-mail.',
    log: ['Answers by e-mail:true'],
  },
  { at: '/interact/booking', prompt: 'Book a guide for 3 July 2027 at 14:00.', log: ['guide:2027-07-03:14:00:2'] },
  {
    at: '/interact/booking',
    prompt: 'Pick March 9, 2027 as the day, set People to 6 and press Book guide.',
    log: ['guide:2027-03-09:08:00:6'],
  },
  { at: '/interact/board', prompt: 'Drag "Wax boots" to Doing.', log: ['move:Wax boots:Doing'] },
  { at: '/interact/board', prompt: 'Move Buy gas into the Done column.', log: ['move:Buy gas:Done'] },
  {
    at: '/interact/shadow',
    prompt: 'Set the brightness to 75, type "Hall" into Lamp name, switch on Night mode and press Store.',
    log: ['lamp:75:Hall:true'],
  },
  {
    at: '/interact/frames',
    prompt: 'Subscribe ada@hut.test to the letter, monthly.',
    log: ['letter:ada@hut.test:Monthly'],
  },
  { at: '/interact/feed', prompt: 'Follow Hiker 37.', log: ['follow:Hiker 37'] },
  { at: '/interact/files', prompt: 'Download gear.csv.', log: ['download:gear.csv'] },
  { at: '/interact/files', prompt: 'Upload my holiday photo and send it.', impossible: true },
]
