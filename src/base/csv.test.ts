import { expect, it } from 'vitest'
import { writeCsv } from './csv.ts'

it('quotes separators and writes formulas as text, but not numbers', () => {
  expect(writeCsv([['a,b', 'say "x"', 'two\nlines', 'one\rreturn']])).toBe(
    '"a,b","say ""x""","two\nlines","one\rreturn"\n',
  )
  expect(writeCsv([['=1+1', '+cmd', '-1+2', '@sum', '\tx', '-5', '+1,200.50', '']])).toBe(
    "'=1+1,'+cmd,'-1+2,'@sum,'\tx,-5,\"+1,200.50\",\n",
  )
})
