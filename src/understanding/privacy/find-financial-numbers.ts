// Finds card numbers, accounts and wallets. Numbers with a check digit must pass it; others need a preceding keyword.
import type { MaskedText, PrivacyFinding } from './privacy-finding.ts'

const CARD = /(?<![A-Za-zÀ-ɏЀ-ӿ\p{N}.,+-])\d(?:[ -]?\d){12,18}(?![A-Za-zÀ-ɏЀ-ӿ\p{N}]|[.,]\d)/gu
const IBAN_HEAD = /(?<![A-Za-zÀ-ɏЀ-ӿ\p{N}])([A-Z]{2})(\d{2})(?=[ -]?[A-Z0-9])/giu
const WALLET =
  /(?<![\p{L}\p{N}])(?:bc1[ac-hj-np-z02-9]{25,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-fA-F]{40})(?![\p{L}\p{N}])/gu
const ANNOUNCED =
  /(?:a\/c(?: no\.?)?|bankgiro|plusgiro|clearing(?:nummer)?|ifsc(?: code)?|bsb|account(?: (?:number|no\.?|#|is))|acct\.?(?: no\.?)?|routing (?:number|no\.?)|sort code|konto(?:nummer|-nr\.?|nr\.?)|bankleitzahl|blz|bic|swift(?:[ -]?code)?|numéro de compte|compte n[°o]|código de conta|número de cuenta|cuenta(?: bancaria)?(?: n[úu]m(?:ero|\.)?)?|clabe|cbu|conta(?: corrente)?(?: n[º°o]\.?)?|agência|numero di conto|conto(?: corrente)?(?: n\.?)?|rekening(?:nummer)?|numer (?:konta|rachunku)|rachunku?|расч[её]тный сч[её]т|р\/с|сч[её]та?|бик|hesap (?:numarası|no)|口座番号|普通預金|账号|帐号|银行账户|계좌(?:번호)?|رقم الحساب|cvv2?|cvc|card security code)[\s:.#№：-]{0,4}(?:(?:is|ist|est|es|é|:|は|是|为)[\s:]{0,2})?/giu
const AFTER_ANNOUNCEMENT =
  /^(?:[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![\p{L}\p{N}])|[A-Z]{4}0[A-Z0-9]{6}(?![\p{L}\p{N}])|\d[\d /.-]{1,30}\d)/u

const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

export function findFinancialNumbers({ words }: MaskedText): PrivacyFinding[] {
  const findings: PrivacyFinding[] = []
  const add = (start: number, length: number) => findings.push({ start, end: start + length, entity: 'FINANCIAL' })
  for (const found of words.matchAll(CARD)) {
    const isBook = /ISBN[\s:-]{0,3}(?:1[03][\s:]{0,2})?$/i.test(words.slice(Math.max(0, found.index - 12), found.index))
    if (!isBook && isCardNumber(found[0].replace(/\D/g, ''))) add(found.index, found[0].length)
  }
  for (const found of words.matchAll(IBAN_HEAD)) {
    const length = ibanLength(words, found.index, found[1]!.toUpperCase())
    if (length > 0) add(found.index, length)
  }
  for (const found of words.matchAll(WALLET))
    if (/\d/.test(found[0]) && /[a-z]/i.test(found[0])) add(found.index, found[0].length)
  for (const found of words.matchAll(ANNOUNCED)) {
    const from = found.index + found[0].length
    const value = AFTER_ANNOUNCEMENT.exec(words.slice(from, from + 40))?.[0]
    if (value && (value.replace(/\D/g, '').length >= 3 || /^[A-Z]{8}/.test(value))) add(from, value.length)
  }
  return findings
}

/** Luhn check and a known issuer prefix. */
export const isCardNumber = (digits: string): boolean =>
  /^(?:3[0-9]|4|5|6|2[2-7]|81|9[0-9])/.test(digits) && !/^(\d)\1+$/.test(digits) && passesLuhn(digits)

export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, second = false; at >= 0; at--, second = !second) {
    const digit = Number(digits[at]) * (second ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** Length of the IBAN at `start` including spaces, or 0. */
function ibanLength(text: string, start: number, country: string): number {
  const wanted = IBAN_LENGTHS[country]
  if (wanted === undefined) return 0
  let iban = ''
  let at = start
  for (; iban.length < wanted && at < text.length && at - start < wanted * 2; at++) {
    const char = text[at]!
    if (/[A-Za-z0-9]/.test(char)) iban += char.toUpperCase()
    else if (!/[ \u00a0.-]/.test(char) || /[ \u00a0.-]/.test(text[at - 1]!)) return 0
  }
  return iban.length === wanted && !/[A-Za-z0-9]/.test(text[at] ?? ' ') && isIban(iban) ? at - start : 0
}

/** ISO 7064 mod 97. */
export function isIban(iban: string): boolean {
  let rest = 0
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 55
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
