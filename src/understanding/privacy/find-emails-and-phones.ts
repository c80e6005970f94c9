// Finds e-mail addresses around `@`, and telephone numbers by country code, a preceding word or a national format.
import { MASK_CHARACTER, type MaskedText, type PrivacyFinding, type PrivacyMode } from './privacy-finding.ts'

const LOCAL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~\\-]/u
const DOMAIN = /[\p{L}\p{N}.\\-]/u
const NOT_DOMAINS = /\.(?:png|jpe?g|gif|webp|svg|avif|css|js|mjs|ico|bmp)$/i
const MAX_LOCAL = 70
const MAX_DOMAIN = 250

export function findEmails({ all }: MaskedText): PrivacyFinding[] {
  const findings: PrivacyFinding[] = []
  let after = 0
  for (const { index: at } of all.matchAll(/[@＠]|%40/g)) {
    let start = at
    while (start > after && at - start < MAX_LOCAL && LOCAL.test(all[start - 1]!)) start--
    // Characters that cannot begin an address: "mailto:anna@…", "(anna@…", "'anna@…".
    while (start < at && /[.'*`{|}/=?&#~!$%^\\-]/.test(all[start]!)) start++
    // "postgres://user:password@host" contains a password, not an address.
    if (/:\/\/[^\s/@]{0,64}$/.test(all.slice(Math.max(0, start - 68), start))) continue
    const width = all[at] === '%' ? 3 : 1
    let end = at + width
    while (end < all.length && end - at < MAX_DOMAIN && DOMAIN.test(all[end]!)) end++
    const domain = all.slice(at + width, end).replace(/[.\\-]+$/, '')
    end = at + width + domain.length
    if (start === at || !/^[^.].*\.\p{L}[\p{L}\p{N}-]*\p{L}$/u.test(domain) || NOT_DOMAINS.test(domain)) continue
    findings.push({ start, end, entity: 'EMAIL' })
    after = end
  }
  for (const found of all.matchAll(SPELT))
    findings.push({ start: found.index, end: found.index + found[0].length, entity: 'EMAIL' })
  return findings
}

const SPELT =
  /(?<![\p{L}\p{N}.])[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63} ?(?:[([{] ?(?:at|ät|arroba|arobase|chiocciola) ?[)\]}]|\bAT\b) ?[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[([{] ?(?:dot|punkt|punto|ponto|point) ?[)\]}] ?| DOT )[\p{L}\p{N}-]{1,63}){1,4}/gu

/** Checks a number with libphonenumber; injected. */
export type IsPossiblePhone = (number: string, country: string | undefined) => boolean

const CANDIDATE =
  /(?<![A-Za-zÀ-ɏЀ-ӿ\p{N}.,:$€£#/_@-])(?:\+|＋|00)?[(（]?\d[\d ()（）.\-–‐‑/\u00a0\u2009\u202f]{4,24}\d(?![A-Za-zÀ-ɏЀ-ӿ\p{N}@]|[.,:]\d|[%°€$£])/gu
const ANNOUNCED =
  /(?:\b(?:tel|telephone|telefon(?:nummer|o|szám|u|em)?|phone|ph|mobile?|mob|cell(?:ular)?|fax|telefax|call(?: us)?(?: at| on)?|dial|ring|text|sms|whatsapp|hotline|helpline|handy|mobil(?:nummer|telefon|e)?|rufen|anruf(?:en)?|durchwahl|rufnummer|tél(?:éphone)?|portable|appel(?:ez|er)|joindre|joignable|móvil|celular|teléfono|llam(?:e|ar|ad|a|en)|ligue|ligar|telem[óo]vel|contato|cell(?:ulare)?|chiam(?:i|ate|are|a)|telefono|bel(?:len)?|gsm|komórk[ai]|komórkowy|kom|zadzwoń|dzwonić|numer(?:em)?|nr tel|ara(?:yın|yabilirsiniz)|cep|reached? (?:at|on)|erreichbar|number is|nummer|número|numero|ring mig|ringa?)\b|тел(?:ефон[ауе]?)?|моб(?:ильный)?|звон(?:ите|ить)|номер[ау]?|電話(?:番号)?|携帯|連絡先|ＴＥＬ|电话|电話|手机|手機|热线|致电|전화(?:번호)?|휴대폰|연락처|핸드폰|هاتف|جوال|الهاتف|اتصل|رقم|फ़ोन|फोन|मोबाइल|โทร)[\s.:：：\u0001#(]{0,6}(?:(?:at|on|unter|au|al|le|nr|no|number|is|er|ist|est|es|é|è|auf|to|us|me|him|her|them|pod|sur|mich|uns|der|die|em|no|на|по|は|が|：|是|为|为：|at:)[\s.:：]{0,3}){0,3}$/iu
const OTHERWISE =
  /(?:isbn|issn|order|invoice|rechnung|bestell\p{L}*|artikel\p{L}*|article|factura|facture|commande|pedido|ordine|zamówieni\p{L}*|заказ\p{L}*|№|sku|ref(?:erence)?|id|version|v|no|nr|part|model|serial|tracking|ticket|case|patent|doi|iban|konto\p{L}*|account|cuenta|conta|compte|card|karte|zip|plz|cep|cnpj|cpf|siret|siren|vat|ust-?id\p{L}*|nif|dni|注文番号|订单号?|주문번호|lot|batch|iso|din|en|rfc|build|population|einwohner)[\s.:#：-]{0,3}$/iu

/** Letters and digits directly before: the digits continue a code ("1Z 999 AA1 01 …"). */
const CODE_BEFORE_DIGITS = /(?<![\p{L}\p{N}])(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{2,20}[ -]$/u

const NATIONAL: readonly RegExp[] = [
  /^\(\d{3}\) ?\d{3}[-. ]\d{4}$|^\d{3}[-. ]\d{3}[-. ]\d{4}$|^1[-. ]\d{3}[-. ]\d{3}[-. ]\d{4}$/, // North America
  /^0\d(?:[ .]\d{2}){4}$/, // France
  /^0\d{2,4}(?: ?[/-] ?| )\d{3,}(?:[ -]\d{1,6}){0,3}$|^\(0\d{2,5}\) ?\d{3,}(?:[ -]\d{1,6}){0,3}$/, // Germany, Austria, United Kingdom
  /^0\d{4} \d{6}$|^0\d{3} \d{3} \d{4}$|^0\d{2} \d{4} \d{4}$|^07\d{3} ?\d{6}$|^07\d{3} \d{3} \d{3}$/, // United Kingdom
  /^[6789]\d{2} \d{3} \d{3}$|^[6789]\d{2}(?: \d{2}){3}$/, // Spain
  /^\(\d{2}\) ?9?\d{4}-\d{4}$|^\d{2} 9?\d{4}-\d{4}$/, // Brazil
  /^[29]\d{2} \d{3} \d{3}$/, // Portugal
  /^3\d{2} \d{3} \d{4}$|^3\d{2} \d{6,7}$|^0\d{1,3} \d{6,8}$|^0\d{1,3} \d{3,4} \d{3,4}$/, // Italy
  /^0[1-9]0?[-(]\d{1,4}[-)]\d{3,4}$|^0\d{1,4}-\d{1,4}-\d{3,4}$|^0\d[（(]\d{4}[)）]\d{4}$/, // Japan, Korea
  /^1[3-9]\d(?:[ -]?\d{4}){2}$|^0\d{2,3}-\d{7,8}$|^400-\d{3}-\d{4}$/, // China
  /^8 ?\(?\d{3}\)? ?\d{3}[- ]\d{2}[- ]\d{2}$/, // Russia
  /^0 ?\(?5?\d{2,3}\)? \d{3} \d{2} \d{2}$/, // Turkey
  /^0\d-\d{8}$|^06[ -]\d{8}$|^06(?:[ -]\d{2}){4}$|^0\d{2}[ -]\d{7}$|^0\d{2}[ -]\d{3} ?\d{2} ?\d{2}$|^0\d{1,3}[ -]\d{3} \d{2} \d{2,3}$/, // Netherlands, Switzerland, Sweden
  /^[6-9]\d{4}[ -]\d{5}$/, // India
  /^05\d[ -]?\d{3}[ -]?\d{4}$/, // Gulf states
]
/** Need a preceding word unless the mode is aggressive. */
const PHONE_FORMATS_NEEDING_KEYWORD: readonly RegExp[] = [
  /^\d{3}[ -]\d{3}[ -]\d{3}$/,
  /^0\d{8,10}$/,
  /^\d{10,11}$/,
  /^\d{2,3}[ -]\d{3}[ -]\d{2}[ -]\d{2}$/,
]

export function findPhones(
  { words, all }: MaskedText,
  mode: PrivacyMode,
  isPossible: IsPossiblePhone,
): PrivacyFinding[] {
  const findings: PrivacyFinding[] = []
  for (const found of words.matchAll(CANDIDATE)) {
    const number = trimNumber(found[0])
    const end = found.index + number.length
    if (isPhone(number, words.slice(Math.max(0, found.index - 48), found.index), mode, isPossible))
      findings.push({ start: found.index, end, entity: 'PHONE' })
  }
  // Telephone links; `words` omits them when they are part of an address.
  for (const found of all.matchAll(
    /(?<=\b(?:tel|sms|callto|wa\.me\/|whatsapp:\/\/send\?phone=):?)\+?[\d().-]{6,20}(?:%20[\d().-]{1,12}){0,5}/gi,
  ))
    findings.push({ start: found.index, end: found.index + found[0].length, entity: 'PHONE' })
  return findings
}

function trimNumber(candidate: string): string {
  const cut = candidate.split(/ {3,}|[ .–-]{4,}/)[0]!.trimEnd()
  return cut.startsWith('(') && !cut.includes(')') ? cut.slice(1) : cut
}

function isPhone(number: string, before: string, mode: PrivacyMode, isPossible: IsPossiblePhone): boolean {
  const digits = number.replace(/\D/g, '')
  if (digits.length < 6 || digits.length > 15 || isDate(number) || /^(\d)\1+$/.test(digits)) return false
  if (before.endsWith(MASK_CHARACTER) && /https?:$/.test(before)) return false
  if (/^[+＋]/.test(number)) return isPossible(`+${digits}`, undefined)
  if (number.startsWith('00') && digits.length > 9) return isPossible(`+${digits.slice(2)}`, undefined)
  if (ANNOUNCED.test(before)) return true
  if (
    CODE_BEFORE_DIGITS.test(before) ||
    OTHERWISE.test(before) ||
    (/[.,]\d{3}$/.test(number.replace(/^\d+/, '')) && !/[ ()-]/.test(number))
  )
    return false
  const plain = number.replace(/[\u00a0\u2009\u202f]/g, ' ').replace(/[–‐‑]/g, '-')
  if (NATIONAL.some((shape) => shape.test(plain))) return true
  return mode === 'aggressive' && PHONE_FORMATS_NEEDING_KEYWORD.some((shape) => shape.test(plain))
}

const isDate = (text: string): boolean =>
  /^(?:\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ]\d{4})(?: \d{1,2})?$/.test(text) ||
  /^(?:1[89]|20)\d{2} ?[-–] ?(?:1[89]|20)\d{2}$/.test(text)
