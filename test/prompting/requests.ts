// Requests of the kinds that people make, with the end state that each must leave on its page. The second half,
// by a hash of their words, was once kept aside; failures of both have been read since.
import { createHash } from 'node:crypto'

export interface PromptRequest {
  page: string
  prompt: string
  /** An expression over `state` that is true when the request was done; for refusals: when nothing was touched. */
  wanted: string
  /** What the output must contain. */
  says?: string
  /** Cannot be done as asked. The refusal must name this. */
  refusedFor?: string
}

export const isSecondHalf = ({ page, prompt }: PromptRequest): boolean =>
  createHash('sha256')
    .update(`${page.replace('everyday/', '')} ${prompt}`)
    .digest()[0]! %
    2 ===
  0

export const requests: readonly PromptRequest[] = [
  {
    page: 'shop',
    prompt: 'Add the jumper in turquoise, size medium, to the bag.',
    wanted: `state.bag.join() === 'Turquoise/Medium/1/false'`,
  },
  {
    page: 'shop',
    prompt: 'Put two large mustard jumpers in my bag',
    wanted: `state.bag.join() === 'Mustard/Large/2/false'`,
  },
  {
    page: 'shop',
    prompt: 'Choose Charcoal and Small, tick gift wrapping and add it to the basket.',
    wanted: `state.bag.join() === 'Charcoal/Small/1/true'`,
  },
  {
    page: 'shop',
    prompt: 'Add the jumper in purple, size Large, to the bag.',
    wanted: `state.bag.length === 0 && !state.paid`,
    refusedFor: 'purple',
  },
  {
    page: 'shop',
    prompt: 'Proceed to payment with express delivery.',
    wanted: `state.paid === 0`,
    refusedFor: 'express',
  },
  {
    page: 'shop',
    prompt: 'Set the quantity to 3, pick turquoise in large, add to bag and then proceed to payment.',
    wanted: `state.bag.join() === 'Turquoise/Large/3/false' && state.paid === 1`,
  },
  { page: 'shop', prompt: 'What does the jumper cost?', wanted: 'state.bag.length === 0', says: '89' },
  {
    page: 'booking',
    prompt: 'Book a table for 4 people on 12 June 2027 at 19:30 under the name Ada Holm.',
    wanted: `state.got?.startsWith('2027-06-12|19:30|4|inside|Ada Holm|')`,
  },
  {
    page: 'booking',
    prompt:
      'Fill in the form: date 2027-03-05, time 20:00, party size 2 people, terrace, name "Lu Chen", mobile 0171 555 0199. Then book the table.',
    wanted: `state.got === '2027-03-05|20:00|2|terrace|Lu Chen|0171 555 0199||false'`,
  },
  {
    page: 'booking',
    prompt: 'Reserve a table on the terrace for two people at 18:30 on May 3, 2027. My name is Bo Ek.',
    wanted: `state.got?.startsWith('2027-05-03|18:30|2|terrace|Bo Ek|')`,
  },
  {
    page: 'booking',
    prompt: 'Book a table for 9 people on 12 June 2027 for Ada Holm.',
    wanted: `!state.got`,
    refusedFor: '9',
  },
  {
    page: 'booking',
    prompt:
      'Enter Bo Ek as your name and write "A high chair, please" into special requests, but do not send anything.',
    wanted: `!state.got && document.querySelector('#n').value === 'Bo Ek' && document.querySelector('#r').value === 'A high chair, please'`,
  },
  {
    page: 'orders',
    prompt: 'Show only the shipped orders, highest amount first.',
    wanted: `state.rows === '4105,4102'`,
  },
  {
    page: 'orders',
    prompt: 'Filter by customer Mira Sand and status Returned, then open the order with View.',
    wanted: `state.viewed === '4104'`,
  },
  { page: 'orders', prompt: 'Sort by amount, low to high', wanted: `state.rows === '4104,4102,4101,4103,4105'` },
  { page: 'orders', prompt: 'Cancel order 4103 and confirm.', wanted: `state.cancelled.join() === '4103'` },
  {
    page: 'orders',
    prompt: 'Refund order 4103.',
    wanted: `state.cancelled.length === 0 && !state.viewed`,
    refusedFor: 'refund',
  },
  {
    page: 'orders',
    prompt: 'Tick "Overdue only" and tell me how many orders are left.',
    wanted: `state.rows === '4105,4101'`,
    says: '2',
  },
  { page: 'orders', prompt: 'What is the status of order 4104?', wanted: '!state.viewed', says: 'Returned' },
  { page: 'login', prompt: 'Log in with rhea@ledgerly.test and blue-Kite-52.', wanted: `state.in === 'yes'` },
  {
    page: 'login',
    prompt:
      'Sign in as rhea@ledgerly.test, password "blue-Kite-52", and keep me signed in. Then read out the balance of Savings.',
    wanted: `state.in === 'kept'`,
    says: '8,120.50',
  },
  {
    page: 'login',
    prompt: 'Sign in as rhea@ledgerly.test with the password "nope-1".',
    wanted: `!state.in`,
    refusedFor: 'incorrect',
  },
  {
    page: 'login',
    prompt: 'Log in with username rhea@ledgerly.test and password blue-Kite-52, then log out again.',
    wanted: `state.in === 'out'`,
  },
  {
    page: 'jobs',
    prompt: 'Go to the next page until you find Plumber, then save it.',
    wanted: `state.saved.join() === 'Plumber'`,
  },
  {
    page: 'jobs',
    prompt: 'Search for bruges and open the Gardener vacancy.',
    wanted: `state.query === 'bruges' && state.open === 'Gardener'`,
  },
  {
    page: 'jobs',
    prompt: 'Save the vacancies Nurse and Baker.',
    wanted: `[...state.saved].sort().join() === 'Baker,Nurse'`,
  },
  { page: 'jobs', prompt: 'Open the third vacancy on the second page.', wanted: `state.open === 'Teacher'` },
  { page: 'jobs', prompt: 'Go to page 3.', wanted: 'state.page === 3' },
  {
    page: 'jobs',
    prompt: 'Apply for the job as Astronaut.',
    wanted: `!state.applied && !state.open`,
    refusedFor: 'astronaut',
  },
  { page: 'article', prompt: 'Reject the cookies.', wanted: `state.cookies === 'min'` },
  {
    page: 'article',
    prompt: 'Accept all cookies and subscribe to the weekly letter with kim@quay.test',
    wanted: `state.cookies === 'all' && state.mail === 'kim@quay.test'`,
  },
  { page: 'article?open', prompt: 'Close the pop-up.', wanted: 'state.closed === 1' },
  {
    page: 'stays',
    prompt: 'Find a stay in Lisbon from 4 April 2027 to 9 April 2027 for 2 adults and 1 child.',
    wanted: `state.got === 'Lisbon|2027-4-4|2027-4-9|2|1'`,
  },
  {
    page: 'stays',
    prompt: 'Where: Dublin. Check-in: 30 March 2027. Check-out: 2 April 2027. Adults: 3. Search stays.',
    wanted: `state.got === 'Dublin|2027-3-30|2027-4-2|3|0'`,
  },
  {
    page: 'stays',
    prompt: 'Search stays in Dublin with a sauna from 4 April 2027 to 9 April 2027.',
    wanted: `!state.got`,
    refusedFor: 'sauna',
  },
  { page: 'files', prompt: 'Download the payslip.', wanted: `state.downloads.join() === 'Payslip May.txt'` },
  { page: 'files', prompt: 'Delete the Insurance document.', wanted: `state.deleted.join() === 'Insurance'` },
  {
    page: 'files',
    prompt: 'Upload a file named "note.txt" with the text "Call Jo".',
    wanted: `state.up === 'note.txt:Call Jo'`,
  },
  {
    page: 'files',
    prompt: 'Delete all documents older than 2020.',
    wanted: `state.deleted.length === 0`,
    refusedFor: '2020',
  },
  { page: 'files', prompt: 'Read out how much storage is used.', wanted: 'true', says: '3.2 GB' },
  {
    page: 'settings',
    prompt: 'Turn off sounds and switch on the e-mail digest in the notifications.',
    wanted: `state.now() === 'false,false,true,Light,16'`,
  },
  {
    page: 'settings',
    prompt: 'Change the theme to dark and the text size to 20.',
    wanted: `state.now() === 'false,true,false,Dark,20'`,
  },
  {
    page: 'settings',
    prompt: 'Set my display name to Sam Q., the language to Polski and save.',
    wanted: `state.saved === 'Sam Q.|Polski'`,
  },
  { page: 'settings', prompt: 'Enable desktop alerts', wanted: `state.now() === 'true,true,false,Light,16'` },
  {
    page: 'settings',
    prompt: 'Turn on two-factor authentication.',
    wanted: `state.now() === 'false,true,false,Light,16'`,
    refusedFor: 'two-factor',
  },
  {
    page: 'checkout',
    prompt: 'Order as Ada Holm, Elm Row 5, 9000 Ghent, express delivery, pay by invoice and agree to the terms.',
    wanted: `state.orders.length === 0 || state.orders.join() === 'Ada|Holm|Elm Row 5|9000|Ghent|exp|inv'`,
  },
  {
    page: 'checkout',
    prompt:
      'Fill in the checkout with first name Ada, last name Holm, street "Elm Row 5", postcode 9000, city Ghent. Choose express delivery and bank transfer, accept the terms and place the order.',
    wanted: `state.orders.join() === 'Ada|Holm|Elm Row 5|9000|Ghent|exp|bank'`,
  },
  {
    page: 'checkout',
    prompt: 'Place the order with PayPal.',
    wanted: 'state.orders.length === 0',
    refusedFor: 'paypal',
  },
  { page: 'contacts', prompt: 'Delete Jo Marsh.', wanted: `state.gone.join() === 'Jo Marsh'` },
  { page: 'contacts', prompt: 'Mark Ravi Anand as a favourite.', wanted: `state.fav.join() === 'Ravi Anand'` },
  { page: 'contacts', prompt: 'Delete Jo.', wanted: `state.gone.length === 0`, refusedFor: 'Jo Mar' },
  { page: 'contacts', prompt: 'Edit the second contact.', wanted: `state.edit === 'Jo Marsh'` },
]
