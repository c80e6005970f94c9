import { describe, expect, it } from 'vitest'
import type { Line } from '../facts/lines.ts'
import { postalIn } from './postal.ts'

const lines = (...texts: string[]): Line[] =>
  texts.map((text, at) => ({ text, runs: [{ text, element: undefined }], block: undefined, isMain: true, at }))
const first = (...texts: string[]) => postalIn(lines(...texts))[0]

describe('postal addresses', () => {
  it('are found in one line and taken apart, with commas or without', () => {
    expect(first('Visit us: 11849 E Colonial Drive, Orlando, FL 32826')).toMatchObject({
      text: '11849 E Colonial Drive, Orlando, FL 32826',
      street: '11849 E Colonial Drive',
      city: 'Orlando',
      region: 'FL',
      code: '32826',
    })
    expect(first('612 Canino Rd. Houston, TX 77076')).toMatchObject({ street: '612 Canino Rd.', city: 'Houston' })
    expect(first('901 Pershing Park Drive, Racine, WI')).toMatchObject({ city: 'Racine', code: undefined })
  })

  it('are read back over the lines above', () => {
    expect(first('Where to find us', '31 N Main St,', 'Concord NH 03301')).toMatchObject({
      text: '31 N Main St, Concord NH 03301',
      street: '31 N Main St',
      city: 'Concord',
    })
  })

  it('are read as other countries write them', () => {
    expect(first('Lange Straße 4, 50667 Köln')).toMatchObject({ street: 'Lange Straße 4', city: 'Köln', code: '50667' })
    expect(first('Herr Thomas Becker wohnt in der Goethestraße 12, 60313 Frankfurt.')).toMatchObject({
      text: 'Goethestraße 12, 60313 Frankfurt',
      street: 'Goethestraße 12',
    })
    expect(first('An der Alten Mühle Weg 3, 50667 Köln')).toMatchObject({ street: 'An der Alten Mühle Weg 3' })
    expect(first('12 High Street, Oxford OX1 4AB')).toMatchObject({ city: 'Oxford', code: 'OX1 4AB' })
  })

  it('need a street: a year and a town are none', () => {
    expect(postalIn(lines('Founded 1904 in Copenhagen', 'Open 24 hours a day', 'We sold 12000 Lamps'))).toEqual([])
  })
})
