import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { findCurrency, findMoney, parseMoney, parseMoneyAmount } from './money.ts'

describe('money', () => {
  it.each([
    ['1.299,00 €', 1299, 'EUR'],
    ['€1.299,00', 1299, 'EUR'],
    ['1 299,00 €', 1299, 'EUR'],
    ['1\u202f299,00\u00a0€', 1299, 'EUR'],
    ['¥12,800', 12800, 'JPY'],
    ['12,800円', 12800, 'JPY'],
    ['CHF 12.-', 12, 'CHF'],
    ['12.– CHF', 12, 'CHF'],
    ["CHF 1'299.50", 1299.5, 'CHF'],
    ['US$5', 5, 'USD'],
    ['US $49.99', 49.99, 'USD'],
    ['$1,049.99', 1049.99, 'USD'],
    ['£7.50', 7.5, 'GBP'],
    ['R$ 1.234,56', 1234.56, 'BRL'],
    ['R 199.00', 199, 'ZAR'],
    ['₹1,29,999', 129999, 'INR'],
    ['Rs. 2,499.00', 2499, 'INR'],
    ['249 zł', 249, 'PLN'],
    ['1 990 Kč', 1990, 'CZK'],
    ['12 990 Ft', 12990, 'HUF'],
    ['2 490 ₽', 2490, 'RUB'],
    ['199,90 TL', 199.9, 'TRY'],
    ['39.000₫', 39000, 'VND'],
    ['₩59,000', 59000, 'KRW'],
    ['12.345 KWD', 12.345, 'KWD'],
    ['EUR 12,50', 12.5, 'EUR'],
    ['0,99 €', 0.99, 'EUR'],
    ['A$15', 15, 'AUD'],
    ['19,-€', 19, 'EUR'],
    ['1.299 €', 1299, 'EUR'],
    ['NT$1,280', 1280, 'TWD'],
  ])('%s', (text, amount, currency) => {
    expect(parseMoney(text)).toEqual({ amount, currency, formatted: text })
  })

  it('a shared sign is read by what the page says of itself', () => {
    expect(parseMoney('1 299 kr', { language: 'sv' })).toMatchObject({ amount: 1299, currency: 'SEK' })
    expect(parseMoney('1.299 kr.', { host: 'butik.dk' })).toMatchObject({ amount: 1299, currency: 'DKK' })
    expect(parseMoney('499 kr', { currency: 'NOK' })).toMatchObject({ currency: 'NOK' })
    expect(parseMoney('499 kr')).toEqual({ amount: 499, formatted: '499 kr' })
    expect(parseMoney('$20', { language: 'en-AU' })).toMatchObject({ currency: 'AUD' })
    expect(parseMoney('$20', { host: 'shop.example.ca' })).toMatchObject({ currency: 'CAD' })
    expect(parseMoney('¥99', { language: 'zh-CN' })).toMatchObject({ currency: 'CNY' })
  })

  it('is found in running text, and what is no money is not', () => {
    const text = 'Was $40.00 now $29.99 (save 25%). 4 payments of $7.50, 128 GB, 16 ft long, model R5, Left 3'
    expect(findMoney(text).map(({ formatted }) => formatted)).toEqual(['$40.00', '$29.99', '$7.50'])
    expect(findMoney('990 Ft', { language: 'hu' })).toMatchObject([{ amount: 990, currency: 'HUF' }])
    expect(parseMoney('sold out')).toBeUndefined()
    expect(parseMoney('12,50', { currency: 'EUR' })).toEqual({ amount: 12.5, currency: 'EUR' })
  })

  it('thousands are never decimals, and a code or a sign alone is a currency', () => {
    expect(findMoney('250.000 €', { language: 'en' })[0]).toMatchObject({ amount: 250_000, currency: 'EUR' })
    expect(findMoney('CHF 1’200.–')[0]).toMatchObject({ amount: 1200, currency: 'CHF' })
    expect(findMoney('Model A100 of 2024')).toEqual([])
    expect(findCurrency('£')).toBe('GBP')
    expect(findCurrency('usd')).toBe('USD')
    expect(findCurrency('now 20 €')).toBe('EUR')
    expect(findCurrency('free')).toBeUndefined()
  })

  it('numbers of any locale', () => {
    expect(parseMoneyAmount('1.234.567')).toBe(1234567)
    expect(parseMoneyAmount('1,234,567.8')).toBe(1234567.8)
    expect(parseMoneyAmount('0.999')).toBe(0.999)
    expect(parseMoneyAmount('1234.567')).toBe(1234.567)
  })

  it('takes time in proportion to the text', () => {
    for (const hostile of ['1', '1,', '$ ', '1 000 ', "1'", '$1 ', '1.1.']) {
      const started = process.cpuUsage().user
      findMoney(hostile.repeat(200_000))
      parseMoney(hostile.repeat(200_000))
      expectCost((process.cpuUsage().user - started) / 1000, hostile).toBeLessThan(400)
    }
  })
})
