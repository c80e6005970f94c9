// The labelled sets of test/eval against their floors. They measure quality and take minutes; `npm test` leaves them out, as
// it does what lies in ../shared.
import { testRows } from './rows/vitest.mjs'

export async function prove() {
  return { title: 'Labelled sets', rows: testRows(['test/eval'], { ORB_TEST_EVAL: 'on' }, 'above its floors') }
}
