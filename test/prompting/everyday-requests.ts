// Sixty requests on the pages of everyday-pages.ts, written from the kinds that the grammar promises and without
// reading it. Failures of both halves have been read since.

export interface PromptRequest {
  page: string
  prompt: string
  /** An expression over the state of the page. */
  wanted: string
  says?: string
  refusedFor?: string
}

const ask = (page: string, prompt: string, wanted: string, says?: string): PromptRequest => ({
  page: `everyday/${page}`,
  prompt,
  wanted,
  ...(says ? { says } : {}),
})
const refuse = (page: string, prompt: string, wanted: string, refusedFor: string): PromptRequest => ({
  page: `everyday/${page}`,
  prompt,
  wanted,
  refusedFor,
})

export const everydayRequests: readonly PromptRequest[] = [
  ask('library', 'Search for "moss"', `state.q.toLowerCase() === 'moss'`),
  ask(
    'library',
    'Look for books by Mina Sorel and reserve Harbour Lights',
    `state.reserved.join() === 'Harbour Lights'`,
  ),
  ask('library', 'Reserve Winter Gardens.', `state.reserved.join() === 'Winter Gardens'`),
  ask('library', 'Open the events page', `location.hash === '#events'`),
  refuse('library', 'Reserve the audio book of The Salt Road', `state.reserved.length === 0`, 'audio'),
  ask('jobs', 'Show only jobs in Lyon', `state.shown === 'Data analyst,Support agent'`),
  ask('jobs', 'Filter by Part time and sort by salary, highest first', `state.shown === 'Editor,Support agent'`),
  ask('jobs', 'Show remote positions in Bremen', `state.shown === 'Editor'`),
  ask('jobs', 'Apply for the Site engineer position', `state.applied.join() === 'Site engineer'`),
  ask('jobs', 'What is the salary of the Warehouse lead?', `state.applied.length === 0`, '36'),
  ask('account', 'Sign in with customer number OE-4471 and password tulip-9', `state.in === 'OE-4471/false'`),
  ask(
    'account',
    'Log in as OE-4471 with the password "tulip-9", keep me signed in, then tell me the balance',
    `state.in === 'OE-4471/true'`,
    '42.17',
  ),
  refuse('account', 'Sign in with customer number OE-4471 and password rose-1', `state.in === null`, 'wrong'),
  ask('account', 'Click Forgotten your password?', `location.hash === '#forgot'`),
  ask(
    'account',
    'Sign in with customer number OE-4471 and password tulip-9, then sign out',
    `state.in && state.out === 1`,
  ),
  ask(
    'rail',
    'Find trains from Aarhus to Odense on 14 May 2027',
    `state.search?.startsWith('Aarhus|Odense|2027-05-14|')`,
  ),
  ask(
    'rail',
    'Enter Aalborg as From and Esbjerg as To, choose 12:00 in Leaving after, first class, and show trains',
    `state.search === 'Aalborg|Esbjerg|2027-01-01|12:00|1|1'`,
  ),
  ask(
    'rail',
    'Set passengers to 3, From Odense, To Aarhus and press Show trains',
    `state.search?.startsWith('Odense|Aarhus|') && state.search.split('|')[4] === '3'`,
  ),
  ask(
    'rail',
    'Fill From with Odense and To with Esbjerg, show trains, then select the train at 10:12',
    `state.train === '10:12'`,
  ),
  refuse('rail', 'Show trains from Odense to Aarhus with a bicycle', `!state.search`, 'bicycle'),
  ask('news', 'Accept all cookies', `state.cookies === 'all'`),
  ask('news', 'Refuse cookies', `state.cookies === 'none'`),
  ask('news', 'Reject the cookies and open Culture', `state.cookies === 'none' && location.hash === '#culture'`),
  ask('news?letter', 'Close the newsletter dialog', `state.letter === 'dismissed'`),
  ask('news', 'Who wrote the article about the ferry line?', `state.letter === 'closed'`, 'Tomas Reyes'),
  ask('tickets', 'Go to the next page', `state.page === 2`),
  ask('tickets', 'Click Next until there is none', `state.page === 3`),
  ask('tickets', 'Close ticket 703', `state.closed.join() === '703' && !state.assigned.length`),
  ask('tickets', 'Assign ticket 711 to me', `state.assigned.join() === '711' && !state.closed.length`),
  refuse('tickets', 'Close ticket 790', `state.closed.length === 0`, '790'),
  ask(
    'contact',
    'Fill the form with first name Ines, last name Okafor, e-mail ines@example.com and message "The gutter leaks", accept the privacy notice and send the message',
    `state.sent === 'Ines|Okafor|ines@example.com|General|mail|The gutter leaks'`,
  ),
  ask(
    'contact',
    'Fill in: First name: Jon; Last name: Berg; E-mail: jon@example.com; Topic: Repair; Message: Two tiles are loose. Tick the privacy notice and press Send message.',
    `state.sent?.startsWith('Jon|Berg|jon@example.com|Repair|mail|Two tiles are loose')`,
  ),
  ask('contact', 'Choose Complaint as the topic', `q('#tp').value === 'Complaint' && !state.sent`),
  ask(
    'contact',
    'Type "Lena" into First name and choose By phone',
    `q('#fn').value === 'Lena' && q('[name=how]:checked').value === 'phone' && !state.sent`,
  ),
  refuse('contact', 'Send the message with a photo of the roof', `!state.sent`, 'photo'),
  ask('settings', 'Turn on the weekly summary and save', `state.saved === 'on|on|Light|English|mlind'`),
  ask(
    'settings',
    'Switch off sound, choose the dark theme and save changes',
    `state.saved === 'off|off|Dark|English|mlind'`,
  ),
  ask(
    'settings',
    'Set the language to Nederlands and save the changes',
    `state.saved === 'off|on|Light|Nederlands|mlind'`,
  ),
  ask(
    'settings',
    'Change the display name to Mara L and save changes',
    `state.saved === 'off|on|Light|English|Mara L'`,
  ),
  refuse('settings', 'Set the theme to Sepia and save', `state.saved === null && !state.deleted`, 'sepia'),
  ask('invoices', 'Download the invoice R-2214', `state.files.join() === 'R-2214' && !state.paid.length`),
  ask('invoices', 'Open the 2025 tab and download the invoice of December', `state.files.join() === 'R-1920'`),
  ask('invoices', 'Pay invoice R-2230', `state.paid.join() === 'R-2230'`),
  ask('invoices', 'How much is invoice R-2214?', `!state.paid.length`, '98.50'),
  refuse('invoices', 'Pay invoice R-2201', `!state.paid.length`, 'R-2201'),
  ask(
    'hotel',
    'Choose Family suite, arrival 4 July 2027, departure 9 July 2027, 4 guests and check availability',
    `state.asked === 'Family suite|2027-07-04|2027-07-09|4|false'`,
  ),
  ask(
    'hotel',
    'Select the room Double with balcony, set Arrival to 2027-08-01 and Departure to 2027-08-03, tick Bringing a dog, then click Check availability and read the total',
    `state.asked === 'Double with balcony|2027-08-01|2027-08-03|2|true'`,
    '212',
  ),
  ask('hotel', 'When does breakfast start?', `!state.asked`, '7:30'),
  ask('hotel', 'Set guests to 5', `q('#g').value === '5' && !state.asked`),
  refuse('hotel', 'Choose the penthouse and check availability', `!state.asked`, 'penthouse'),
  ask('manual', 'Open Care', `state.at === 'care'`),
  ask('manual', 'Open Installation, then go back', `state.trail.join() === ',install,'`),
  ask('manual', 'Open Faults and read what E4 means', `state.at === 'faults'`, 'Motor too hot'),
  ask('manual', 'What is the warranty?', `state.at === ''`, '5 years'),
  ask('manual', 'Go to Installation and expand Tools', `state.at === 'install' && state.open === true`),
  ask('todo', 'Add Milk to the list', `state.list === 'Bread,Olives+,Rice,Milk'`),
  ask('todo', 'Tick Rice', `state.list === 'Bread,Olives+,Rice+'`),
  ask('todo', 'Delete Bread from the list', `state.list === 'Olives+,Rice'`),
  ask('todo', 'Take a screenshot', `state.list === 'Bread,Olives+,Rice'`),
  refuse('todo', 'Delete Butter', `state.list === 'Bread,Olives+,Rice'`, 'butter'),
]
