// A hundred changes with the goal of whoever watches, and whether that change is what they want to know. Labelled by reading
// goal and change alone. Half of them, by the hash of the row, are sealed: they are measured and not looked into.
import { createHash } from 'node:crypto'
import { classifyEdit } from '../../../src/understanding/changes/classify-edit.ts'
import type { ReportedChange } from '../../../src/understanding/changes/evaluate-monitor-check.ts'
import { judgeChangeByRules } from '../../../src/understanding/changes/judge-change-by-rules.ts'
import { lineShapeOf } from '../../../src/understanding/changes/line-shape-and-numbers.ts'

/** `yes` or `no` | the goal | the line before | the line after; a dash: there was none. */
const ROWS = `
yes | Tell me when the price drops | Price: €49.00 | Price: €42.50
no | Tell me when the price drops | Price: €49.00 | Price: €55.00
no | Tell me when the price drops | Ships in 3 days | Ships in 5 days
yes | price below 100 dollars | $129.00 | $95.00
no | price below 100 dollars | $129.00 | $119.00
yes | Alert me if the ticket price rises above 60 euros | Tickets from 55 € | Tickets from 65 €
no | Alert me if the ticket price rises above 60 euros | Tickets from 50 € | Tickets from 55 €
yes | any change in pricing of the Pro plan | Pro plan: $20 per month | Pro plan: $24 per month
no | any change in pricing of the Pro plan | Read our new case study | Read our latest case study
yes | back in stock | Out of stock | In stock
no | back in stock | In stock | Out of stock
yes | let me know when the camera is available again | Sold out | Available now
no | let me know when the camera is available again | 4.5 stars from 310 reviews | 4.6 stars from 312 reviews
yes | notify me when it is sold out | In stock, 3 left | Sold out
no | notify me when it is sold out | In stock, 9 left | In stock, 7 left
yes | new job openings for engineers | - | - Senior backend engineer, Berlin
yes | new job openings | - | - Office manager, Lyon
no | new job openings | We are a team of 40 people | We are a team of 42 people
no | new job openings for engineers | Our offices are in Berlin | Our offices are in Berlin and Lyon
yes | when a new version is released | Latest version: 3.1.4 | Latest version: 3.2.0
yes | new releases | - | ## Version 4.0.0
no | new releases | Documentation was moved to a new server | Documentation is on a new server
yes | tell me about outages | All systems operational | Major outage of the API
yes | tell me about incidents and maintenance | - | Scheduled maintenance on Sunday
no | tell me about outages | Follow us on social media | Follow us on Mastodon
yes | Is the museum closed or reopened | The museum is closed | The museum has reopened
no | Is the museum closed or reopened | The café serves soup | The café serves soup and cake
yes | deadline of the call for papers | Deadline: 1 March 2026 | Deadline: 15 March 2026
no | deadline of the call for papers | Keynote by Mary Fell | Keynote by Mary Fell and Jonas Brandt
yes | when the concert is postponed or cancelled | The concert takes place on 4 May | The concert is cancelled
no | when the concert is postponed or cancelled | Doors open early | Doors open late
yes | changes to the opening hours | Open 9:00 to 17:00 | Open 10:00 to 18:00
no | changes to the opening hours | Our newsletter has 900 readers | Our newsletter has 940 readers
yes | new articles about heat pumps | - | - Heat pumps in old houses
no | new articles about heat pumps | - | Cookies help us to improve this site
yes | new blog posts | - | - How we moved our database
no | new blog posts | 12 comments | 14 comments
yes | terms of service | We may share your data with partners | We never share your data with partners
yes | privacy policy changes about data retention | Data is kept for 30 days | Data is kept for 90 days
no | privacy policy changes about data retention | Contact our officer by letter | Contact our officer by e-mail
yes | Tell me when the CEO changes | CEO: Mary Fell | CEO: Jonas Brandt
no | Tell me when the CEO changes | Founded in 1987 | Founded in 1986
yes | new members of the board | - | - Ines Moreau, board member
no | new members of the board | Registered office: Kendal | Registered office: Leeds
yes | the exchange rate of the euro goes above 1.10 | EUR/USD 1.08 | EUR/USD 1.12
no | the exchange rate of the euro goes above 1.10 | EUR/USD 1.08 | EUR/USD 1.09
yes | rent below 900 | Rent: 950 € | Rent: 880 €
no | rent below 900 | Rent: 950 € | Rent: 920 €
yes | new flats in Bonn | - | - Two rooms in Bonn, 61 m², 890 €
no | new flats in Bonn | Page 1 of 12 | Page 1 of 13
yes | a new flight to Porto | - | - Porto, from 79 €
no | a new flight to Porto | Book a hotel as well | Book a car as well
yes | train delays | 14:05 to Ghent, on time | 14:05 to Ghent, delayed by 20 minutes
no | train delays | Snacks on board | Snacks and drinks on board
yes | when registration opens | Registration is closed | Registration is open
no | when registration opens | The venue has three halls | The venue has four halls
yes | number of open seats falls below 10 | 24 seats left | 8 seats left
no | number of open seats falls below 10 | 24 seats left | 19 seats left
yes | security advisories | - | - Security advisory: update to 2.4.1
no | security advisories | Thanks to our sponsors | Thanks to all our sponsors
yes | new court decisions about rent | - | - Decision of 3 May on rent increases
no | new court decisions about rent | Library hours in summer | Library hours in winter
yes | price changes except shipping | Price $30 | Price $28
no | price changes except shipping | Shipping $5 | Shipping $7
yes | discount on shoes | - | 20% discount on all shoes
no | discount on shoes | Follow our channel | Subscribe to our channel
yes | grant applications deadline | Applications until 30 June 2026 | Applications until 31 July 2026
no | grant applications deadline | Grants were given to 14 projects | Grants were given to 15 projects
yes | when water temperature is above 20 degrees | Water: 18.5 °C | Water: 20.6 °C
no | when water temperature is above 20 degrees | Water: 18.5 °C | Water: 19.2 °C
yes | Preis sinkt | Preis: 89,00 € | Preis: 79,00 €
no | Preis sinkt | Preis: 89,00 € | Preis: 95,00 €
yes | wieder lieferbar | Ausverkauft | Lieferbar
no | wieder lieferbar | Farbe: blau | Farbe: grün
yes | neue Stellenangebote | - | - Gärtner (m/w/d) in Bonn
yes | prix | Prix : 45 € | Prix : 39 €
no | prix | Livraison en deux jours | Livraison en trois jours
yes | recall notices for baby food | - | - Recall: baby food with glass splinters
no | recall notices for baby food | Recipes of the week | Recipes of the month
yes | anything | The pool is blue | The pool is green
yes | any update | Version of May | Version of June
yes | changes in the speaker list | - | - Speaker: Amara Oduya
no | changes in the speaker list | Lunch is served at noon | Lunch is served in the hall
yes | when the lift is out of order | The lift works | The lift is out of order
no | when the lift is out of order | The stairs were painted white | The stairs were painted grey
yes | new datasets about air quality | - | - Air quality measurements 2026
no | new datasets about air quality | 1,204 downloads | 1,311 downloads
yes | the fee for residents | Fee for residents: 12 £ | Fee for residents: 14 £
no | the fee for residents | Parking is behind the hall | Parking is beside the hall
yes | visa requirements for Japan | Japan: no visa for 30 days | Japan: no visa for 90 days
no | visa requirements for Japan | Photo of the day | Picture of the day
yes | bug 1234 is fixed | Bug 1234: open | Bug 1234: fixed
no | bug 1234 is fixed | Bug 1199: open | Bug 1199: assigned
yes | pre-orders start | Coming soon | Pre-order now
no | pre-orders start | Colour: black | Colour: black or white
yes | changes to the menu of the canteen | Monday: lentil soup | Monday: potato soup
no | tell me about new products, ignore accessories | - | - Accessories: leather strap
yes | tell me about new products, ignore accessories | - | - Camera X200
yes | interest rate increases | Interest rate: 3.2 % | Interest rate: 3.6 %
no | interest rate increases | Interest rate: 3.2 % | Interest rate: 2.9 %
`
  .trim()
  .split('\n')

export interface GoalRow {
  goal: string
  change: ReportedChange
  isWanted: boolean
  isSealed: boolean
}

export const goalRows: readonly GoalRow[] = ROWS.map((row) => {
  const [label, goal = '', was = '', ...now] = row.split(' | ')
  const [before, after] = [was, now.join(' | ')].map((line) => (line === '-' ? null : line)) as [
    string | null,
    string | null,
  ]
  const type = before === null ? 'added' : after === null ? 'removed' : 'changed'
  const isAlike = before !== null && after !== null && lineShapeOf(before) === lineShapeOf(after)
  const kind = classifyEdit({ before, after, type, shape: isAlike ? lineShapeOf(before) : null })
  return {
    goal,
    change: { type, before, after, section: '', kind },
    isWanted: label === 'yes',
    isSealed: createHash('sha256').update(row).digest()[0]! % 2 === 1,
  }
})

export interface GoalScore {
  rows: number
  right: number
  unsure: number
  wrong: string[]
}

export function scoreGoals(rows: readonly GoalRow[]): GoalScore {
  const score: GoalScore = { rows: rows.length, right: 0, unsure: 0, wrong: [] }
  for (const { goal, change, isWanted } of rows) {
    const { meaningful, confidence, reason } = judgeChangeByRules(goal, [change], [])
    if (confidence === 'low') score.unsure++
    if (meaningful === isWanted) score.right++
    else score.wrong.push(`${goal}: ${change.before} → ${change.after} (${change.kind}; ${reason})`)
  }
  return score
}
